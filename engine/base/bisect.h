/*
 * bisect - where a key belongs in a sorted list.
 *
 *     size_t i;
 *
 *     BISECT(i, n, list[i].start <= address);
 *     return i ? &list[i - 1] : NULL; // the last at or below
 *
 * The test holds for the first elements and for none behind them; `at` becomes
 * how many they are.
 */
#ifndef TOPFN_BISECT_H
#define TOPFN_BISECT_H

#define BISECT(at, n, test)                                                    \
    do {                                                                       \
        __typeof__(at) low_ = 0, high_ = (n);                                  \
                                                                               \
        while (low_ < high_) {                                                 \
            (at) = low_ + (high_ - low_) / 2;                                  \
            if (test)                                                          \
                low_ = (at) + 1;                                               \
            else                                                               \
                high_ = (at);                                                  \
        }                                                                      \
        (at) = low_;                                                           \
    } while (0)

#endif
