#include "engine/diff/gamma.h"

#include <assert.h>
#include <math.h>

/* By recurrence up to where the asymptotic series are exact enough (DLMF
 * 5.11.2 and 5.15.8). */
enum { SERIES_FROM = 8 };

double digamma(double x)
{
    double sum = 0, square;

    assert(x > 0);
    while (x < SERIES_FROM)
        sum -= 1 / x++;
    square = 1 / (x * x);
    return sum + log(x) - 1 / (2 * x) -
           square * (1.0 / 12 - square * (1.0 / 120 -
                                          square * (1.0 / 252 - square / 240)));
}

double trigamma(double x)
{
    double sum = 0, square;

    assert(x > 0);
    while (x < SERIES_FROM) {
        sum += 1 / (x * x);
        x++;
    }
    square = 1 / (x * x);
    return sum + 1 / x + square / 2 +
           square / x *
               (1.0 / 6 -
                square * (1.0 / 30 - square * (1.0 / 42 - square / 30)));
}

/* The third, for Newton's steps. */
static double tetragamma(double x)
{
    double sum = 0, square;

    while (x < SERIES_FROM) {
        sum -= 2 / (x * x * x);
        x++;
    }
    square = 1 / (x * x);
    return sum - square - square / x -
           square * square *
               (1.0 / 2 -
                square * (1.0 / 6 - square * (1.0 / 6 - 3 * square / 10)));
}

/*
 * Newton's method for 1 / trigamma, which is convex and nearly linear: from
 * 0.5 + 1 / y on every step goes down and none goes too far (Smyth 2004). At
 * the ends trigamma(x) is next to 1 / x^2 and to 1 / x.
 */
double trigamma_inverse(double y)
{
    double x = 0.5 + 1 / y;

    assert(y > 0);
    if (y > 1e7)
        return 1 / sqrt(y);
    if (y < 1e-6)
        return 1 / y;
    for (int i = 0; i < 50; i++) {
        double t = trigamma(x);
        double step = t * (1 - t / y) / tetragamma(x);

        x += step;
        if (-step / x < 1e-10)
            break;
    }
    return x;
}
