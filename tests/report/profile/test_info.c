/* What info tells of a trace that has everything. */
#include "engine/base/text.h"
#include "report/profile/info.h"

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static uint32_t text(struct profile *p, const char *words)
{
    return strings_add(p->strings, words, strlen(words));
}

static struct profile *rich_profile(void)
{
    struct builder *b = builder_new("a.vspx");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);
    uint32_t u = builder_thread(b, 9, "app.exe", 12);
    struct profile *p;

    builder_samples(b, t, 2, "app.exe!main;app.exe!work");
    builder_samples(b, u, 2, "app.exe!main");
    p = builder_finish(b);
    p->trace.machine = text(p, "HOST");
    p->trace.pointer_size = 4;
    *vec_add(&p->trace.contents) = (struct trace_content){
        text(p, "a.vspx!b.etl"), text(p, "trace"), 1234, true, 0};
    *vec_add(&p->trace.contents) = (struct trace_content){
        text(p, "a.vspxtra"), text(p, "other"), 0, false, text(p, "a note")};
    profile_count_event(p, "Rare", 1);
    profile_count_event(p, "B", 7);
    profile_count_event(p, "A", 7);
    profile_skip(p, "a.vspx", 16, 17, "not a buffer");
    profile_warn(p, "%s", "odd");
    p->quality.lost_events = 1;
    p->quality.lost_buffers = 2;
    p->quality.malformed = 3;
    p->quality.cut_stacks = 4;
    p->quality.undefined_keys = 5;
    p->quality.event_stacks = 6;
    return p;
}

static void add_processes(struct profile *p, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        *vec_add(&p->processes) = (struct process){
            .pid = i ? 100 + i : NO_PID, .name = text(p, "many"), .end = 1};
}

static const struct {
    unsigned processes; /* beside the two that have samples */
    bool all;
    enum format format;
    const char *from, *expected; /* from where on */
} cases[] = {
    {0, false, FORMAT_TEXT, "trace ",
     "trace     value\n"
     "file      a.vspx\n"
     "format    etl\n"
     "metric    cpu-samples\n"
     "interval  1 ms\n"
     "duration  4 ms\n"
     "machine   HOST\n"
     "CPUs      8\n"
     "bits      32\n"
     "\n"
     "container  value\n"
     "b.etl      trace, used, 1234 bytes\n"
     "a.vspxtra  other, not used, 0 bytes: a note\n"
     "\n"
     "contents                  value\n"
     "events                       15\n"
     "samples                       4\n"
     "idle samples left out         0\n"
     "processes                     2\n"
     "threads                       2\n"
     "modules                       1\n"
     "sampled methods               0\n"
     "distinct stacks               2\n"
     "distinct addresses            2\n"
     "stacks of other events        6\n"
     "\n"
     "quality                 value\n"
     "complete stacks         4\n"
     "truncated stacks        0\n"
     "completeness not known  0\n"
     "lost events             1\n"
     "lost buffers            2\n"
     "skipped bytes           17\n"
     "skipped ranges          1\n"
     "malformed records       3\n"
     "undefined stack keys    5\n"
     "cut stacks              4\n"
     "skipped                 a.vspx at 0x10, 17 bytes: not a buffer\n"
     "warning                 odd\n"
     "\n"
     "processes     samples\n"
     "app.exe (10)        2\n"
     "app.exe (9)         2\n"
     "\n"
     "events    count\n"
     "A             7\n"
     "B             7\n"
     "Rare          1\n"
     "\n"
     "in short: 15 events, 4 samples of 2 threads in 2 processes · 1 l"
     "ost event, 2 lost buffers, 1 skipped range, 3 malformed records,"
     " 4 cut stacks, 1 warning\n"},
    {1, false, FORMAT_JSON, " \"system\"",
     " \"system\":{\"os\":null,\"machine\":\"HOST\",\"pointer_size\":4"
     ",\"start\":null},\n"
     " \"container\":[\n"
     "  {\"name\":\"a.vspx!b.etl\",\"kind\":\"trace\",\"bytes\":1234,"
     "\"used\":true,\"note\":null},\n"
     "  {\"name\":\"a.vspxtra\",\"kind\":\"other\",\"bytes\":0,\"used"
     "\":false,\"note\":\"a note\"}],\n"
     " \"header\":[],\n"
     " \"header_fields\":{},\n"
     " \"contents\":{\"processes\":3,\"threads\":2,\"modules\":1,\"met"
     "hods\":0,\"stacks\":2,\"addresses\":2,\"event_stacks\":6},\n"
     " \"quality\":{\"skipped_ranges\":1,\"undefined_stack_keys\":5,\""
     "skipped\":[\n"
     "  {\"file\":\"a.vspx\",\"offset\":16,\"bytes\":17,\"reason\":\"n"
     "ot a buffer\"}],\"warnings\":[\n"
     "  \"odd\"]},\n"
     " \"processes\":[\n"
     "  {\"pid\":10,\"name\":\"app.exe\",\"samples\":2,\"parent_pid\":"
     "0,\"start_ns\":null,\"end_ns\":null,\"command_line\":null},\n"
     "  {\"pid\":9,\"name\":\"app.exe\",\"samples\":2,\"parent_pid\":0"
     ",\"start_ns\":null,\"end_ns\":null,\"command_line\":null},\n"
     "  {\"pid\":null,\"name\":\"many\",\"samples\":0,\"parent_pid\":0"
     ",\"start_ns\":0,\"end_ns\":1,\"command_line\":null}],\n"
     " \"events\":[\n"
     "  {\"name\":\"A\",\"count\":7},\n"
     "  {\"name\":\"B\",\"count\":7},\n"
     "  {\"name\":\"Rare\",\"count\":1}]}\n"},
};

TEST(facts)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct profile *p = rich_profile();
        struct selection *sel = selection_new(p, NULL);
        struct report_options options = {.format = cases[i].format,
                                         .all = cases[i].all};
        struct subject subject = {.options = &options, .p = p, .sel = sel};
        struct out *out = out_memory();

        add_processes(p, cases[i].processes);
        info_report.write[options.format](&subject, out);
        ck_assert_str_eq(strstr(out_text(out, NULL), cases[i].from),
                         cases[i].expected);
        out_close(out, NULL);
        selection_free(sel);
        profile_free(p);
    }
}

/* Of more than twenty processes twenty are shown, and beside some that have
 * samples none without. */
static const struct {
    unsigned sampled, idle;
    bool all;
    const char *last, *left;
} listed[] = {
    {20, 0, false, "\nbusy (20)", NULL},
    {0, 20, false, "\nmany (119)", NULL},
    {2, 18, false, "\nmany (117)", NULL},
    {21, 0, false, "\nbusy (20)", "1 more; --all shows them"},
    {20, 1, false, "\nbusy (20)", "1 more; --all shows them"},
    {3, 18, false, "\nbusy (3)", "18 more; --all shows them"},
    {0, 22, false, "\nmany (119)", "2 more; --all shows them"},
    {3, 18, true, "\nmany (117)", NULL},
};

static struct profile *profile_of(unsigned sampled, unsigned idle)
{
    struct builder *b = builder_new("a.etl");
    struct profile *p;

    for (unsigned i = 1; i <= sampled; i++)
        builder_samples(b, builder_thread(b, i, "busy", i), 30 - i,
                        "app.exe!main");
    p = builder_finish(b);
    add_processes(p, idle);
    return p;
}

TEST(lists_end)
{
    for (size_t i = 0; i < COUNT(listed); i++) {
        struct profile *p = profile_of(listed[i].sampled, listed[i].idle);
        struct selection *sel = selection_new(p, NULL);
        struct report_options options = {.all = listed[i].all};
        struct subject subject = {.options = &options, .p = p, .sel = sel};
        struct out *out = out_memory();
        const char *text, *line;

        info_report.write[FORMAT_TEXT](&subject, out);
        text = strstr(out_text(out, NULL), " samples\n");
        ck_assert_ptr_nonnull(text);
        line = strstr(text, listed[i].last);
        ck_assert_ptr_nonnull(line);
        line = strchr(line + 1, '\n') + 1;
        if (listed[i].left)
            ck_assert_msg(!strncmp(line, listed[i].left,
                                   strlen(listed[i].left)), "%s", text);
        else
            ck_assert_msg(*line == '\n', "%s", text);
        out_close(out, NULL);
        selection_free(sel);
        profile_free(p);
    }
}

/* One that changed its name counts once: in 6 rows are 4 processes, and 5
 * threads. */
TEST(names_of_one_process)
{
    static const struct process processes[] = {
        {.pid = 40, .start = 5, .end = TIME_MAX},
        {.pid = 40, .start = 5, .end = TIME_MAX},
        {.pid = 40, .start = TIME_MIN, .end = 5},
        {.pid = 41, .start = 5, .end = TIME_MAX},
        {.pid = 41, .start = 5, .end = TIME_MAX},
        {.pid = 42, .start = TIME_MIN, .end = TIME_MAX},
    };
    static const struct thread threads[] = {
        {.tid = 1, .process = 0, .start = 6, .end = 7},
        {.tid = 1, .process = 1, .start = 6, .end = 7},
        {.tid = 1, .process = 1, .start = 8, .end = 9},
        {.tid = 1, .process = 3, .start = 6, .end = 7},
        {.tid = 2, .process = 5, .start = TIME_MIN, .end = TIME_MAX},
        {.tid = 3, .process = 5, .start = TIME_MIN, .end = TIME_MAX},
    };
    struct profile *p = profile_new();
    struct selection *sel;
    struct subject subject = {.p = p};
    struct info info;

    for (size_t i = 0; i < COUNT(processes); i++)
        *vec_add(&p->processes) = processes[i];
    for (size_t i = 0; i < COUNT(threads); i++)
        *vec_add(&p->threads) = threads[i];
    profile_finish(p);
    subject.sel = sel = selection_new(p, NULL);
    info = info_gather(&subject);
    ck_assert_uint_eq(info.processes.len, 6);
    ck_assert_uint_eq(info.process_count, 4);
    ck_assert_uint_eq(info.thread_count, 5);
    info_release(&info);
    selection_free(sel);
    profile_free(p);
}
