#include "engine/analysis/filter.h"

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* Sample i is taken at i ms, by processor i. Some are of .NET threads, and
 * from 2 to 4 and 6 to 7 ms something else went on. */
static struct profile *at_processors(struct profile *p)
{
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.cpu[i] = (uint16_t)i;
    p->samples.flags[1] |= SAMPLE_MANAGED;
    p->samples.flags[2] |= SAMPLE_EXTERNAL;
    p->samples.flags[9] |= SAMPLE_EXTERNAL;
    *vec_add(&p->between) = (struct time_range){2000000, 4000000};
    *vec_add(&p->between) = (struct time_range){6000000, 7000000};
    return p;
}

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
    return at_processors(builder_finish(b));
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

#define CPUS(...)                                                              \
    {                                                                          \
        .data = (struct cpu_range[]){__VA_ARGS__},                             \
        .len = sizeof((struct cpu_range[]){__VA_ARGS__}) /                     \
               sizeof(struct cpu_range)                                        \
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
    {{.processes = WORDS("20")}, 2, 0},
    {{.processes = WORDS("0")}, 0, 1},
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
    {{.has_time = true, .in_percent = true, .from = -1, .to = 10000}, 9, 1},
    {{.has_time = true, .in_percent = true, .from = 0, .to = 9999}, 9, 1},
    {{.has_time = true, .in_percent = true, .from = 3000, .to = 3001}, 1, 0},
    {{.has_time = true, .in_percent = true, .from = 3001, .to = 4000}, 0, 0},
    {{.has_time = true, .in_percent = true, .from = 10000, .to = 10000}, 0, 0},
    {{.processes = WORDS("!20")}, 7, 1},
    {{.processes = WORDS("!0x14", "re:(")}, 0, 0},
    {{.processes = WORDS("re:(")}, 0, 0},
    {{.processes = WORDS("a.exe", "!app.exe")}, 0, 0},
    {{.cpus = CPUS({3, 3})}, 1, 0},
    {{.cpus = CPUS({3, 4}, {8, 9})}, 3, 1},
    {{.cpus = CPUS({5, 4})}, 0, 0},
    {{.cpus = CPUS({10, 65535})}, 0, 0},
    {{.between = WORDS("x")}, 3, 0},
    {{.between = WORDS("x"), .threads = WORDS("12")}, 1, 0},
    {{.types = SAMPLE_MANAGED}, 1, 0},
    {{.types = SAMPLE_EXTERNAL}, 1, 1},
    {{.types = SAMPLE_EXTERNAL | SAMPLE_MANAGED}, 2, 1},
    {{.types = SAMPLE_EXTERNAL, .include_idle = true}, 2, 0},
};

static void check_filter(const struct filter_case *c)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, &c->filter);
    uint64_t stacks = 0, threads = 0, rows = 0;

    ck_assert_uint_eq(sel->samples, c->samples);
    ck_assert_uint_eq(sel->idle, c->idle);
    ck_assert_uint_eq(sel->whole, c->filter.include_idle ? 10 : 9);
    ck_assert(!sel->filter.in_percent);
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

TEST(filters_keep_what_they_name)
{
    for (size_t i = 0; i < COUNT(filter_cases); i++)
        check_filter(&filter_cases[i]);
}

static const char *const one_word[] = {"a"};

#define ONE                                                                    \
    {                                                                          \
        .data = (const char **)one_word, .len = 1                              \
    }

/* By what a filter has: stacks are asked, it is empty, it only counts idle
 * samples, it needs times. */
static const struct {
    struct filter filter;
    bool stacks, empty, counts_idle, times;
} kinds_of_filters[] = {
    {{0}, false, true, true, false},
    {{.include_idle = true}, false, true, false, false},
    {{.types = SAMPLE_MANAGED}, false, false, true, false},
    {{.processes = ONE}, false, false, false, false},
    {{.threads = ONE}, false, false, false, false},
    {{.mine = ONE}, false, true, true, false},
    {{.has_time = true}, false, false, false, true},
    {{.cpus = CPUS({1, 1})}, false, false, false, true},
    {{.between = ONE}, false, false, false, true},
    {{.groups = ONE}, true, false, false, false},
    {{.folds = ONE}, true, false, false, false},
    {{.fold_percent = 1}, true, false, false, false},
    {{.focus = ONE}, true, false, false, false},
    {{.ignore = ONE}, true, false, false, false},
    {{.leaves = ONE}, true, false, false, false},
    {{.modules = ONE}, true, false, false, false},
    {{.show_from = ONE}, true, false, false, false},
    {{.to_any = ONE}, true, false, false, false},
    {{.kinds = 1}, true, false, false, false},
    {{.tiers = 1}, true, false, false, false},
};

TEST(filters_say_what_they_need)
{
    size_t n = COUNT(kinds_of_filters);

    for (size_t i = 0; i < n; i++) {
        const struct filter *f = &kinds_of_filters[i].filter;

        ck_assert_msg(filter_asks_stacks(f) == kinds_of_filters[i].stacks &&
                          filter_is_empty(f) == kinds_of_filters[i].empty &&
                          filter_only_counts_idle(f) ==
                              kinds_of_filters[i].counts_idle &&
                          filter_needs_times(f) == kinds_of_filters[i].times,
                      "row %zu", i);
    }
}

TEST(words_are_ids_or_patterns_of_names)
{
    ck_assert(filter_word_is("31", 31, "app.exe"));
    ck_assert(filter_word_is("0x1f", 31, "app.exe"));
    ck_assert(filter_word_is("0X1F", 31, "app.exe"));
    ck_assert(filter_word_is("!31", 31, "app.exe"));
    ck_assert(filter_word_is("APP*", 31, "app.exe"));
    ck_assert(filter_word_is("!app.exe", 31, "app.exe"));
    ck_assert(!filter_word_is("1f", 31, "app.exe"));
    ck_assert(!filter_word_is("031", 31, "app.exe"));
    ck_assert(!filter_word_is("re:(", 31, "app.exe"));
    ck_assert(!filter_word_is("app", 31, "app.exe"));
}
