/*
 * tool_records - records of the recorder in a pipe, for the tests here.
 *
 *     begin(big);
 *     begin_feature(3);
 *     put_string("host");
 *     end_record(FEATURE, 0);
 *     sample_at(10, 0x401000);
 *     p = end();
 */
#ifndef TOPFN_TESTS_PERFDATA_TOOL_RECORDS_H
#define TOPFN_TESTS_PERFDATA_TOOL_RECORDS_H

#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

enum {
    MMAP2 = 10,
    THROTTLE = 5,
    LOST_SAMPLES = 13,
    BUILD_ID = 67,
    AUXTRACE = 71,
    EVENT_UPDATE = 78,
    FEATURE = 80,
};

static struct perfdata_writer w;
static struct blob body;

static inline void begin(int big)
{
    perfdata_begin(&w, big ? PERFDATA_PIPE | PERFDATA_BIG : PERFDATA_PIPE);
    body = (struct blob){0};
}

static inline void put(uint64_t value, unsigned width)
{
    perfdata_put(&w, &body, value, width);
}

static inline void put_string(const char *text)
{
    put(strlen(text) + 3, 4);
    blob_bytes(&body, text, strlen(text));
    blob_zero(&body, 3);
}

/* A record of what was put, and no more. */
static inline void end_record(uint32_t type, uint16_t misc)
{
    perfdata_put(&w, &w.records, type, 4);
    perfdata_put(&w, &w.records, misc, 2);
    perfdata_put(&w, &w.records, 8 + body.len, 2);
    blob_bytes(&w.records, body.data, body.len);
    body.len = 0;
}

static inline void begin_feature(uint64_t number)
{
    put(number, 8);
}

static inline void sample_at(uint64_t time, uint64_t address)
{
    perfdata_sample(&w, &(struct perfdata_sample){.time = time,
                                                  .ip = address,
                                                  .period = 1,
                                                  .pid = 40,
                                                  .tid = 40,
                                                  .mode = 2});
}

static inline struct profile *end(void)
{
    if (!w.event_count)
        perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    free(body.data);
    return read_written(&w);
}

static inline const char *fact(const struct profile *p, const char *name)
{
    for (size_t i = 0; i < p->trace.facts.len; i++)
        if (!strcmp(strings_get(p->strings, p->trace.facts.data[i].name), name))
            return strings_get(p->strings, p->trace.facts.data[i].value);
    return "";
}

#endif
