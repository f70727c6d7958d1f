/*
 * Rows of comparisons against what the same methods (diff/diff.h, and the
 * papers it names) gave in 30 digits by mpmath: values, intervals, p-values and
 * verdicts of seven functions in recordings that are made by rule.
 */
#include <math.h>

#include "engine/diff/diff.h"
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

static const struct {
    enum diff_normalize normalize;
    bool runs; /* several on a side */
    double detectable[2];
    struct row rows[FUNCTIONS + 1];
} cases[] = {
    {DIFF_TOTAL, true, {1.249116237, 3.766227162},
     {
      {"steady", {44.45667125, 45.00199124}, -4.851829044, 5.961903397, 4.880684804,
       0.8288592388, 0.8288592388, 7.926892697, DIFF_CANNOT_TELL},
      {"more", {15.26822558, 22.77976902}, 4.658631411, 10.41555309, 9.82109982,
       0.00041046764, 0.0008209352799, 4.147417815, DIFF_SLOWER},
      {"less", {22.14580468, 14.4165671}, -11.31458253, -4.014407638, -4.764294423,
       0.002106262722, 0.003159394084, 5.369280621, DIFF_FASTER},
      {"fresh", {0, 3.94265233}, 2.731238772, 5.561798969, 5.054318345,
       8.881494344e-5, 0.0005328896606, 1.361346862, DIFF_NEW},
      {"old", {3.383768913, 0}, -4.585772385, -2.370044418, -2.64331456,
       0.0001966915786, 0.0005900747357, 1.173791762, DIFF_GONE},
      {"rare", {0.05502063274, 0.07964954202}, -0.233629083, 0.3887282609, 0.2761495431,
       1, 1, 0.3284323761, DIFF_CANNOT_TELL},
      {"half", {14.69050894, 13.77937077}, -3.738348628, 2.009272782, 1.416875412,
       0.4936819543, 0.5924183452, 4.204752702, DIFF_CANNOT_TELL},
     }},
    {DIFF_WALL, true, {9.779540219, 30.92562156},
     {
      {"steady", {134.6666667, 136.1445783}, -59.43456491, 67.90749679, 53.70850278,
       0.9593783122, 0.9593783122, 90.73305473, DIFF_CANNOT_TELL},
      {"more", {46.25, 68.91566265}, -3.003385149, 51.35307076, 45.06424384,
       0.07083703372, 0.1062555506, 38.04936147, DIFF_CANNOT_TELL},
      {"less", {67.08333333, 43.61445783}, -47.08520759, 1.408396413, -3.80759413,
       0.06067556535, 0.1062555506, 34.84548638, DIFF_CANNOT_TELL},
      {"fresh", {0, 11.92771084}, 7.1418563, 18.97554974, 16.67265762,
       0.000332476341, 0.001846418137, 5.531997834, DIFF_NEW},
      {"old", {10.25, 0}, -15.00943305, -6.335279813, -7.44002106,
       0.0006154727123, 0.001846418137, 4.439654781, DIFF_GONE},
      {"rare", {0.1666666667, 0.2409638554}, -0.8007723161, 1.313317523, 0.9237909584,
       1, 1, 1.064182884, DIFF_CANNOT_TELL},
      {"half", {44.5, 41.68674699}, -24.88174057, 21.37627004, 16.16216607,
       0.783339072, 0.9400068865, 32.82124919, DIFF_CANNOT_TELL},
      {"[all samples]", {302.9166667, 302.5301205}, -177.2673182, 154.0766313, 114.1198727,
       0.9958332503, 0.9958332503, 140.6252017, DIFF_CANNOT_TELL},
     }},
    {DIFF_SAMPLES, true, {15.13512507, 45.63411911},
     {
      {"steady", {538.6666667, 545.2741272}, -58.78799525, 72.23839616, 59.13763087,
       0.8288592388, 0.8288592388, 96.04751651, DIFF_CANNOT_TELL},
      {"more", {185, 276.0148679}, 56.44708393, 126.2017849, 118.9989928,
       0.00041046764, 0.0008209352799, 50.25287919, DIFF_SLOWER},
      {"less", {268.3333333, 174.6807381}, -137.095025, -48.64123921, -57.72736743,
       0.002106262722, 0.003159394084, 65.05778352, DIFF_FASTER},
      {"fresh", {0, 47.77180406}, 33.09350979, 67.39046418, 61.24149062,
       8.881494344e-5, 0.0005328896606, 16.49498615, DIFF_NEW},
      {"old", {41, 0}, -55.5642754, -28.71703819, -32.02816141,
       0.0001966915786, 0.0005900747357, 14.22244352, DIFF_GONE},
      {"rare", {0.6666666667, 0.9650869508}, -2.830805722, 4.710090762, 3.346011964,
       1, 1, 3.979505624, DIFF_CANNOT_TELL},
      {"half", {178, 166.9600425}, -45.29632421, 24.34568854, 17.16780707,
       0.4936819543, 0.5924183452, 50.9475869, DIFF_CANNOT_TELL},
     }},
    {DIFF_NONE, true, {40.54804948, 128.224191},
     {
      {"steady", {538.6666667, 565}, -219.6692413, 297.4159037, 239.1373327,
       0.8125134354, 0.9155314933, 367.5025999, DIFF_CANNOT_TELL},
      {"more", {185, 286}, -9.756971389, 226.828962, 198.8887952,
       0.06297741136, 0.1259548227, 164.391909, DIFF_CANNOT_TELL},
      {"less", {268.3333333, 181}, -196.2984229, 29.71221401, 4.789083956,
       0.1156323564, 0.1734485346, 161.2762412, DIFF_CANNOT_TELL},
      {"fresh", {0, 49.5}, 29.05492087, 80.08437607, 70.04066951,
       0.0003719598731, 0.001282481735, 23.79011344, DIFF_NEW},
      {"old", {41, 0}, -58.02323378, -26.82901086, -30.76777593,
       0.0004274939117, 0.001282481735, 16.1845895, DIFF_GONE},
      {"rare", {0.6666666667, 1}, -3.195495396, 5.505657023, 3.869808288,
       1, 1, 4.360447202, DIFF_CANNOT_TELL},
      {"half", {178, 173}, -101.9483267, 103.448497, 79.71999881,
       0.9155314933, 0.9155314933, 144.6141806, DIFF_CANNOT_TELL},
      {"[all samples]", {1211.666667, 1255.5}, -719.7071006, 746.9940647, 556.8257793,
       0.8539854406, 0.8539854406, 605.3977087, DIFF_CANNOT_TELL},
     }},
    {DIFF_TOTAL, false, {1.561961873, 4.709492246},
     {
      {"steady", {34.75798146, 38.34445928}, -0.9287071806, 8.085701385, 7.353273326,
       0.1208531448, 0.1291527621, 7.908648653, DIFF_CANNOT_TELL},
      {"more", {12.35839341, 13.67156208}, -0.2178984172, 2.847583287, 2.596193864,
       0.09830288244, 0.1291527621, 2.684322443, DIFF_CANNOT_TELL},
      {"less", {16.22039135, 14.52603471}, -3.56250967, 0.1776395507, -0.1289516337,
       0.07989871853, 0.1291527621, 3.275250328, DIFF_CANNOT_TELL},
      {"fresh", {0, 3.417890521}, 2.844869102, 4.086396861, 3.963868161,
       3.40131888e-15, 2.040791328e-14, 1.040901835, DIFF_NEW},
      {"old", {2.317198764, 0}, -2.870585844, -1.854240883, -1.930504391,
       4.172172585e-12, 1.251651776e-11, 0.8497068295, DIFF_GONE},
      {"rare", {0.1029866117, 0.1335113485}, -0.4878556334, 0.5813298332, 0.4321135467,
       1, 1, 0.5683194283, DIFF_CANNOT_TELL},
      {"half", {34.2430484, 29.90654206}, -9.881123655, 1.255139056, 0.3412605528,
       0.1291527621, 0.1291527621, 9.777384348, DIFF_CANNOT_TELL},
     }},
    {DIFF_WALL, false, {10.10494056, 31.9546278},
     {
      {"steady", {270, 276.1538462}, -28.47124319, 40.70552766, 35.04427856,
       0.7324984975, 0.7324984975, 60.47182215, DIFF_CANNOT_TELL},
      {"more", {96, 98.46153846}, -9.846883414, 14.7446647, 12.73205547,
       0.7146801131, 0.7324984975, 21.51113569, DIFF_CANNOT_TELL},
      {"less", {126, 104.6153846}, -35.29932291, -7.558618199, -9.819721431,
       0.003046385501, 0.006092771002, 24.26259881, DIFF_FASTER},
      {"fresh", {0, 24.61538462}, 20.42377933, 29.54011909, 28.63354595,
       1.668911144e-14, 1.001346686e-13, 7.632532317, DIFF_NEW},
      {"old", {18, 0}, -22.36958944, -14.38943525, -14.97839786,
       1.547625037e-12, 4.642875112e-12, 6.672826409, DIFF_GONE},
      {"rare", {0.8, 0.9615384615}, -3.859857408, 4.145042834, 3.067323518,
       1, 1, 4.236725638, DIFF_CANNOT_TELL},
      {"half", {266, 215.3846154}, -92.76278942, -8.885767435, -15.72077905,
       0.0183339328, 0.02750089921, 73.18320083, DIFF_FASTER},
      {"[all samples]", {776.8, 720.1923077}, -90.73134304, -22.53701618, -28.11068712,
       0.001448167797, 0.001448167797, 48.03191303, DIFF_FASTER},
     }},
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

TEST(rows_are_as_defined)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct diff_options o = DIFF_DEFAULTS;
        bool runs = cases[i].runs;
        struct profile *p[2][3];
        size_t n[2];
        struct comparison *c;

        o.normalize = cases[i].normalize;
        n[0] = record_all(runs ? before : one_before, runs ? 3 : 1, p[0]);
        n[1] = record_all(runs ? after : one_after, runs ? 2 : 1, p[1]);
        c = compare_runs((const struct profile *const *)p[0], n[0],
                         (const struct profile *const *)p[1], n[1], &o);
        ck_assert_uint_eq(c->diff->len, FUNCTIONS);
        ck_assert_uint_eq(c->diff->tested, FUNCTIONS - 1);
        ck_assert(near(c->diff->detectable[0], cases[i].detectable[0]));
        ck_assert(near(c->diff->detectable[1], cases[i].detectable[1]));
        for (size_t j = 0; j < FUNCTIONS; j++)
            expect(&cases[i].rows[j],
                   comparison_row(c, cases[i].rows[j].name));
        if (cases[i].rows[FUNCTIONS].name)
            expect(&cases[i].rows[FUNCTIONS], &c->diff->total);
        comparison_free(c);
        for (int side = 0; side < 2; side++)
            for (size_t j = 0; j < n[side]; j++)
                profile_free(p[side][j]);
    }
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
      0.01094719376, 1.046554074, DIFF_NEW}},
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
