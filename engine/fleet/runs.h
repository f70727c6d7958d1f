/*
 * runs - the recordings of a fleet, listed, and the values of their labels.
 *
 *     struct fleet_runs runs = {0};
 *     if (!fleet_runs(fleet, &question, &runs, &err))
 *         puts(runs.all.data[0].host);
 *     fleet_runs_release(&runs);
 */
#ifndef TOPFN_FLEET_RUNS_H
#define TOPFN_FLEET_RUNS_H

#include "engine/base/arena.h"
#include "engine/fleet/where.h"

struct fleet_run {
    const char *hash, *file, *host, *os, *format, *metric;
    const char *labels; /* "service=orders version=2.1" */
    const char *time;   /* "2026-11-22 09:30:00", UTC */
    uint64_t duration_ns;
    uint64_t samples;  /* without idle ones; of these: */
    uint64_t complete; /* with complete stacks */
    uint64_t unnamed;  /* in code without a name */
    uint64_t lost_events, lost_buffers, skipped_bytes;
};

struct fleet_runs {
    VEC(struct fleet_run) all; /* in order of time */
    struct arena arena;        /* of their strings */
};

enum err_code fleet_runs(struct fleet *f, const struct fleet_question *q,
                         struct fleet_runs *runs, struct err *err);
void fleet_runs_release(struct fleet_runs *runs);

/* The values of a key (where.h) in these recordings, without the empty text,
 * in the order of the numbers in them. */
struct fleet_values {
    VEC(const char *) all;
    struct arena arena;
};

enum err_code fleet_values(struct fleet *f, const struct fleet_question *q,
                           const char *key, struct fleet_values *values,
                           struct err *err);
void fleet_values_release(struct fleet_values *values);

#endif
