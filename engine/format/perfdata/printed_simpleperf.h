/*
 * printed_simpleperf - what `simpleperf report-sample` prints.
 *
 *     if (printed_simpleperf(text))
 *         text = printed_simpleperf_script(&seen->kept, text);
 *
 * A sample is a block of lines "key: value", its frames are blocks of an
 * address, a file and a symbol, innermost first:
 *
 *     sample:
 *       event_type: cpu-cycles
 *       time: 1516268753595265
 *       event_count: 1
 *       thread_id: 31850
 *       thread_name: app
 *       vaddr_in_file: 64ac
 *       file: /data/local/tmp/app
 *       symbol: main
 *       callchain:
 *         vaddr_in_file: ...
 *
 * It becomes what perf script would have printed (printed.h), so that there is
 * one reader. Processes are not in it. (format.md, section 10)
 */
#ifndef TOPFN_PRINTED_SIMPLEPERF_H
#define TOPFN_PRINTED_SIMPLEPERF_H

#include <stdbool.h>

#include "engine/base/arena.h"
#include "engine/base/reader.h"

bool printed_simpleperf(struct bytes text);

/* The text of perf script, which lives in the arena. */
struct bytes printed_simpleperf_script(struct arena *arena, struct bytes text);

#endif
