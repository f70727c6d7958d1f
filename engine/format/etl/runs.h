/*
 * runs - the frames of facts as parts of stacks.
 *
 *     struct etl_runs runs = etl_runs_new(&seen->callchains);
 *     struct etl_part part = etl_runs_part(&runs, fact, lasting);
 *
 * Facts come with the number of their run (run_numbers.h): what has been met
 * before is found by that.
 */
#ifndef TOPFN_ETL_RUNS_H
#define TOPFN_ETL_RUNS_H

#include "engine/format/etl/etl.h"
#include "engine/format/etl/keys.h"

struct etl_runs {
    struct callchains *chains;
    VEC(uint32_t) ids;     /* in `chains`, by number of a run; 0: none yet */
    uint64_t last_address; /* and the run of that address alone */
    uint32_t last_leaf;
};

struct etl_runs etl_runs_new(struct callchains *chains);
void etl_runs_release(struct etl_runs *runs);

/* All frames of a fact. `lasting`: as etl_correlate. */
struct etl_part etl_runs_part(struct etl_runs *runs,
                              const struct etl_fact *fact, bool lasting);

/* Of its frames those from `start` to before `end`. */
struct etl_part etl_runs_frames(struct etl_runs *runs,
                                const struct etl_fact *fact, uint32_t start,
                                uint32_t end, bool lasting);

/* The sampled address stands in for a part that is not there: for all of the
 * stack, or for the kernel part of a sample taken in kernel mode. None, where
 * it would not. */
struct etl_part etl_runs_stand_in(struct etl_runs *runs, struct etl_part user,
                                  uint64_t address, uint64_t kernel_from);

#endif
