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
