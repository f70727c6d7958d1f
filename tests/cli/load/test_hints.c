#include "cli/load/hints.h"

#include "cli/terminal/terminal.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"
#include "tests/support/watched.h"

static struct selection *select_by(const struct profile *p,
                                   const struct filter *filter)
{
    return selection_new(p, filter);
}

/* Three modules without names, of which the second has most samples. */
static struct profile *nameless_profile(unsigned samples)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);

    builder_samples(b, t, 5, "app.exe!main");
    builder_samples(b, t, 1, "app.exe!main;a.dll!+0x10");
    builder_samples(b, t, samples, "app.exe!main;b's.dll!+0x20");
    builder_samples(b, t, 1, "app.exe!main;c.dll!+0x30");
    return builder_finish(b);
}

static const char *told_of_names(struct watched *w, const struct profile *p,
                                 const struct naming_log *log,
                                 const char *file)
{
    struct selection *sel = select_by(p, NULL);

    watched_begin(w);
    hint_missing_names(p, sel, log, file, false);
    selection_free(sel);
    return watched_end(w);
}

TEST(names_are_missing_most_of_one_module)
{
    const struct naming_log none = {.symbols = {.modules = {0}}};
    struct profile *p = nameless_profile(1002);
    struct watched w;

    ck_assert_str_eq(told_of_names(&w, p, &none, "my trace.etl"),
                     "b's.dll: no function names for 1,002 samples: topfn "
                     "symbols 'my trace.etl' --explain 'b'\\''s.dll' tells "
                     "why\n");
    say_quietly(true);
    ck_assert_str_eq(told_of_names(&w, p, &none, "a.etl"), "");
    say_quietly(false);
    profile_free(p);
}

/* The file that was looked for, its build and the option that adds it. */
TEST(names_need_a_file)
{
    static const struct {
        const char *path;
        struct identity identity;
        struct module_files files;
        const char *told;
    } rows[] = {
        {"C:\\shop\\b.dll",
         {.timestamp = 1437696000, .image_size = 4096},
         {.debug = {.name = "b.pdb"}, .cause = CAUSE_NO_SYMBOLS},
         "needs b.pdb (built 2015-07-24): add its folder with --symbols"},
        {"C:\\shop\\b.dll",
         {.timestamp = 1437696000, .image_size = 4096},
         {.image = {.cause = FIND_MISMATCH,
                    .path = "./b.dll",
                    .reason = "built 2016-01-02"},
          .cause = CAUSE_MISMATCH},
         "needs the program file b's.dll (built 2015-07-24): add its folder "
         "with --symbols; ./b.dll is another build, of 2016-01-02"},
        {"C:\\Windows\\System32\\b.dll",
         {.timestamp = 1437696000, .image_size = 4096},
         {.debug = {.name = "b.pdb"}, .cause = CAUSE_NO_SYMBOLS},
         "needs b.pdb: add --online"},
        {"/usr/lib/b.so",
         {.build_id = {0xab, 0xcd}, .build_id_size = 2},
         {.debug = {.name = "b.so"}, .cause = CAUSE_NO_SYMBOLS},
         "needs its debug file (build ID abcd…): add its folder with "
         "--symbols, or set DEBUGINFOD_URLS and add --online"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile *p = nameless_profile(1002);
        struct module_search search = {.files = rows[i].files};
        struct naming_log log = {.symbols = {.modules = {&search, 1, 1}}};
        char expected[300];
        struct watched w;

        for (uint32_t m = 0; m < p->modules.len; m++)
            if (!strcmp(strings_get(p->strings, p->modules.data[m].name),
                        "b's.dll"))
                search.module = m;
        p->modules.data[search.module].identity = rows[i].identity;
        p->modules.data[search.module].path =
            strings_add(p->strings, rows[i].path, strlen(rows[i].path));
        snprintf(expected, sizeof(expected),
                 "b's.dll: no function names for 1,002 samples: %s\n",
                 rows[i].told);
        ck_assert_str_eq(told_of_names(&w, p, &log, "a.etl"), expected);
        profile_free(p);
    }
}

/* What has no module either is nothing that symbols explains. */
TEST(nothing_to_explain)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);
    struct profile *p;
    struct watched w;

    builder_samples(b, t, 5, "app.exe!main;0x7ff0");
    p = builder_finish(b);
    ck_assert_str_eq(
        told_of_names(&w, p, &(struct naming_log){.symbols = {.modules = {0}}},
                      "a.etl"),
        "");
    profile_free(p);
}

static const char *told_next(struct watched *w, const struct profile *p,
                             const struct filter *filter, bool online)
{
    struct selection *sel = select_by(p, filter);

    watched_begin(w);
    hint_next(p, sel, "a.etl", online);
    selection_free(sel);
    return watched_end(w);
}

TEST(commands_that_come_next)
{
    const char *one[] = {"1"};
    struct filter nobody = {.threads = {.data = one, .len = 1}};
    struct profile *p = nameless_profile(9);
    struct watched w;

    /* No server can be asked for files without an identity. */
    ck_assert_str_eq(told_next(&w, p, NULL, false),
                     "next: topfn callers main a.etl\n"
                     "      topfn tree a.etl\n");
    for (size_t i = 0; i < p->modules.len; i++)
        p->modules.data[i].identity.image_size = 0x1000;
    ck_assert_str_eq(told_next(&w, p, NULL, false),
                     "next: topfn a.etl --online\n"
                     "      topfn callers main a.etl\n"
                     "      topfn tree a.etl\n");
    ck_assert_str_eq(told_next(&w, p, NULL, true),
                     "next: topfn callers main a.etl\n"
                     "      topfn tree a.etl\n");
    ck_assert_str_eq(told_next(&w, p, &nobody, false), "");
    say_quietly(true);
    ck_assert_str_eq(told_next(&w, p, NULL, false), "");
    say_quietly(false);
    profile_free(p);
}

/* The busiest process is proposed where there are several. */
TEST(next_of_processes)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "an app", 11);
    uint32_t u = builder_thread(b, 20, "idler", 21);
    struct profile *p;
    struct watched w;

    builder_samples(b, t, 5, "app.exe!operator new");
    builder_samples(b, u, 2, "app.exe!operator new");
    p = builder_finish(b);
    ck_assert_str_eq(told_next(&w, p, NULL, false),
                     "next: topfn callers 'operator new' a.etl\n"
                     "      topfn tree a.etl --process 'an app'\n");
    profile_free(p);
}

static struct profile *waiting_profile(enum metric_id metric, bool works)
{
    struct builder *b = builder_new("app.nettrace");
    uint32_t t = builder_thread(b, 10, "app", 11);
    struct profile *p = builder_profile(b);

    profile_set_metric(p, metric);
    builder_samples(b, t, 3, "[jit]!System.Threading.Thread.Sleep");
    if (works)
        builder_samples(b, t, 1, "[jit]!Work");
    return builder_finish(b);
}

/* A function that only waits is looked at last, where waiting is counted. */
TEST(next_is_what_works)
{
    static const struct {
        enum metric_id metric;
        bool works;
        const char *wanted;
    } rows[] = {
        {METRIC_THREAD_SAMPLES, true,
         "next: topfn callers Work a.etl\n      topfn tree a.etl\n"},
        {METRIC_THREAD_SAMPLES, false, "next: topfn tree a.etl\n"},
        {METRIC_CPU_SAMPLES, true,
         "next: topfn callers System.Threading.Thread.Sleep a.etl\n"
         "      topfn tree a.etl\n"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile *p = waiting_profile(rows[i].metric, rows[i].works);
        struct watched w;

        ck_assert_str_eq(told_next(&w, p, NULL, false), rows[i].wanted);
        profile_free(p);
    }
}

/* What only calls others has no callers that are worth a look. */
TEST(next_is_none_without_samples_of_its_own)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app", 11);
    struct profile *p;
    struct watched w;

    builder_samples(b, t, 9, "app.exe!main;a.dll!+0x20");
    p = builder_finish(b);
    ck_assert_str_eq(told_next(&w, p, NULL, true), "next: topfn tree a.etl\n");
    profile_free(p);
}

/* ---- nothing to show ---- */

static const char *told_of_nothing(struct watched *w, const struct profile *p,
                                   const struct filter *filter)
{
    struct selection *sel = select_by(p, filter);

    watched_begin(w);
    explain_empty(p, sel);
    selection_free(sel);
    return watched_end(w);
}

static struct profile *eventful_profile(const char *format)
{
    struct builder *b = builder_new("app.etl");
    struct profile *p = builder_finish(b);

    p->trace.format = strings_add(p->strings, format, strlen(format));
    profile_count_event(p, "Rare", 1);
    profile_count_event(p, "Often", 900);
    profile_count_event(p, "As often", 900);
    profile_count_event(p, "Some", 30);
    p->trace.events = 1234;
    return p;
}

TEST(a_trace_without_samples_holds_something_else)
{
    struct profile *p = eventful_profile("collapsed");
    struct watched w;

    ck_assert_str_eq(told_of_nothing(&w, p, NULL),
                     "topfn: app.etl: no CPU samples; it holds 1,234 events: "
                     "900 Often, 900 As often, 30 Some, 1 Rare\n");
    profile_count_event(p, "Once", 1);
    p->trace.events = 1234;
    ck_assert_str_eq(told_of_nothing(&w, p, NULL),
                     "topfn: app.etl: no CPU samples; it holds 1,234 events: "
                     "900 Often, 900 As often, 30 Some, 1 Rare, ...\n");
    profile_free(p);
    p = eventful_profile("etl");
    ck_assert_ptr_nonnull(strstr(told_of_nothing(&w, p, NULL),
                                 "1 Rare\ntopfn: to record samples: wpr "
                                 "-start CPU"));
    profile_free(p);
}

TEST(a_filter_may_leave_nothing)
{
    struct builder *b = builder_new("app.etl");
    uint32_t idle = builder_thread(b, 0, "Idle", 0);
    const char *one[] = {"1"};
    struct filter nobody = {.threads = {.data = one, .len = 1}};
    struct filter busy = {.include_idle = true};
    struct profile *p;
    struct watched w;

    builder_sample(b, idle, SAMPLE_IDLE, "[kernel]hal.dll!Halt");
    builder_sample(b, idle, SAMPLE_IDLE, "[kernel]hal.dll!Halt");
    p = builder_finish(b);
    ck_assert_str_eq(told_of_nothing(&w, p, NULL),
                     "topfn: all 2 samples here are of idle processors; "
                     "--include-idle counts them\n");
    ck_assert_str_eq(told_of_nothing(&w, p, &nobody),
                     "topfn: no samples match the filter\n");
    ck_assert_str_eq(told_of_nothing(&w, p, &busy), "");
    profile_free(p);
}

/* ---- words of the filter ---- */

static const char *told_of_words(struct watched *w, const struct profile *p,
                                 const char *process, const char *thread)
{
    struct filter filter = {.include_idle = false};

    if (process)
        *vec_add(&filter.processes) = process;
    if (thread)
        *vec_add(&filter.threads) = thread;
    watched_begin(w);
    warn_of_strangers(p, &filter);
    filter_release(&filter);
    return watched_end(w);
}

TEST(strangers_are_named)
{
    static const struct {
        const char *process, *thread, *told;
    } rows[] = {
        {"server.exe", NULL, ""},
        {"10", "reader", ""},
        {"!server.exe", NULL, ""},
        {"21", NULL, "topfn: no sampled process is \"21\"\n"},
        {NULL, "11", ""},
        {NULL, "12", ""},
        {"servr.exe", NULL,
         "topfn: no sampled process is \"servr.exe\"; did "
         "you mean server.exe?\n"},
        {NULL, "read",
         "topfn: no sampled thread is \"read\"; did you "
         "mean reader, readers?\n"},
        /* A thread without a name is not called as its process is. */
        {NULL, "server.exe", "topfn: no sampled thread is \"server.exe\"\n"},
        {"Idle", NULL, ""},
    };
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "server.exe", 11);
    uint32_t u = builder_thread(b, 10, "server.exe", 12);
    uint32_t v = builder_thread(b, 10, "server.exe", 13);
    uint32_t x = builder_thread(b, 10, "server.exe", 14);
    uint32_t idle = builder_thread(b, 0, "Idle", 0);
    struct profile *p = builder_profile(b);

    p->threads.data[x].name = strings_add(p->strings, "readers", 7);
    p->threads.data[v].name = strings_add(p->strings, "readers", 7);
    p->threads.data[t].name = strings_add(p->strings, "reader", 6);
    builder_samples(b, t, 2, "app.exe!main");
    builder_samples(b, u, 1, "app.exe!main");
    builder_samples(b, v, 1, "app.exe!main");
    builder_samples(b, x, 1, "app.exe!main");
    builder_sample(b, idle, SAMPLE_IDLE, "[kernel]hal.dll!Halt");
    p = builder_finish(b);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct watched w;

        ck_assert_str_eq(told_of_words(&w, p, rows[i].process, rows[i].thread),
                         rows[i].told);
    }
    profile_free(p);
}

/* ---- patterns ---- */

static const char *told_of_pattern(struct watched *w, const struct profile *p,
                                   const char *option, const char *text,
                                   bool slow)
{
    struct algebra_notes notes = {.unmet = {0}};
    struct algebra_note note = {.option = option, .text = text};

    if (slow)
        *vec_add(&notes.slow) = note;
    else
        *vec_add(&notes.unmet) = note;
    watched_begin(w);
    warn_of_patterns(p, &notes);
    algebra_notes_release(&notes);
    return watched_end(w);
}

TEST(patterns_that_nothing_matches)
{
    static const struct {
        const char *option, *text;
        bool slow;
        const char *told;
    } rows[] = {
        {"group", "x->y", false,
         "topfn: no sampled function is one of --group \"x->y\"\n"},
        {"focus", "Wrok", false,
         "topfn: no sampled function of --focus is \"Wrok\"; did you mean "
         "Work?\n"},
        {"module", "app.xee", false,
         "topfn: no sampled module is \"app.xee\"; did you mean app.exe?\n"},
        {"fold", "re:(a+)+$", true,
         "topfn: warning: --fold re:(a+)+$ takes too long on some names, "
         "which count as not matching\n"},
    };
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);
    struct profile *p;

    builder_samples(b, t, 2, "app.exe!main;b.dll!Work");
    p = builder_finish(b);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct watched w;

        ck_assert_str_eq(
            told_of_pattern(&w, p, rows[i].option, rows[i].text, rows[i].slow),
            rows[i].told);
    }
    profile_free(p);
}

/* A trace without a stack has no functions that could be meant. */
TEST(patterns_of_nothing)
{
    struct profile *p = builder_finish(builder_new("app.etl"));
    struct watched w;

    profile_finish(p);
    ck_assert_str_eq(told_of_pattern(&w, p, "focus", "x", false), "");
    profile_free(p);
}
