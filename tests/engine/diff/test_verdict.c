/*
 * Rows of comparisons against what the same methods (diff/diff.h, and the
 * papers it names) gave in 30 digits by mpmath: values, intervals, p-values and
 * verdicts of seven functions in recordings that are made by rule.
 */
#include <math.h>

#include "engine/diff/diff.h"
#include "tests/support/cells.h"
#include "tests/support/compare_two.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

enum { FUNCTIONS = 7 };

static const char *const stacks[FUNCTIONS] = {
    "a!steady", "a!more", "a!less", "a!fresh", "a!old", "a!rare", "a!half",
};

/* In round r function f has `base` samples and some more, which come and go;
 * "rare" comes in round 3 only. */
static const struct recorded {
    unsigned ms, rounds;
    unsigned base[FUNCTIONS], wave[FUNCTIONS], rare;
} before[] = {
    {4000, 30, {20, 6, 9, 0, 1, 0, 4}, {6, 4, 4, 0, 2, 0, 9}, 2},
    {3500, 20, {21, 5, 9, 0, 1, 0, 5}, {6, 4, 3, 0, 3, 0, 5}, 0},
    {4500, 25, {19, 6, 10, 0, 1, 0, 3}, {7, 5, 4, 0, 2, 0, 9}, 0},
}, after[] = {
    {4200, 28, {20, 9, 6, 1, 0, 0, 6}, {6, 4, 4, 2, 0, 0, 5}, 2},
    {4100, 22, {21, 10, 5, 1, 0, 0, 3}, {5, 4, 5, 3, 0, 0, 9}, 0},
}, one_before[] = {
    {5000, 60, {20, 6, 9, 0, 1, 0, 4}, {6, 4, 4, 0, 2, 0, 40}, 4},
}, one_after[] = {
    {5200, 64, {20, 7, 7, 1, 0, 0, 4}, {6, 5, 4, 2, 0, 0, 30}, 5},
};

static struct profile *record(const struct recorded *r)
{
    struct builder *b = builder_new("a.etl");
    uint32_t thread = builder_thread(b, 1, "a", 1);
    struct profile *p;

    for (unsigned round = 0; round < r->rounds; round++)
        for (unsigned f = 0; f < FUNCTIONS; f++) {
            unsigned n = r->base[f];

            if (r->wave[f])
                n += (round * (7 + 3 * f) + f) % r->wave[f];
            if (f == 5 && round == 3)
                n += r->rare;
            builder_samples(b, thread, n, stacks[f]);
        }
    p = builder_finish(b);
    p->trace.duration_ns = (int64_t)r->ms * 1000000;
    return p;
}

struct row {
    const char *name;
    double value[2], low, high, most, p, q, detectable;
    enum diff_verdict verdict;
};

static bool near(double a, double b)
{
    return fabs(a - b) <= 2e-8 * fabs(b) + 1e-12;
}

static void expect(const struct row *wanted, const struct diff_row *r)
{
    ck_assert_msg(near(r->value[0], wanted->value[0]) &&
                      near(r->value[1], wanted->value[1]) &&
                      near(r->value[0] + r->change, wanted->value[1]),
                  "%s: %.10g, %.10g", r->name, r->value[0], r->value[1]);
    ck_assert_msg(near(r->low, wanted->low) && near(r->high, wanted->high) &&
                      near(r->most, wanted->most),
                  "%s: %.10g to %.10g, %.10g", r->name, r->low, r->high,
                  r->most);
    ck_assert_msg(near(r->p, wanted->p) && near(r->q, wanted->q),
                  "%s: %.10g, %.10g", r->name, r->p, r->q);
    ck_assert_msg(near(r->detectable, wanted->detectable), "%s: %.10g",
                  r->name, r->detectable);
    ck_assert_int_eq(r->verdict, wanted->verdict);
}

static size_t record_all(const struct recorded *list, size_t n,
                         struct profile **to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = record(&list[i]);
    return n;
}

static struct profile *recorded[2][3];
static size_t record_count[2];
static struct comparison *compared;

static void end_case(void)
{
    if (compared)
        comparison_free(compared);
    compared = NULL;
    for (int side = 0; side < 2; side++)
        while (record_count[side])
            profile_free(recorded[side][--record_count[side]]);
}

static void begin_case(const struct cells *row)
{
    static const struct {
        const char *word;
        enum diff_normalize normalize;
    } ways[] = {{"total", DIFF_TOTAL},
                {"samples", DIFF_SAMPLES},
                {"wall", DIFF_WALL},
                {"none", DIFF_NONE}};
    struct diff_options o = DIFF_DEFAULTS;
    bool runs = !strcmp(row->cell[2], "runs");
    size_t i = 0;

    end_case();
    while (strcmp(ways[i].word, row->cell[1]))
        ck_assert_uint_lt(++i, COUNT(ways));
    o.normalize = ways[i].normalize;
    o.spread = 0;
    record_count[0] =
        record_all(runs ? before : one_before, runs ? 3 : 1, recorded[0]);
    record_count[1] =
        record_all(runs ? after : one_after, runs ? 2 : 1, recorded[1]);
    compared = compare_runs(
        (const struct profile *const *)recorded[0], record_count[0],
        (const struct profile *const *)recorded[1], record_count[1], &o);
    ck_assert_uint_eq(compared->diff->len, FUNCTIONS);
    ck_assert_uint_eq(compared->diff->tested, FUNCTIONS - 1);
    for (unsigned k = 0; k < 2; k++)
        ck_assert(near(compared->diff->detectable[k],
                       strtod(row->cell[3 + k], NULL)));
}

static void check_row(const struct cells *row)
{
    double numbers[8];
    struct row wanted;

    if (!strcmp(row->cell[0], "case")) {
        begin_case(row);
        return;
    }
    for (unsigned i = 0; i < 8; i++)
        numbers[i] = strtod(row->cell[1 + i], NULL);
    wanted = (struct row){row->cell[0], {numbers[0], numbers[1]},
                          numbers[2],   numbers[3],
                          numbers[4],   numbers[5],
                          numbers[6],   numbers[7],
                          DIFF_SLOWER};
    while (strcmp(diff_verdict_name(wanted.verdict), row->cell[9]))
        ck_assert_int_lt(++wanted.verdict, DIFF_VERDICTS);
    expect(&wanted, *wanted.name == '['
                        ? &compared->diff->total
                        : comparison_row(compared, wanted.name));
}

TEST(rows_are_as_defined)
{
    cells_each("tests/engine/diff/verdict.cells", "rows", check_row);
    end_case();
}

/* ---- rows of sides made by hand ---- */

/* Samples of unequal weight, and exposures that are not sure. */
struct hand_made {
    double count, total, exposure, grain, dispersion, df, unsure;
    size_t runs;
    bool shares;
};

static const struct {
    struct hand_made sides[2];
    struct row row;
} hand_made[] = {
    {{{900, 4000, 40, 2.5, 1.5, 9, 0.0004, 1, true},
      {1200, 5000, 47.5, 1.5, 2, 14, 0.0009, 1, true}},
     {"", {22.5, 25.26315789}, -1.219738021, 6.679210317, 6.0101234,
      0.1685068214, 0.1685068214, 5.338560877, DIFF_CANNOT_TELL}},
    {{{900, 4000, 40, 2.5, 1.5, 9, 0.004, 3, true},
      {1200, 5000, 47.5, 1.5, 2, 14, 0.0009, 2, true}},
     {"", {22.5, 25.26315789}, -1.682081699, 7.144454935, 6.375449019,
      0.2253148377, 0.2253148377, 5.837742623, DIFF_CANNOT_TELL}},
    {{{900, 4000, 8, 2.5, 1.5, 9, 0.004, 1, false},
      {1500, 5000, 9, 1.5, 2, 14, 0.0009, 3, false}},
     {"", {112.5, 166.6666667}, 27.45183818, 80.55830827, 75.95571927,
      0.001515691778, 0.001515691778, 35.37090143, DIFF_SLOWER}},
    {{{4, 4000, 40, 1, 1, 1.5, 0.25, 1, false},
      {3, 3000, 25, 2, 1, 0.75, 0, 1, false}},
     {"", {0.1, 0.12}, -0.5786255178, 1.615753856, 0.8125490629, 1, 1,
      0.4251700031, DIFF_CANNOT_TELL}},
    {{{0, 4000, 40, 3, 1, 4, 0.25, 1, true},
      {40, 3000, 25, 2, 1, 5, 0, 1, true}},
     {"", {0, 1.6}, 0.7784686571, 2.760664242, 2.46779901, 0.01094719376,
      0.01094719376, 1.046554074, DIFF_CANNOT_TELL}},
};

TEST(weights_and_exposures_widen_intervals)
{
    for (size_t i = 0; i < COUNT(hand_made); i++) {
        struct diff d = {.options = DIFF_DEFAULTS};
        double worth[2], grain[2], dispersion[2], df[2];
        uint64_t counts[2];
        struct diff_row row;

        for (int k = 0; k < 2; k++) {
            const struct hand_made *h = &hand_made[i].sides[k];

            counts[k] = (uint64_t)h->count;
            worth[k] = h->count;
            grain[k] = h->grain;
            dispersion[k] = h->dispersion;
            df[k] = h->df;
            d.sides[k] = (struct diff_side){
                .counts = &counts[k],
                .weights = {&worth[k], &grain[k], 1},
                .dispersion = &dispersion[k],
                .df = &df[k],
                .total = (uint64_t)h->total,
                .exposure = h->exposure,
                .unsure = h->unsure,
                .shares = h->shares,
                .runs = h->runs,
            };
        }
        diff_judge_total(&d, 0, &row);
        expect(&hand_made[i].row, &row);
    }
}

TEST(what_is_relevant)
{
    struct diff d = {.options = {.relevant = 10}, .whole = {2, 3}};

    ck_assert(near(diff_relevant(&d), 0.3));
    d.whole[0] = 4;
    ck_assert(near(diff_relevant(&d), 0.4));
}

/* A row is unchanged where its interval lies within what is relevant, and
 * likely to be more than that where it excludes 0. */
TEST(verdicts_of_intervals)
{
    static const struct {
        double low, high;
        uint8_t rule;
        bool likely;
    } rows[] = {
        {-1, 1, DIFF_EXACT, false},    {0, 1, DIFF_EXACT, false},
        {0.1, 1, DIFF_EXACT, true},    {-1, 0, DIFF_EXACT, false},
        {-1, -0.1, DIFF_EXACT, true},  {0.1, 1, DIFF_NAMELESS, false},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_int_eq(
            diff_is_likely(&(struct diff_row){.verdict = DIFF_CANNOT_TELL,
                                              .low = rows[i].low,
                                              .high = rows[i].high,
                                              .rule = rows[i].rule}),
            rows[i].likely);
    ck_assert(diff_is_likely(&(struct diff_row){.verdict = DIFF_GONE}));
    ck_assert(!diff_is_likely(&(struct diff_row){.verdict = DIFF_UNCHANGED}));
}
