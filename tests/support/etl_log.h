/*
 * etl_log - a log of Windows made in memory, and read back.
 *
 *     struct etl_log log;
 *
 *     etl_log_begin(&log, &(struct etl_options){.cpus = 1});
 *     etl_sampled_profile(log.w, etl_log_at(&log, 0, 5), 0x401000, 4, 0);
 *     struct event_trace *trace = etl_log_end(&log);
 *     ...
 *     etl_log_close(&log, trace);
 */
#ifndef TOPFN_TESTS_ETL_LOG_H
#define TOPFN_TESTS_ETL_LOG_H

#include "engine/events/events.h"
#include "tests/support/etl_writer.h"

struct etl_log {
    struct etl_writer *w;
    FILE *file;
    char *bytes;
    size_t size;
};

void etl_log_begin(struct etl_log *log, const struct etl_options *options);

/* So many ms after its start, on that CPU, by thread 104 of process 100. */
struct etl_at etl_log_at(const struct etl_log *log, unsigned cpu, int64_t ms);

/* The events of all that was written; the bytes stay the log's. */
struct event_trace *etl_log_end(struct etl_log *log);
void etl_log_close(struct etl_log *log, struct event_trace *trace);

#endif
