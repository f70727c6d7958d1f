/* What every report begins with: how far it can be relied on. */
#include "report/header/header.h"

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static struct profile *small_profile(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);
    struct profile *p;

    builder_samples(b, t, 2000, "app.exe!main");
    p = builder_finish(b);
    p->trace.duration_ns = 500000000;
    return p;
}

static uint32_t text(struct profile *p, const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

static void as_made(struct profile *p)
{
    (void)p;
}

static void without_times(struct profile *p)
{
    p->trace.duration_ns = 0;
    p->trace.interval_ns = 0;
}

static void one_processor(struct profile *p)
{
    p->trace.cpus = 1;
    p->trace.duration_ns = 2000000000;
}

static void nearly_idle(struct profile *p)
{
    p->trace.duration_ns = 250000000000; /* 0.1 % of 8 processors */
}

static void of_nobody(struct profile *p)
{
    p->trace.files.len = 0;
    p->trace.cpus = 0;
}

static void of_two_files(struct profile *p)
{
    *vec_add(&p->trace.files) = text(p, "b.etl");
    p->trace.cpus = 0;
}

static void of_three_files(struct profile *p)
{
    of_two_files(p);
    *vec_add(&p->trace.files) = text(p, "c.etl");
}

static void of_a_fleet(struct profile *p)
{
    p->trace.recordings = 1200;
    p->trace.hosts = 1;
    p->trace.cpus = 0;
}

static void of_one_run(struct profile *p)
{
    p->trace.recordings = 1;
    p->trace.cpus = 0;
}

static void of_threads(struct profile *p)
{
    profile_set_metric(p, METRIC_THREAD_SAMPLES);
    p->trace.interval_ns = 0;
}

static void of_bytes(struct profile *p)
{
    profile_set_metric(p, METRIC_ALLOCATED);
    p->trace.interval_ns = 0;
}

static void with_losses(struct profile *p)
{
    p->quality.lost_events = 1;
}

static void with_more_losses(struct profile *p)
{
    p->quality.lost_events = 1000;
    p->quality.lost_buffers = 1;
    p->quality.skipped_bytes = 1;
    p->quality.malformed = 1;
    p->quality.cut_stacks = 1;
}

static void with_most_losses(struct profile *p)
{
    p->quality.lost_buffers = 2;
    p->quality.skipped_bytes = 2000;
    p->quality.malformed = 2;
    p->quality.cut_stacks = 2;
}

static void with_facts(struct profile *p)
{
    *vec_add(&p->trace.facts) = (struct trace_fact){
        .name = text(p, FACT_UNSAID), .value = text(p, "times, losses")};
    *vec_add(&p->trace.facts) = (struct trace_fact){
        .name = text(p, "errors"), .value = text(p, "3"), .number = 3, .caveat = true};
    *vec_add(&p->trace.facts) = (struct trace_fact){
        .name = text(p, "throttled"), .value = text(p, "7"), .number = 7, .caveat = true};
    *vec_add(&p->trace.facts) =
        (struct trace_fact){.name = text(p, "host"), .value = text(p, "here")};
}

static void without_inlined(struct profile *p)
{
    *vec_add(&p->modules) = (struct module){.name = text(p, "b.so")};
    *vec_add(&p->modules) =
        (struct module){.name = text(p, "c.so"), .without_inlined = true};
    p->modules.data[0].without_inlined = true;
}

#define BUSY                                                                   \
    "app.etl · CPU samples every 1 ms · 2,000 samples · 2 s of CPU time in 500 ms · 8 CPUs, "    \
    "50 % busy"

/* The first line, and what the second has behind the names of functions. */
static const struct {
    void (*change)(struct profile *p);
    const char *first, *second;
} heads[] = {
    {as_made, BUSY, "no events lost"},
    {without_times, "app.etl · CPU samples · 2,000 samples · 8 CPUs",
     "no events lost"},
    {one_processor,
     "app.etl · CPU samples every 1 ms · 2,000 samples · 2 s of CPU time in 2 s · 1 CPU, 100 % "
     "busy",
     "no events lost"},
    {nearly_idle,
     "app.etl · CPU samples every 1 ms · 2,000 samples · 2 s of CPU time in "
     "250 s · 8 CPUs, 0.1 "
     "% busy",
     "no events lost"},
    {of_nobody, "CPU samples every 1 ms · 2,000 samples · 2 s of CPU time in 500 ms",
     "no events lost"},
    {of_two_files,
     "app.etl and 1 more · CPU samples every 1 ms · 2,000 samples · 2 s of CPU time in 500 ms",
     "no events lost"},
    {of_three_files,
     "app.etl and 2 more · CPU samples every 1 ms · 2,000 samples · 2 s of CPU time in 500 ms",
     "no events lost"},
    {of_a_fleet,
     "app.etl · CPU samples every 1 ms · 2,000 samples · 2 s of CPU time in 500 ms · 1,200 runs "
     "of 1 host",
     "no events lost"},
    {of_one_run,
     "app.etl · CPU samples every 1 ms · 2,000 samples · 2 s of CPU time in 500 ms · 1 run",
     "no events lost"},
    {of_threads,
     "app.etl · thread samples (wall clock: waiting threads count too) · 2,000 "
     "samples in 500 ms · 8 CPUs",
     "no events lost"},
    {of_bytes, "app.etl · .NET allocations · 2 kB in 500 ms · 8 CPUs",
     "no events lost"},
    {with_losses, BUSY, "1 event lost"},
    {with_more_losses, BUSY,
     "1,000 events lost, 1 buffer lost · 1 byte skipped · 1 record damaged · 1 "
     "deep stack cut"},
    {with_most_losses, BUSY,
     "2 buffers lost · 2,000 bytes skipped · 2 records damaged · 2 deep stacks "
     "cut"},
    {with_facts, BUSY,
     "not in the format: times, losses · recorder also counted 3 errors, 7 "
     "throttled"},
    {without_inlined, BUSY,
     "without inlined calls: app.exe, c.so · no events lost"},
};

TEST(heads_of_traces)
{
    for (size_t i = 0; i < COUNT(heads); i++) {
        struct profile *p = small_profile();
        struct report_options options = REPORT_DEFAULTS;
        struct subject subject = {.options = &options, .p = p};
        struct out *out = out_memory();
        struct selection *sel;
        char wanted[600];

        heads[i].change(p);
        subject.sel = sel = selection_new(p, NULL);
        header_text(&subject, i ? NULL : "and more\n", out);
        snprintf(wanted, sizeof(wanted),
                 "%s\n100 %% of stacks are complete · all function names known · "
                 "%s\n%s\n",
                 heads[i].first, heads[i].second, i ? "" : "and more\n");
        ck_assert_str_eq(out_text(out, NULL), wanted);
        out_close(out, NULL);
        selection_free(sel);
        profile_free(p);
    }
}

/* Advice for .NET recordings that do not list their methods. There is none if
 * the runtime's files already give names. */
TEST(methods_that_are_not_listed)
{
    static const char before[] = "no method names in the recording for 75.0 % "
                                 "of samples ";
    static const struct {
        enum name_cause cause;
        const char *path, *symbols, *said;
    } rows[] = {
        {CAUSE_NO_RUNDOWN, "/usr/net/System.Private.CoreLib.dll", "",
         "(recorded without rundown): topfn app.etl --symbols /usr/net names "
         "those of the runtime; record with rundown to have all\n"},
        {CAUSE_NO_RUNDOWN, "/usr/net/System.Private.CoreLib.dll", "a",
         "(recorded without rundown); record with rundown to have all\n"},
        {CAUSE_CUT_OFF, "/usr/net/System.Linq.dll", "",
         "(truncated before the runtime listed its methods); let the recorder "
         "end by itself to have all\n"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct builder *b = builder_new("app.etl");
        uint32_t t = builder_thread(b, 10, "app.exe", 11);
        struct report_options options = REPORT_DEFAULTS;
        struct subject subject = {.options = &options};
        struct out *out = out_memory();
        struct selection *sel;
        struct profile *p;
        const char *line;

        builder_samples(b, t, 1, "app.exe!main");
        builder_samples(b, t, 3, "0x7000");
        subject.p = p = builder_finish(b);
        for (size_t k = 0; k < p->locations.len; k++)
            if (p->locations.data[k].cause)
                p->locations.data[k].cause = (uint8_t)rows[i].cause;
        *vec_add(&p->modules) =
            (struct module){.path = text(p, rows[i].path),
                            .symbols = text(p, rows[i].symbols),
                            .managed = true};
        subject.sel = sel = selection_new(p, NULL);
        header_text(&subject, NULL, out);
        line = strstr(out_text(out, NULL), before);
        ck_assert_ptr_nonnull(line);
        ck_assert_msg(!strncmp(line + strlen(before), rows[i].said,
                               strlen(rows[i].said)), "%s", line);
        out_close(out, NULL);
        selection_free(sel);
        profile_free(p);
    }
}
