/*
 * ticks - times of events, which a counter of the traced machine gives.
 *
 *     int64_t ns = etl_ticks_ns(later - earlier, file->frequency);
 *
 * Nearly all recorders' counters have ten million ticks a second, as the units
 * of FILETIME are.
 */
#ifndef TOPFN_ETL_TICKS_H
#define TOPFN_ETL_TICKS_H

#include <stdint.h>

enum { FILETIME_PER_SECOND = 10000000, NS_PER_SECOND = 1000000000 };

/* Nanoseconds, rounded down; the most that fit where they do not. */
static inline int64_t etl_ticks_ns(uint64_t ticks, uint64_t frequency)
{
    enum { NS_PER_FILETIME = NS_PER_SECOND / FILETIME_PER_SECOND };
    uint64_t seconds;

    if (frequency == FILETIME_PER_SECOND)
        return ticks > INT64_MAX / NS_PER_FILETIME
                   ? INT64_MAX
                   : (int64_t)(ticks * NS_PER_FILETIME);
    seconds = ticks / frequency;
    if (seconds > INT64_MAX / NS_PER_SECOND - 1)
        return INT64_MAX;
    return (int64_t)(seconds * NS_PER_SECOND +
                     (uint64_t)((unsigned __int128)(ticks % frequency) *
                                NS_PER_SECOND / frequency));
}

#endif
