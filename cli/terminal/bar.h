/*
 * bar - a progress bar on stderr.
 *
 *     struct bar bar;
 *     struct progress progress = bar_start(&bar);
 *     ...
 *     bar_end(&bar);
 *
 * Shown only to a person who watches a terminal, and only when the work has
 * taken half a second. It has no colour.
 */
#ifndef TOPFN_BAR_H
#define TOPFN_BAR_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/progress.h"

struct bar {
    int64_t start, shown; /* monotonic milliseconds; shown 0: not yet */
};

/* `bar` must live until bar_end. */
struct progress bar_start(struct bar *bar);

/* Wipes it away. */
void bar_end(struct bar *bar);

#endif
