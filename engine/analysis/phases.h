/*
 * phases - parts of a trace in which other functions ran.
 *
 *     struct phases phases = {.parts = {0}};
 *     phases_find(&phases, p, sel);
 *     for (size_t i = 0; i < phases.parts.len; i++)
 *         use(phases.parts.data[i].from, phases.parts.data[i].to);
 *     phases_release(&phases);
 *
 * The time is cut where the mix of functions that samples were taken in
 * differs most before and after, then each part again. A cut stays if the mix
 * differs by more than it does from one moment to the next anyway (a
 * likelihood ratio, by how much neighbouring moments vary), if a tenth of the
 * samples would have to be another function's, and if each part is at least
 * a 32nd of the time and has 30 samples. One part means that there is no such
 * place.
 */
#ifndef TOPFN_PHASES_H
#define TOPFN_PHASES_H

#include "engine/analysis/filter.h"

enum { PHASES_MOST = 12 };

struct phase {
    int64_t from, to; /* the first is open at its beginning: TIME_MIN, the
                         last at its end: TIME_MAX */
    uint64_t samples;
    uint32_t function; /* that most of them were taken in; NO_ID: none */
    uint64_t taken;    /* how many */
};

struct phases {
    VEC(struct phase) parts; /* in order of time */
};

void phases_find(struct phases *phases, const struct profile *p,
                 const struct selection *sel);
void phases_release(struct phases *phases);

#endif
