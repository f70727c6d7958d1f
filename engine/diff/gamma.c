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

/* trigamma(x) is above 1 / x, and below what 1 / (x - 1/2) is: the inverse lies
 * between 1 / y and half more. */
double trigamma_inverse(double y)
{
    double low = 1 / y, high = low + 0.5;

    assert(y > 0);
    while (high - low > 1e-11 * high) {
        double middle = (low + high) / 2;

        if (trigamma(middle) > y)
            low = middle;
        else
            high = middle;
    }
    return high;
}
