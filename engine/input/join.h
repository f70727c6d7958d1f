/*
 * join - a recording and the logs that belong to it, read as one.
 *
 * The recording (.vsp) and its logs (.etl) have clocks of their own. Times of
 * the later one are moved by the difference of the two starts, as far as both
 * files say when they began. Facts that both have are taken once: processes and
 * threads from the logs, images of a process from the recording, because its
 * saved names refer to them.
 */
#ifndef TOPFN_JOIN_H
#define TOPFN_JOIN_H

#include "engine/attribution/trace_format.h"

/* entries[0] is of `format`, the `logs` behind it of format->companion_format.
 * Logs that cannot be read are left out with a warning. */
enum err_code join_read(const struct trace_format *format,
                        const struct entry *entries, size_t logs,
                        const struct read_options *options,
                        struct observations *seen, struct err *err);

#endif
