#include "engine/base/text.h"
#include "engine/analysis/filter.h"

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static struct profile *small_profile(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t app = builder_thread(b, 10, "App.exe", 11);
    uint32_t other = builder_thread(b, 10, "App.exe", 12);
    uint32_t svc = builder_thread(b, 20, "svc.exe", 21);
    uint32_t idle = builder_thread(b, 0, "Idle", 0);

    builder_samples(b, app, 4, "App.exe!main;App.exe!work"); /* 0..3 ms */
    builder_samples(b, other, 3, "App.exe!main;ntdll.dll!+0x10");
    builder_sample(b, svc, SAMPLE_HAS_STACK | SAMPLE_USER_PART, "0x7ff0");
    builder_sample(b, svc, 0, "[kernel]ntos.exe!+0x20");
    builder_sample(b, idle, SAMPLE_IDLE, "[kernel]hal.dll!Halt");
    return builder_finish(b);
}

struct filter_case {
    struct filter filter;
    uint64_t samples, idle;
};

#define WORDS(...)                                                             \
    {                                                                          \
        .data = (const char *[]){__VA_ARGS__},                                 \
        .len = sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)          \
    }

static const struct filter_case filter_cases[] = {
    {{0}, 9, 1},
    {{.include_idle = true}, 10, 0},
    {{.processes = WORDS("app.EXE")}, 7, 0},
    {{.processes = WORDS("app")}, 0, 0},
    {{.processes = WORDS("a?p.*")}, 7, 0},
    {{.processes = WORDS("20")}, 2, 0},
    {{.processes = WORDS("0x14")}, 2, 0},
    {{.processes = WORDS("nobody", "app.exe", "20")}, 9, 0},
    {{.threads = WORDS("12")}, 3, 0},
    {{.threads = WORDS("12", "nobody")}, 3, 0},
    {{.threads = WORDS("12"), .processes = WORDS("20")}, 0, 0},
    {{.has_pid = true, .pid = 20}, 2, 0},
    {{.has_pid = true, .pid = 0}, 0, 1},
    {{.has_tid = true, .tid = 12}, 3, 0},
    {{.has_tid = true, .tid = 12, .has_pid = true, .pid = 20}, 0, 0},
    {{.processes = WORDS("!app.exe")}, 2, 1},
    {{.processes = WORDS("!20", "!idle")}, 7, 0},
    {{.processes = WORDS("*.exe", "!svc.exe")}, 7, 0},
    {{.processes = WORDS("re:^s")}, 2, 0},
    {{.processes = WORDS("re:^S")}, 0, 0},
    {{.processes = WORDS("!re:exe$")}, 0, 1},
    {{.threads = WORDS("!12")}, 6, 1},
    {{.has_time = true, .in_percent = true, .from = 0, .to = 5000}, 5, 0},
    {{.has_time = true, .in_percent = true, .from = 5000, .to = 10000}, 4, 1},
    {{.has_time = true, .from = TIME_MIN, .to = TIME_MAX}, 9, 1},
    {{.has_time = true, .from = 1000000, .to = 3000000}, 2, 0},
    {{.has_time = true, .from = 3000000, .to = 3000000}, 0, 0},
};

static void check_filter(const struct filter_case *c)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, &c->filter);
    uint64_t stacks = 0, threads = 0, rows = 0;

    ck_assert_uint_eq(sel->samples, c->samples);
    ck_assert_uint_eq(sel->idle, c->idle);
    for (size_t i = 0; i < p->stacks.len; i++)
        stacks += sel->stack_counts[i];
    for (size_t i = 0; i < p->threads.len; i++)
        threads += sel->thread_counts[i];
    for (size_t i = 0; i < p->samples.len; i++)
        rows += selection_has(p, sel, i);
    ck_assert_uint_eq(stacks, c->samples);
    ck_assert_uint_eq(threads, c->samples);
    ck_assert_uint_eq(rows, c->samples);
    selection_free(sel);
    profile_free(p);
}

START_TEST(filters_keep_what_they_name)
{
    for (size_t i = 0; i < sizeof(filter_cases) / sizeof(*filter_cases); i++)
        check_filter(&filter_cases[i]);
}
END_TEST

START_TEST(quality_is_counted)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);

    ck_assert_uint_eq(sel->by_class[STACK_FULL], 7);
    ck_assert_uint_eq(sel->by_class[STACK_USER], 1);
    ck_assert_uint_eq(sel->by_class[STACK_KERNEL], 0);
    ck_assert_uint_eq(sel->by_class[STACK_NONE], 1);
    ck_assert_uint_eq(sel->unresolved, 5);
    ck_assert_uint_eq(sel->by_cause[CAUSE_NO_SYMBOLS], 4);
    ck_assert_uint_eq(sel->by_cause[CAUSE_NO_IMAGE], 1);
    selection_free(sel);
    profile_free(p);
}
END_TEST

START_TEST(weights_count)
{
    struct profile *p = small_profile();
    struct selection *sel;

    p->samples.weight = mem_new(p->samples.len, sizeof(uint32_t));
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.weight[i] = 100;
    sel = selection_new(p, NULL);
    ck_assert_uint_eq(sel->samples, 900);
    ck_assert_uint_eq(sel->idle, 100);
    selection_free(sel);
    profile_free(p);
}
END_TEST

START_TEST(inclusive_adds_up_subtrees)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);
    uint64_t *inclusive = selection_inclusive(p, sel);

    ck_assert_uint_eq(inclusive[0], 9);
    ck_assert_uint_eq(inclusive[1], 7); /* main */
    ck_assert_uint_eq(inclusive[2], 4); /* main;work */
    free(inclusive);
    selection_free(sel);
    profile_free(p);
}
END_TEST

static const struct {
    const char *glob, *text;
    bool matches;
} glob_cases[] = {
    {"", "", true},          {"", "a", false},
    {"*", "", true},         {"*", "abc", true},
    {"?", "", false},        {"?", "a", true},
    {"a*c", "abbc", true},   {"a*c", "abcb", false},
    {"*.DLL", "a.dll", true}, {"**b", "aab", true},
    {"a*b*c", "a1b2b3c", true}, {"*a*a*a*a*b", "aaaaaaaaaaaaaaaa", false},
    {"abc", "ab", false},    {"[jit]", "[jit]", true},
};

START_TEST(globs_match)
{
    for (size_t i = 0; i < sizeof(glob_cases) / sizeof(*glob_cases); i++)
        ck_assert(glob_match(glob_cases[i].glob, glob_cases[i].text) ==
                  glob_cases[i].matches);
}
END_TEST

int main(void)
{
    return suite_run("select", filters_keep_what_they_name, quality_is_counted,
                     weights_count, inclusive_adds_up_subtrees, globs_match);
}
