#include "tests/support/etl_log.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/base/mem.h"
#include "tests/support/events_of_bytes.h"

void etl_log_begin(struct etl_log *log, const struct etl_options *options)
{
    *log = (struct etl_log){.file = tmpfile()};
    assert(log->file);
    log->w = etl_writer_new(options, log->file);
}

struct etl_at etl_log_at(const struct etl_log *log, unsigned cpu, int64_t ms)
{
    return (struct etl_at){
        .cpu = cpu,
        .tick = etl_tick(log->w, ms * 1000000),
        .pid = 100,
        .tid = 104,
    };
}

struct event_trace *etl_log_end(struct etl_log *log)
{
    struct event_trace *trace;
    struct err err = {0};
    bool written = etl_writer_finish(log->w);
    long size;

    assert(written);
    etl_writer_free(log->w);
    fseek(log->file, 0, SEEK_END);
    size = ftell(log->file);
    assert(size > 0);
    log->size = (size_t)size;
    log->bytes = mem_new(log->size, 1);
    rewind(log->file);
    written = fread(log->bytes, 1, log->size, log->file) == log->size;
    assert(written);
    (void)written;
    fclose(log->file);
    trace = events_of_bytes("log.etl", log->bytes, log->size, &err);
    assert(trace);
    return trace;
}

void etl_log_close(struct etl_log *log, struct event_trace *trace)
{
    event_trace_close(trace);
    free(log->bytes);
}
