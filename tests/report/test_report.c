#include "report/report.h"

#include "tests/support/json_check.h"
#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

/* Ten lines of profile: every report on it can be checked by eye. */
static struct profile *small_profile(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app;x.exe", 11);
    uint32_t idle = builder_thread(b, 0, "Idle", 0);

    builder_samples(b, t, 1200, "app.exe!main;[jit]!Space.Work(int32)");
    builder_samples(b, t, 300, "app.exe!main;[kernel]ntos.exe!+0x1a2b30");
    builder_samples(b, t, 499, "app.exe!main;app.exe!a;app.exe!b");
    builder_sample(b, t, stack_end_flags(STACK_END_NO_STACK), "0x7ff0");
    builder_sample(b, idle, SAMPLE_IDLE, "[kernel]hal.dll!Halt");
    return builder_finish(b);
}

/* What needs no more than a profile. */
static const struct report *const alone[] = {&top_report, &tree_report,
                                             &folded_report, &info_report};

enum { ALONE = COUNT(alone) };

/* What a report prints; to be freed. */
static char *printed(const struct profile *p, const struct report *report,
                     const struct report_options *options)
{
    struct selection *sel = selection_new(p, &options->filter);
    struct subject subject = {.options = options, .p = p, .sel = sel};
    struct out *out = out_memory();
    char *text;

    report->write[options->format](&subject, out);
    text = strdup(out_text(out, NULL));
    out_close(out, NULL);
    selection_free(sel);
    return text;
}

#define TRUST                                                                    \
    "app.etl · CPU samples every 1 ms · 2,000 samples in 2 s · 8 CPUs, 13 % " \
    "busy\n99.95 % of stacks are complete · 0.1 % truncated (no stack) · no function names for 15.1 % of samples: ntos.exe 300, "     \
    "[unknown] (address in no loaded module) 1 · no events lost\n"

struct text_case {
    const char *report;
    struct report_options options;
    const char *expected;
};

static const struct text_case text_cases[] = {
    {"top",
     {.rows = 3},
     TRUST "hot path   main 100.0 % › Space.Work 60.0 %\n\n"
           "exclusive     %  inclusive     %  module    function\n"
           "    1,200  60.0      1,200  60.0  [jit]     Space.Work\n"
           "      499  25.0        499  25.0  app.exe   b\n"
           "      300  15.0        300  15.0  ntos.exe  ntos.exe!+0x1a2b30\n"
           "\n3 more rows, 0.1 % of samples (-n 0 shows all)\n"},
    {"top",
     {.rows = 2, .cumulative = true},
     TRUST "hot path   main 100.0 % › Space.Work 60.0 %\n\n"
           "exclusive     %  sum %  inclusive     %  module   function\n"
           "    1,200  60.0   60.0      1,200  60.0  [jit]    Space.Work\n"
           "      499  25.0   85.0        499  25.0  app.exe  b\n"
           "\n4 more rows, 15.1 % of samples (-n 0 shows all)\n"},
    {"tree",
     {.min = 50},
     TRUST
     "process app;x.exe (10) · thread 11\n"
     "\ninclusive      %  exclusive     %  module    function\n"
     "        1    0.1                             ├─ [1 other]\n"
     "    1,999  100.0          0   0.0  app.exe   main\n"
     "    1,200   60.0      1,200  60.0  [jit]     ├─ Space.Work\n"
     "      499   25.0          0   0.0  app.exe   ├─ a\n"
     "      499   25.0        499  25.0  app.exe   │  b\n"
     "      300   15.0        300  15.0  ntos.exe  └─ ntos.exe!+0x1a2b30\n"
     "\n1 branch below 0.50 % (--min) not shown: 0.1 % of the samples\n"},
    {"tree",
     {.min = 50, .bottom_up = true, .depth = 1},
     TRUST
     "process app;x.exe (10) · thread 11\n"
     "\ninclusive     %  exclusive     %  module    function\n"
     "    1,200  60.0      1,200  60.0  [jit]     ├─ Space.Work\n"
     "      499  25.0        499  25.0  app.exe   ├─ b\n"
     "      300  15.0        300  15.0  ntos.exe  ├─ ntos.exe!+0x1a2b30\n"
     "        1   0.1                             └─ [1 other]\n"
     "\n1 branch below 0.50 % (--min) not shown: 0.1 % of the samples\n"
     "3 branches deeper than 1 (--depth) not shown: 100.0 % of the samples\n"},
    {"folded",
     {.min = 0},
     "app:x.exe;0x7ff0 1\n"
     "app:x.exe;main;Space.Work 1200\n"
     "app:x.exe;main;a;b 499\n"
     "app:x.exe;main;ntos.exe!+0x1a2b30 300\n"},
};

/* An image or a page is a format of its own. */
static bool is_drawn(const struct report *r)
{
    return r == &page_report || r == &flame_report || r == &export_report;
}

TEST(every_report_has_every_format)
{
    for (size_t i = 0; reports[i]; i++) {
        ck_assert_ptr_eq(report_find(reports[i]->name), reports[i]);
        for (int format = 0; format < FORMATS; format++)
            ck_assert_msg(reports[i]->write[format] || is_drawn(reports[i]),
                          "%s as %s", reports[i]->name, format_name(format));
    }
    ck_assert_ptr_null(report_find("nonsense"));
}

TEST(text_is_as_written)
{
    struct profile *p = small_profile();

    for (size_t i = 0; i < COUNT(text_cases); i++) {
        const struct text_case *c = &text_cases[i];
        char *text = printed(p, report_find(c->report), &c->options);

        ck_assert_str_eq(text, c->expected);
        free(text);
    }
    profile_free(p);
}

TEST(hot_path_begins_below_what_starts_a_program)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);
    struct report_options options = {.rows = 1};
    struct profile *p;
    char *text;

    builder_samples(b, t, 3,
                    "ntdll.dll!RtlUserThreadStart;kernel32.dll!"
                    "BaseThreadInitThunk;app.exe!main;app.exe!+0x10;"
                    "app.exe!work");
    p = builder_finish(b);
    text = printed(p, report_find("top"), &options);
    ck_assert_msg(strstr(text, "\nhot path   main 100.0 % › work 100.0 %\n"),
                  "%s", text);
    free(text);
    profile_free(p);
}

TEST(json_has_what_scripts_rely_on)
{
    static const char *const wanted[] = {
        "{\"schema\":\"topfn.top/1\"",
        "\"files\":[\"app.etl\"]",
        "\"format\":\"etl\"",
        "\"metric\":\"cpu-samples\"",
        "\"interval_ns\":1000000",
        "\"samples\":2000,\"idle_samples\":1",
        "\"stacks\":{\"full\":1999,\"user_only\":0,\"kernel_only\":0,"
        "\"none\":1,\"complete\":1999,\"truncated\":1,\"unknown\":0,"
        "\"by_cause\":{\"no_unwind_data\":0,",
        "\"broken\":0,\"no_stack\":1}}",
        "\"lost_events\":0,\"lost_buffers\":0,\"skipped_bytes\":0",
        "\"unresolved\":{\"samples\":301,\"by_cause\":{\"no_image\":1,"
        "\"no_symbols\":300,",
        "\"rank\":1,\"exclusive\":1200,\"exclusive_percent\":60.00",
        "\"name\":\"Space.Work(int32)\",\"label\":\"Space.Work\","
        "\"module\":\"[jit]\",\"kind\":\"managed\"",
    };
    struct report_options options = {.format = FORMAT_JSON, .rows = 1};
    struct profile *p = small_profile();
    char *text = printed(p, report_find("top"), &options);

    for (size_t i = 0; i < COUNT(wanted); i++)
        ck_assert_msg(strstr(text, wanted[i]), "%s", wanted[i]);
    free(text);
    profile_free(p);
}

/* A file can name things as it likes. */
static struct profile *hostile_profile(void)
{
    struct builder *b = builder_new("a\x1b]0;owned\x07.etl");
    struct profile *p = builder_profile(b);
    uint32_t t = builder_thread(b, 1, "\"},{\n\x1b[31m\\", 1);

    builder_samples(b, t, 2, "m\"\\\x01.dll!f\x1b[2J|,\"\n;x!\xc2\x9b" "1m");
    profile_count_event(p, "E\"\x1b", 3);
    profile_skip(p, "a\x1b.etl", 1, 2, "\"bad\"\n");
    profile_warn(p, "%s", "odd \"\x1b thing");
    return builder_finish(b);
}

static bool has_controls(const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if ((c < ' ' && c != '\n') || c == 0x7F ||
            (c == 0xC2 && (unsigned char)text[1] < 0xA0))
            return true;
    }
    return false;
}

TEST(names_cannot_break_out)
{
    struct profile *p = hostile_profile();

    for (size_t i = 0; i < ALONE; i++) {
        /* Labels are for one report, which the others are kept from. */
        for (int by = 0; by < RANK_LABEL; by++) {
            struct report_options options = {.by = (enum rank_by)by};
            char *text = printed(p, alone[i], &options);

            ck_assert(!has_controls(text));
            free(text);
            options.format = FORMAT_JSON;
            text = printed(p, alone[i], &options);
            ck_assert(is_json(text));
            free(text);
        }
    }
    profile_free(p);
}

TEST(json_is_json_whatever_is_asked)
{
    for (uint32_t seed = 0; seed < 8; seed++) {
        struct profile *p = random_profile(seed);
        struct report_options options = {.format = FORMAT_JSON,
                                         .filter = random_filter(seed),
                                         .bottom_up = seed % 2 == 1};

        for (size_t i = 0; i < ALONE; i++) {
            char *text = printed(p, alone[i], &options);

            ck_assert(is_json(text));
            free(text);
        }
        profile_free(p);
    }
}

TEST(no_samples_is_an_empty_report)
{
    struct profile *p = builder_finish(builder_new("empty.etl"));

    for (size_t i = 0; i < ALONE; i++) {
        for (int format = FORMAT_TEXT; format <= FORMAT_MARKDOWN; format++) {
            struct report_options options = {.format = (enum format)format};

            free(printed(p, alone[i], &options));
        }
    }
    profile_free(p);
}

/* The counts at the ends of the lines. */
static uint64_t folded_sum(const char *text)
{
    uint64_t sum = 0;

    while (*text) {
        const char *end = strchr(text, '\n');
        const char *blank = end;

        while (*blank != ' ')
            blank--;
        sum += strtoull(blank, NULL, 10);
        text = end + 1;
    }
    return sum;
}

TEST(folded_stacks_add_up)
{
    for (uint32_t seed = 0; seed < 25; seed++) {
        struct profile *p = random_profile(seed);
        struct report_options options = {.filter = random_filter(seed)};
        struct selection *sel = selection_new(p, &options.filter);
        char *text = printed(p, report_find("folded"), &options);

        ck_assert_uint_eq(folded_sum(text), sel->samples);
        free(text);
        selection_free(sel);
        profile_free(p);
    }
}

static struct profile *waiting_profile(enum metric_id metric)
{
    struct builder *b = builder_new("app.nettrace");
    uint32_t t = builder_thread(b, 10, "app", 11);
    struct profile *p = builder_profile(b);

    profile_set_metric(p, metric);
    p->trace.interval_ns = 0;
    builder_samples(b, t, 3, "[jit]!Main;[jit]!System.Threading.Thread.Sleep");
    builder_samples(b, t, 1, "[jit]!Main;[jit]!Work");
    return builder_finish(b);
}

static void assert_marks(enum metric_id metric, struct report_options options,
                         const char *wanted, bool there)
{
    struct profile *p = waiting_profile(metric);
    char *text = printed(p, report_find("top"), &options);

    ck_assert_msg(!strstr(text, wanted) == !there, "%s", text);
    free(text);
    profile_free(p);
}

TEST(waiting_methods_are_marked)
{
    static const char row[] =
        "  yes    [jit]   System.Threading.Thread.Sleep\n";
    struct report_options text = {.waits = true};
    struct report_options apart = {.format = FORMAT_TEXT};
    struct report_options json = {.format = FORMAT_JSON};
    const char *one[] = {"1"};
    struct report_options none = {
        .width = 100, .filter = {.threads = {.data = one, .len = 1}}};

    assert_marks(METRIC_THREAD_SAMPLES, text, row, true);
    assert_marks(METRIC_THREAD_SAMPLES, text, " 25.0         [jit]   Work\n", true);
    assert_marks(METRIC_THREAD_SAMPLES, apart, row, false);
    assert_marks(METRIC_THREAD_SAMPLES, apart,
                 "  [jit]   Main\n\n75.0 % of samples are waiting: "
                 "System.Threading.Thread.Sleep 75.0 % (--waits shows them as rows)\n",
                 true);
    assert_marks(METRIC_CPU_SAMPLES, apart, "75.0 % of samples are waiting", false);
    assert_marks(METRIC_THREAD_SAMPLES, none, "waits", false);
    assert_marks(METRIC_THREAD_SAMPLES, json, "\"line\":null,\"waits\":true}",
                 true);
    assert_marks(METRIC_THREAD_SAMPLES, json, "\"line\":null,\"waits\":false}",
                 true);
    assert_marks(METRIC_THREAD_TIME, text, row, true);
    assert_marks(METRIC_CPU_SAMPLES, text, "waits", false);
    assert_marks(METRIC_CPU_SAMPLES, json, "waits", false);
    assert_marks(METRIC_WAIT_TIME, json, "waits\"", false);
}
