/* Rows on either side of what limits allow. */

#include "engine/diff/gate.h"
#include "tests/support/suite.h"

/* ---- rows ---- */

/* Rows of 100 and 50, whose growth by 10 % and 5 is allowed; what is relevant
 * is 1 % of 200. */
static const struct row_case {
    double value, low, high, most;
    enum diff_verdict verdict;
    size_t runs;
    bool single;
    enum gate_outcome outcome;
    bool beyond;
    double runs_to_tell;
} rows[] = {
    {100, -5, 12, 10, DIFF_CANNOT_TELL, 3, false, GATE_PASS, false, 0},
    {100, -5, 12, 10.1, DIFF_CANNOT_TELL, 3, false, GATE_INCONCLUSIVE, false,
     5},
    {100, 10, 20, 19, DIFF_SLOWER, 3, false, GATE_INCONCLUSIVE, false, 2},
    {100, 10.1, 20, 19, DIFF_SLOWER, 3, false, GATE_FAIL, true, 0},
    {100, 10.1, 20, 19, DIFF_NEW, 3, false, GATE_FAIL, true, 0},
    {100, 10.1, 20, 19, DIFF_CANNOT_TELL, 3, false, GATE_INCONCLUSIVE, false,
     2},
    {100, 10.1, 20, 19, DIFF_SLOWER, 1, false, GATE_INCONCLUSIVE, true, 0},
    {100, 10.1, 20, 19, DIFF_SLOWER, 1, true, GATE_FAIL, true, 0},
    /* Little of the whole may grow by what is relevant. */
    {10, -1, 3, 2, DIFF_CANNOT_TELL, 3, false, GATE_PASS, false, 0},
    {10, -1, 3, 2.1, DIFF_CANNOT_TELL, 3, false, GATE_INCONCLUSIVE, false, 7},
};

static struct diff diff_of(struct diff_row *row, const struct row_case *c)
{
    *row = (struct diff_row){
        .name = "f",
        .label = "m!f",
        .module = "m",
        .value = {c->value, c->value + (c->low + c->high) / 2},
        .change = (c->low + c->high) / 2,
        .low = c->low,
        .high = c->high,
        .most = c->most,
        .verdict = (uint8_t)c->verdict,
    };
    return (struct diff){
        .rows = row,
        .len = 1,
        .sides = {{.runs = c->runs, .total = 1}, {.runs = 1, .total = 1}},
        .options = {.relevant = 1, .normalize = DIFF_CPU},
        .whole = {100, 200},
        .has_total = true,
        .total = *row,
    };
}

/* A limit for a total that is not known is not kept. */
TEST(an_unknown_total_does_not_pass)
{
    struct gate_rules rules = {.has_total = true, .max_total = 10};
    struct diff_row row;
    struct diff d = diff_of(&row, &rows[3]);
    struct gate *gate;

    d.has_total = false;
    gate = gate_new(&d, &rules);
    ck_assert_uint_eq(gate->findings.len, 1);
    ck_assert_int_eq(gate->outcome, GATE_INCONCLUSIVE);
    gate_free(gate);
}

TEST(without_samples_nothing_passes)
{
    for (int side = 0; side < 2; side++) {
        struct gate_rules rules = {.has_max = true, .max = 10};
        struct diff_row row;
        struct diff d = diff_of(&row, &rows[0]);
        struct gate *gate;

        d.sides[side].total = 0;
        gate = gate_new(&d, &rules);
        ck_assert_int_eq(gate->outcome, GATE_INCONCLUSIVE);
        gate_free(gate);
    }
}

/* Sums of bytes are held against a limit as they are, whatever their interval,
 * from one recording a side; bytes of samples in time are not. */
TEST(sums_are_what_they_are)
{
    static const struct {
        double change;
        bool in_time;
        enum gate_outcome outcome;
    } sums[] = {
        {11, false, GATE_FAIL},        {10, false, GATE_PASS},
        {-90, false, GATE_PASS},       {11, true, GATE_INCONCLUSIVE},
    };

    for (size_t i = 0; i < COUNT(sums); i++) {
        struct row_case c = {100, -500, 700, 800, DIFF_CANNOT_TELL, 1,
                             false, GATE_PASS, false, 0};
        struct gate_rules rules = {.has_total = true, .max_total = 10};
        struct profile *p = profile_new();
        struct diff_input input = {.p = p};
        struct diff_row row;
        struct diff d = diff_of(&row, &c);
        struct gate *gate;

        profile_set_metric_word(p, "alloc_space");
        profile_set_unit(p, "bytes", 0);
        profile_sample(p, &(struct sample){.weight = 9});
        profile_sample(p, &(struct sample){.weight = 9,
                                           .time = sums[i].in_time});
        d.len = 0;
        d.inputs = &input;
        d.input_count = 1;
        d.options.normalize = DIFF_NONE;
        d.total.change = sums[i].change;
        d.sides[1].total = 1;
        gate = gate_new(&d, &rules);
        ck_assert_msg(gate->outcome == sums[i].outcome, "row %zu: %s", i,
                      gate_outcome_name(gate->outcome));
        gate_free(gate);
        profile_free(p);
    }
}

/* The largest of what passed, and of the runs that others need. */
TEST(the_worst_is_told)
{
    static const struct row_case cases[] = {
        {100, -5, 12, 8, DIFF_CANNOT_TELL, 3, false, GATE_PASS, false, 0},
        {100, -5, 12, 9, DIFF_CANNOT_TELL, 3, false, GATE_PASS, false, 0},
        {100, -5, 12, 7, DIFF_CANNOT_TELL, 3, false, GATE_PASS, false, 0},
        {100, 10.1, 20, 19, DIFF_CANNOT_TELL, 3, false, GATE_INCONCLUSIVE,
         false, 0},
        {100, -5, 12, 10.1, DIFF_CANNOT_TELL, 3, false, GATE_INCONCLUSIVE,
         false, 0},
        {100, 10.1, 20, 19, DIFF_SLOWER, 3, false, GATE_FAIL, true, 0},
    };
    struct gate_rules rules = {
        .has_max = true, .max = 10, .require_power = true};
    struct diff_row list[COUNT(cases)];
    struct gate *gate;
    struct diff d;

    for (size_t i = 0; i < COUNT(cases); i++)
        d = diff_of(&list[i], &cases[i]);
    d.rows = list;
    d.len = COUNT(cases);
    d.has_total = false;
    gate = gate_new(&d, &rules);
    ck_assert_int_eq(gate->outcome, GATE_FAIL);
    ck_assert_ptr_eq(gate->missed, &list[1]);
    ck_assert(gate->runs_to_tell == 6);
    ck_assert_uint_eq(gate->findings.len, 3);
    ck_assert_ptr_eq(gate->findings.data[0].row, &list[5]);
    ck_assert_ptr_eq(gate->findings.data[1].row, &list[3]);
    ck_assert_ptr_eq(gate->findings.data[2].row, &list[4]);
    ck_assert_uint_eq(gate->counts[GATE_PASS], 3);
    gate_free(gate);
}
