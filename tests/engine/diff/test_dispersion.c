/* Dispersions against those that the same formulas (diff/side.h; Smyth
 * 2004, section 6) gave in 30 digits by mpmath. */
#include "engine/diff/side.h"

#include <math.h>

#include "tests/support/suite.h"

enum { UNITS = 12 };

/* Behind the last unit: all samples together. */
typedef double by_unit[UNITS + 1];

static const by_unit worth[2] = {
    {3, 20, 25, 40, 60, 90, 130, 180, 260, 400, 700, 1500, 2000},
    {2, 25, 30, 35, 70, 80, 140, 150, 300, 390, 650, 1600, 2000},
};

/* What each side has seen. */
static const by_unit wide[2] = {
    {0.4, 1.1, 2.5, 0.7, 3.1, 1.4, 5.2, 1.9, 4.4, 2.2, 8.5, 6.1, 1.5},
    {0.2, 0.9, 2.9, 1.7, 2.1, 1.2, 3.2, 2.9, 3.4, 4.2, 5.5, 7.1, 2.5},
};
static const by_unit alike = {1.0, 1.05, 1.02, 0.98, 1.03, 1.01, 1.0,
                              0.99, 1.02, 1.04, 1.01, 1.0, 1.5};
static const by_unit falling = {9, 8, 7.5, 6, 5, 4, 3.5, 3, 2, 1.5, 1.2, 1.1,
                                1.5};
static const by_unit low = {0.1, 0.3, 0.2, 0.25, 0.4, 0.3, 0.5,
                            0.6, 0.8, 1.2, 2.1, 4.5, 1.5};
static const by_unit ragged = {0, 40, 0.02, 9, 0.3, 120, 0.05,
                               60, 0.9, 300, 0.01, 2, 1.5};

struct side {
    const double *seen;
    double freedom, common;
    size_t runs;
};

static const struct {
    const char *name;
    struct side sides[2];
    /* Of the second side the same, where it is not given. */
    double dispersion[2][UNITS], df[2][UNITS], common[2], whole[2];
} cases[] = {
    {"a line over the counts",
     {{wide[0], 10, 2.5, 1}, {wide[1], 12, 0.7, 1}},
     {{1.363908243, 1.340580897, 2.257287395, 1.509748009, 2.261157556,
       1.647031165, 3.24266757, 2.442906556, 3.455727431, 3.435214972,
       5.975540745, 7.951558786}},
     {{12.5, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21}},
     {2.5, 1},
     {1.5, 2.5}},
    {"no more than chance",
     {{alike, 60, 1.2, 1}, {alike, 60, 1.1, 1}},
     {{1.01971134, 1.042196669, 1.021237113, 1, 1.029234168, 1.012091311,
       1.003519882, 1, 1.020662739, 1.037805596, 1.012091311, 1.003519882}},
     {{12.5, 32.5, 37.5, 47.5, 70, 70, 70, 70, 70, 70, 70, 70}},
     {1.2, 1.1},
     {1.5, 1.5}},
    {"a line that falls is level",
     {{falling, 4, 2.5, 3}, {falling, 4, 3.5, 2}},
     {{5.182153876, 5.376778698, 5.151357925, 4.475095605, 4.024254058,
       3.573412512, 3.347991738, 3.122570965, 2.671729418, 2.446308645,
       2.311056181, 2.265972026}},
     {{7.372296774, 8.872296774, 8.872296774, 8.872296774, 8.872296774,
       8.872296774, 8.872296774, 8.872296774, 8.872296774, 8.872296774,
       8.872296774, 8.872296774}},
     {2.5, 3.5},
     {1.5, 1.5}},
    {"a line begins at 1",
     {{low, 5, 0.9, 1}, {low, 5, 0.8, 1}},
     {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1.104860375, 1.576732061, 2.972726081}},
     {{7.036490813, 9.536490813, 9.536490813, 9.536490813, 9.536490813,
       9.536490813, 9.536490813, 9.536490813, 9.536490813, 9.536490813,
       9.536490813, 9.536490813}},
     {1, 1},
     {1.5, 1.5}},
    {"nothing in common",
     {{ragged, 5, 0.9, 1}, {ragged, 5, 0.8, 1}},
     {{1, 36.45454545, 1, 8.272727273, 1, 109.1818182, 1, 54.63636364, 1,
       272.8181818, 1, 1.909090909}},
     {{3, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5}},
     {1, 1},
     {1.5, 1.5}},
    {"one run before several",
     {{wide[0], 20, 0.25, 1}, {wide[1], 2, 0.5, 3}},
     {{2.687636379, 2.928904128, 3.149337829, 3.078862439, 3.385534706,
       3.380947562, 4.143869125, 4.076110279, 5.280030386, 6.047836996,
       8.174025789, 15.6564289},
      {2.687636379, 2.928904128, 3.149337829, 3.078862439, 3.385534706,
       3.380947562, 4.026151969, 4.076110279, 5.280030386, 6.047836996,
       8.174025789, 15.6564289}},
     {{22, 22, 22, 22, 22, 22, 30.23752734, 22, 22, 22, 22, 22},
      {22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22}},
     {1, 1},
     {2.5, 2.5}},
    {"one run after several",
     {{wide[0], 3, 4.5, 4}, {wide[1], 30, 1.5, 1}},
     {{2.018569858, 2.214873518, 2.428364364, 2.286228208, 2.722800289,
       2.686354063, 3.429063443, 3.307450168, 4.127651536, 4.705395235,
       7.38006341, 12.00816405},
      {2.018569858, 2.214873518, 2.441218103, 2.286228208, 2.722800289,
       2.686354063, 3.429063443, 3.307450168, 4.127651536, 4.705395235,
       7.38006341, 12.00816405}},
     {{23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23},
      {23, 23, 50, 23, 23, 23, 23, 23, 23, 23, 23, 23}},
     {4.5, 4.5},
     {1.5, 2.5}},
    {"nothing was seen",
     {{wide[0], 0, 1, 1}, {wide[1], 0, 1, 1}},
     {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
     {{10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10}},
     {1, 1},
     {1.5, 2.5}},
};

static void make_side(struct diff_side *to, const struct side *from, int i,
                      double *dispersion, double *df)
{
    memcpy(dispersion, from->seen, sizeof(by_unit));
    *to = (struct diff_side){
        .weights = {.worth = (double *)worth[i]},
        .dispersion = dispersion,
        .df = df,
        .common = from->common,
        .common_df = from->freedom,
        .runs = from->runs,
    };
}

static void expect(const char *name, const double *got, const double *wanted,
                   size_t n)
{
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(fabs(got[i] / wanted[i] - 1) < 2e-9, "%s %zu: %.10g",
                      name, i, got[i]);
}

TEST(dispersions_are_as_defined)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        by_unit dispersion[2], df[2] = {{0}, {0}};
        struct diff_side sides[2];

        for (int k = 0; k < 2; k++)
            make_side(&sides[k], &cases[i].sides[k], k, dispersion[k], df[k]);
        diff_dispersion_settle(sides, UNITS);
        for (int k = 0; k < 2; k++) {
            int given = cases[i].df[1][0] > 0 ? k : 0;

            expect(cases[i].name, dispersion[k], cases[i].dispersion[given],
                   UNITS);
            expect(cases[i].name, df[k], cases[i].df[given], UNITS);
            expect(cases[i].name, &dispersion[k][UNITS], &cases[i].whole[k],
                   1);
            expect(cases[i].name, &sides[k].common, &cases[i].common[k], 1);
        }
    }
}

/* Ten units with twenty samples say how variances differ; fewer do not. */
TEST(few_units_have_nothing_in_common)
{
    static const struct {
        size_t units;
        double df;
    } numbers[] = {{11, 2}, {12, 12.5}};

    for (size_t i = 0; i < 2; i++) {
        by_unit dispersion[2], df[2] = {{0}, {0}};
        struct diff_side sides[2];

        for (int k = 0; k < 2; k++)
            make_side(&sides[k], &cases[0].sides[k], k, dispersion[k], df[k]);
        /* Two of them are rare: 5 and 19 samples. */
        sides[0].weights.worth = (by_unit){3, 9, 25, 40, 60, 90, 130,
                                           180, 260, 400, 700, 1500};
        sides[1].weights.worth = (by_unit){2, 10, 30, 35, 70, 80, 140,
                                           150, 300, 390, 650, 1600};
        diff_dispersion_settle(sides, numbers[i].units);
        ck_assert(fabs(df[0][0] - numbers[i].df - 2.5 * (i == 0)) < 1e-9);
    }
}

/* Only the side of several runs shows what differs from start to start. */
TEST(what_one_run_takes_over)
{
    by_unit dispersion[2] = {{0}, {0}}, df[2] = {{0}, {0}};
    struct diff_side sides[2];

    for (int k = 0; k < 2; k++)
        make_side(&sides[k], &cases[0].sides[k], k, dispersion[k], df[k]);
    sides[1].runs = 2;
    df[1][UNITS] = 7;
    diff_dispersion_settle(sides, UNITS);
    ck_assert(dispersion[0][UNITS] == 2.5 && df[0][UNITS] == 7);
    ck_assert(dispersion[1][UNITS] == 2.5 && df[1][UNITS] == 7);
}
