#include "engine/diff/stats.h"

#include <math.h>

#include "tests/support/suite.h"

/* Values of DLMF 5.4 and 5.15: minus Euler's constant, less 2 ln 2, and
 * squares of pi. */
static const double euler = 0.57721566490153286;

static void assert_near(double a, double b, double within)
{
    ck_assert_msg(fabs(a - b) <= within * fmax(fabs(b), 1),
                  "%.12g is not %.12g", a, b);
}

TEST(digamma_is_as_in_tables)
{
    assert_near(digamma(1), -euler, 1e-10);
    assert_near(digamma(0.5), -euler - 2 * M_LN2, 1e-10);
    assert_near(digamma(10), 2.25175258906672, 1e-10);
    assert_near(digamma(1e6), log(1e6) - 0.5e-6, 1e-10);
}

TEST(trigamma_is_as_in_tables)
{
    assert_near(trigamma(1), M_PI * M_PI / 6, 1e-10);
    assert_near(trigamma(0.5), M_PI * M_PI / 2, 1e-10);
    assert_near(trigamma(0.25), 17.1973291545071, 1e-10);
    assert_near(trigamma(100), 0.0100501666633336, 1e-12);
}

/* They are each other's derivatives and sums. */
TEST(recurrences_hold)
{
    for (int i = 0; i < 24; i++) {
        double x = 0.05 * pow(1.3, i);
        double h = 1e-4 * x;
        double slope = (digamma(x + h) - digamma(x - h)) / (2 * h);

        assert_near(digamma(x + 1), digamma(x) + 1 / x, 1e-9);
        assert_near(trigamma(x + 1), trigamma(x) - 1 / (x * x), 1e-9);
        ck_assert(fabs(slope / trigamma(x) - 1) < 1e-5);
    }
}

TEST(the_inverse_leads_back)
{
    for (int i = -20; i < 36; i++) {
        double x = pow(1.7, i);

        ck_assert(fabs(trigamma_inverse(trigamma(x)) / x - 1) < 1e-5);
    }
    assert_near(trigamma_inverse(M_PI * M_PI / 6), 1, 1e-8);
}
