#include "engine/analysis/rank.h"
#include "engine/model/labels.h"

#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

static struct profile *small_profile(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    uint32_t u = builder_thread(b, 20, "a.exe", 21);

    builder_samples(b, t, 5, "a.exe!main;a.exe!fib;a.exe!fib;a.exe!fib");
    builder_samples(b, t, 2, "a.exe!main");
    builder_samples(b, u, 3, "a.exe!main;B.dll!in@b.h:7<B.dll!out@b.c:8");
    builder_samples(b, u, 3, "a.exe!main;b.DLL!+0x10");
    builder_samples(b, u, 1, "0xbad");
    return builder_finish(b);
}

static const struct rank_row *row_named(const struct ranking *r,
                                        const char *name)
{
    for (size_t i = 0; i < r->len; i++)
        if (!strcmp(r->rows[i].name, name))
            return &r->rows[i];
    ck_abort_msg("no row %s", name);
}

struct rank_case {
    enum rank_by by;
    const char *name;
    uint64_t exclusive, inclusive;
};

static const struct rank_case rank_cases[] = {
    {RANK_FUNCTION, "main", 2, 13},
    {RANK_FUNCTION, "fib", 5, 5}, /* three times on the stack, once here */
    {RANK_FUNCTION, "in", 3, 3},
    {RANK_FUNCTION, "out", 0, 3},
    {RANK_FUNCTION, "b.DLL!+0x10", 3, 3},
    {RANK_FUNCTION, "0xbad", 1, 1},
    {RANK_MODULE, "a.exe", 7, 13},
    {RANK_MODULE, "B.dll", 6, 6}, /* both spellings */
    {RANK_MODULE, "[unknown]", 1, 1},
    {RANK_FILE, "b.h", 3, 3},
    {RANK_FILE, "b.c", 0, 3},
    {RANK_FILE, "[unknown]", 11, 14},
    {RANK_LINE, "b.c:8", 0, 3},
    {RANK_ADDRESS, "b.DLL!+0x10", 3, 3},
    {RANK_ADDRESS, "0xbad", 1, 1},
    {RANK_KIND, "native", 13, 13},
    {RANK_KIND, "unknown", 1, 1},
};

static void check_row(const struct rank_case *c)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, c->by, SORT_EXCLUSIVE);
    const struct rank_row *row = row_named(r, c->name);

    ck_assert_uint_eq(row->exclusive, c->exclusive);
    ck_assert_uint_eq(row->inclusive, c->inclusive);
    if (c->by != RANK_FUNCTION)
        ck_assert_str_eq(row->label, row->name);
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

TEST(rows_count_what_they_name)
{
    for (size_t i = 0; i < COUNT(rank_cases); i++)
        check_row(&rank_cases[i]);
}

struct inlined_case {
    const char *name;
    uint64_t exclusive, inclusive; /* of these inlined */
};

/* `in` is inlined always, `out` for two samples of five, and when both it and
 * its caller are on the stack the sample still counts once. */
/* Two samples in three stand for little. */
TEST(periods_are_added_up)
{
    struct profile *p = small_profile();
    struct selection *sel;
    struct ranking *r;
    const struct rank_row *row;

    p->samples.period = mem_new(p->samples.len, sizeof(uint64_t));
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.period[i] = i % 3 ? 1 : 1000;
    sel = selection_new(p, NULL);
    ck_assert_uint_eq(sel->period, 5 * 1000 + 9);
    r = ranking_top(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE, 1);
    ck_assert_uint_eq(r->len, 1);
    row = row_named(r, "fib");
    ck_assert_uint_eq(row->exclusive_period, 2 * 1000 + 3);
    ck_assert_uint_eq(row->exclusive, 5);
    ranking_free(r);
    r = ranking_top(p, sel, RANK_FUNCTION, SORT_INCLUSIVE, 1);
    ck_assert_uint_eq(r->len, 1);
    ck_assert_str_eq(r->rows[0].name, "main");
    ck_assert_uint_eq(r->rows[0].inclusive_period, 5 * 1000 + 8);
    ranking_free(r);
    r = ranking_new(p, sel, RANK_PROCESS, SORT_INCLUSIVE);
    ck_assert_uint_eq(r->rows[0].inclusive_period + r->rows[1].inclusive_period,
                      sel->period);
    ck_assert_uint_ge(r->rows[0].inclusive_period, r->rows[1].inclusive_period);
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

TEST(inlined_samples_are_counted_apart)
{
    static const struct inlined_case cases[] = {
        {"in", 3, 3}, {"out", 2, 4}, {"main", 0, 0},
    };
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    struct profile *p;
    struct selection *sel;
    struct ranking *r;

    builder_samples(b, t, 2, "a!main;a!out<a!main");
    builder_samples(b, t, 2, "a!main;a!out<a!main;a!in<a!out");
    builder_samples(b, t, 1, "a!main;a!out;a!in<a!out");
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rank_row *row = row_named(r, cases[i].name);

        ck_assert_uint_eq(row->inlined_exclusive, cases[i].exclusive);
        ck_assert_uint_eq(row->inlined_inclusive, cases[i].inclusive);
    }
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

TEST(lines_and_addresses_have_a_function)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_LINE, SORT_EXCLUSIVE);

    ck_assert_str_eq(row_named(r, "b.h:7")->function, "in");
    ck_assert_ptr_null(row_named(r, "[unknown]")->function);
    ranking_free(r);
    r = ranking_new(p, sel, RANK_ADDRESS, SORT_EXCLUSIVE);
    ck_assert_ptr_null(row_named(r, "b.DLL!+0x10")->function);
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

/* Instances of generic code share lines. */
TEST(a_line_has_the_function_with_most_of_its_samples)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    struct profile *p;
    struct selection *sel;
    struct ranking *r;

    builder_samples(b, t, 5, "a!main;a!OfObjects@q.cs:68;a!leaf");
    builder_samples(b, t, 2, "a!main;a!OfInts@q.cs:68");
    builder_samples(b, t, 1, "a!main;a!OfObjects@q.cs:68");
    builder_samples(b, t, 3, "a!main;a!OfObjects@q.cs:70;a!OfInts@q.cs:70");
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    r = ranking_new(p, sel, RANK_LINE, SORT_EXCLUSIVE);
    ck_assert_str_eq(row_named(r, "q.cs:68")->function, "OfInts");
    ck_assert_str_eq(row_named(r, "q.cs:70")->function, "OfInts");
    ranking_free(r);
    r = ranking_new(p, sel, RANK_LINE, SORT_INCLUSIVE);
    ck_assert_str_eq(row_named(r, "q.cs:68")->function, "OfObjects");
    ck_assert_str_eq(row_named(r, "q.cs:70")->function, "OfInts");
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

TEST(processes_are_told_apart_by_pid)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_PROCESS, SORT_INCLUSIVE);

    ck_assert_uint_eq(r->len, 2);
    ck_assert_str_eq(r->rows[0].name, "a.exe");
    ck_assert_uint_eq(r->rows[0].pid, 10);
    ck_assert_uint_eq(r->rows[0].exclusive, 7);
    ck_assert_uint_eq(r->rows[0].inclusive, 7);
    ck_assert_uint_eq(r->rows[1].pid, 20);
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

TEST(equal_counts_are_in_order_of_name)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 1, "a", 1);
    struct profile *p;
    struct selection *sel;
    struct ranking *r;

    builder_samples(b, t, 1, "m!c");
    builder_samples(b, t, 1, "n!b");
    builder_samples(b, t, 1, "m!b");
    builder_samples(b, t, 2, "m!z");
    builder_samples(b, t, 1, "m!B");
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    ck_assert_str_eq(r->rows[0].name, "z");
    ck_assert_str_eq(r->rows[1].name, "B");
    ck_assert_str_eq(r->rows[2].name, "b");
    ck_assert_str_eq(r->rows[2].module, "m");
    ck_assert_str_eq(r->rows[3].name, "b");
    ck_assert_str_eq(r->rows[3].module, "n");
    ck_assert_str_eq(r->rows[4].name, "c");
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

static bool recurs(const struct profile *p, uint32_t stack, uint32_t function)
{
    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t location = p->stacks.data[stack].location;

        for (uint32_t f = p->frame_start.data[location];
             f < p->frame_start.data[location + 1]; f++)
            if (p->frames.data[f].function == function)
                return true;
    }
    return false;
}

/* The definition, without any cleverness. */
static uint64_t naive_inclusive(const struct profile *p,
                                const struct selection *sel,
                                uint32_t function)
{
    uint64_t count = 0;

    for (size_t i = 0; i < p->samples.len; i++)
        if (selection_has(p, sel, i))
            count += recurs(p, p->samples.stack[i], function);
    return count;
}

static bool is_sane(const struct ranking *r, const struct selection *sel)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < r->len; i++) {
        const struct rank_row *row = &r->rows[i];

        if (row->exclusive > row->inclusive ||
            row->inclusive > sel->samples || !row->name || !row->module)
            return false;
        if (i && row->exclusive > r->rows[i - 1].exclusive)
            return false;
        sum += row->exclusive;
    }
    return sum == sel->samples;
}

static void check_groupings(const struct profile *p,
                            const struct selection *sel)
{
    /* The last is inputs, of which there are none. */
    for (int by = 0; by < RANK_LABEL; by++) {
        struct ranking *r =
            ranking_new(p, sel, (enum rank_by)by, SORT_EXCLUSIVE);

        ck_assert(is_sane(r, sel));
        for (size_t i = 0; by == RANK_FUNCTION && i < r->len; i++)
            ck_assert_uint_eq(r->rows[i].inclusive,
                              naive_inclusive(p, sel, r->rows[i].id));
        ranking_free(r);
    }
}

TEST(exclusive_adds_up_whatever_is_asked)
{
    for (uint32_t seed = 0; seed < 25; seed++) {
        struct profile *p = random_profile(seed);

        for (uint32_t f = 0; f < 8; f++) {
            struct filter filter = random_filter(f);
            struct selection *sel = selection_new(p, &filter);

            check_groupings(p, sel);
            selection_free(sel);
        }
        profile_free(p);
    }
}

/* At 0 to 8 ms; the third input has no sample, the last has no name. */
TEST(inputs_are_told_apart_by_time)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    struct profile *p;
    struct selection *sel;
    struct ranking *r;

    builder_samples(b, t, 9, "a.exe!main");
    p = builder_finish(b);
    *vec_add(&p->trace.inputs) = (struct trace_input){
        strings_add(p->strings, "one", 3), 1000000, 2000000};
    *vec_add(&p->trace.inputs) = (struct trace_input){
        strings_add(p->strings, "two", 3), 2000000, 5000000};
    *vec_add(&p->trace.inputs) = (struct trace_input){
        strings_add(p->strings, "none", 4), 5000000, 5000000};
    *vec_add(&p->trace.inputs) = (struct trace_input){0, 6000000, 8000000};
    p->samples.weight = mem_new(p->samples.len, sizeof(uint64_t));
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.weight[i] = i == 7 ? 5 : 1;
    sel = selection_new(p, NULL);
    r = ranking_new(p, sel, RANK_LABEL, SORT_EXCLUSIVE);
    ck_assert_uint_eq(r->len, 3);
    ck_assert_uint_eq(r->total, 3);
    ck_assert_str_eq(r->rows[0].name, "[unknown]");
    ck_assert_uint_eq(r->rows[0].exclusive, 6);
    ck_assert_uint_eq(r->rows[0].id, 3);
    ck_assert_str_eq(r->rows[1].label, "two");
    ck_assert_uint_eq(r->rows[1].inclusive, 3);
    ck_assert_str_eq(r->rows[2].name, "one");
    ck_assert_uint_eq(r->rows[2].exclusive, 1);
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

/* Rows as large as the last one wanted are kept, smaller ones are not. */
TEST(as_many_rows_as_are_wanted)
{
    static const struct {
        size_t limit, len;
    } limits[] = {{0, 6}, {1, 1}, {2, 2}, {3, 5},
                  {4, 5}, {5, 5}, {6, 6}, {7, 6}};
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);

    for (size_t i = 0; i < COUNT(limits); i++) {
        struct ranking *r =
            ranking_top(p, sel, RANK_FUNCTION, SORT_INCLUSIVE, limits[i].limit);

        ck_assert_msg(r->total == 6, "%zu", r->total);
        ck_assert_msg(r->len == limits[i].len, "%zu: %zu", limits[i].limit,
                      r->len);
        ck_assert_str_eq(r->rows[0].name, "main");
        ranking_free(r);
    }
    selection_free(sel);
    profile_free(p);
}

TEST(processes_have_titles)
{
    struct profile *p = small_profile();
    struct arena arena = {0};

    p->processes.data[1].pid = UINT32_MAX - 1;
    ck_assert_str_eq(process_title(p, 0, &arena), "a.exe (10)");
    ck_assert_str_eq(process_title(p, 1, &arena), "a.exe (4294967294)");
    p->processes.data[1].pid = NO_PID;
    p->processes.data[1].name = 0;
    ck_assert_str_eq(process_title(p, 1, &arena), "[unknown] (unknown)");
    arena_release(&arena);
    profile_free(p);
}

/* All but one have a sample each: few rows are kept at a time. */
TEST(ties_are_in_order_of_their_names)
{
    enum { MANY = 20000, WANTED = 3 };
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    struct profile *p;
    struct selection *sel;
    struct ranking *r;

    for (unsigned i = 0; i < MANY; i++) {
        char stack[32];

        snprintf(stack, sizeof(stack), "a.exe!f%05u", MANY - i);
        builder_samples(b, t, i == 7 ? 2 : 1, stack);
    }
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    r = ranking_top(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE, WANTED);
    ck_assert_uint_eq(r->total, MANY);
    ck_assert_str_eq(r->rows[0].name, "f19993");
    ck_assert_str_eq(r->rows[1].name, "f00001");
    ck_assert_str_eq(r->rows[2].name, "f00002");
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

/* How often a function is on the path to a stack; of these, inlined. */
static unsigned met_on_path(const struct profile *p, uint32_t stack,
                            uint32_t function, unsigned *inlined)
{
    unsigned met = 0;

    *inlined = 0;
    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t location = p->stacks.data[stack].location;
        uint32_t end = p->frame_start.data[location + 1];

        for (uint32_t i = p->frame_start.data[location]; i < end; i++) {
            if (p->frames.data[i].function != function)
                continue;
            met++;
            *inlined += p->frames.data[i].inlined;
        }
    }
    return met;
}

static void check_inclusive(const struct profile *p,
                            const struct selection *sel)
{
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_INCLUSIVE);

    for (size_t i = 0; i < r->len; i++) {
        uint64_t inclusive = 0, inlined_inclusive = 0;

        for (uint32_t s = 1; s < p->stacks.len; s++) {
            unsigned inlined;

            if (met_on_path(p, s, r->rows[i].id, &inlined))
                inclusive += sel->stack_counts[s];
            if (inlined)
                inlined_inclusive += sel->stack_counts[s];
        }
        ck_assert_uint_eq(r->rows[i].inclusive, inclusive);
        ck_assert_uint_eq(r->rows[i].inlined_inclusive, inlined_inclusive);
    }
    ranking_free(r);
}

TEST(inclusive_counts_a_sample_once_wherever_it_met_the_code)
{
    random_selections(check_inclusive);
}
