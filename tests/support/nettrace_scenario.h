/*
 * nettrace_scenario - one small .NET recording with known answers, in any
 * version of the format.
 *
 * Threads 11 and 12 take turns; every fourth sample of 12 is external. In 16
 * consecutive samples, thread 11 has 6 in Hot and 2 in Cold, both called by
 * Main; thread 12 has 8 in Main. Time is 1 ms apart. Hot and Cold are in App,
 * Main is in Start. Versions that number events lose 3.
 */
#ifndef TOPFN_TESTS_NETTRACE_SCENARIO_H
#define TOPFN_TESTS_NETTRACE_SCENARIO_H

#include "tests/support/nettrace_writer.h"

enum { SCENARIO_LOST = 3 };

/* `rounds` times 16 samples, with the end marker. */
struct nettrace_writer *nettrace_scenario(unsigned version, bool compressed,
                                          unsigned rounds);

/* Version 4: 3 of 5 samples are in Thread.Sleep, called by Main. */
struct nettrace_writer *nettrace_waiting(void);

/* Version 4: three collections, of which the second runs in the background of
 * the third; the sampler stops threads, too; a method is compiled. Then three
 * allocations, and four contentions, of which the last does not end. */
struct nettrace_writer *nettrace_runtime(void);

/* How many events that has. */
uint64_t nettrace_scenario_events(unsigned rounds);

#endif
