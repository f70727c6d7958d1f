/*
 * run_numbers - equal runs of addresses get one number, from any thread.
 *
 * The table of runs fits no cache, and looking one up is most of the work
 * with it. So the threads that decode do that; who takes the facts in order of
 * time finds by number what is known of their runs. Which number a run gets
 * depends on which thread came first: they are there to find things by, and
 * order nothing.
 *
 *     struct run_numbers *numbers = run_numbers_new(threads);
 *     run_numbers_give(numbers, facts, runs, count);  // sets facts' `run`
 *     run_numbers_free(numbers);
 */
#ifndef TOPFN_ETL_RUN_NUMBERS_H
#define TOPFN_ETL_RUN_NUMBERS_H

#include "engine/format/etl/etl.h"

/* `threads`: how many will ask. */
struct run_numbers *run_numbers_new(unsigned threads);
void run_numbers_free(struct run_numbers *numbers);

/* Of all runs of a buffer, to its facts. Any thread may ask. */
void run_numbers_give(struct run_numbers *numbers, struct etl_fact *facts,
                      const struct etl_run *runs, size_t count);

#endif
