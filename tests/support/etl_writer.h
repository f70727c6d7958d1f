/*
 * etl_writer: makes ETL (Event Tracing for Windows log) files for tests.
 * This header is the container: buffers, record headers, raw bytes.  The
 * events a profile needs are one call each in etl_events.h.
 *
 *     struct etl_options opt = { .cpus = 2, .compressed = true };
 *     struct etl_writer *w = etl_writer_new(&opt, file);
 *     struct etl_at at = { .cpu = 1, .tick = etl_tick(w, 10500000) };
 *     etl_sampled_profile(w, at, 0x401000, 4100, 0);
 *     if (!etl_writer_finish(w)) ... the file could not be written
 *     etl_writer_free(w);
 *
 * Each CPU fills a buffer of its own; a full one goes to the file at once, so
 * memory stays at one buffer per CPU.  The same calls give the same bytes.
 *
 * Ownership: the FILE stays the caller's and must be seekable (the header is
 * written again at the end).  Times are ticks of the trace's clock.  Misuse
 * (time running backwards on a CPU, a record larger than a buffer) is an
 * assert.
 */
#ifndef TESTS_SUPPORT_ETL_WRITER_H
#define TESTS_SUPPORT_ETL_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum etl_writer_clock { ETL_CLOCK_QPC = 1, ETL_CLOCK_SYSTEM, ETL_CLOCK_CYCLES };

enum {
    ETL_MODE_SEQUENTIAL = 0x1,
    ETL_MODE_CIRCULAR = 0x2,
    ETL_MODE_RELOG = 0x10000,
    ETL_MODE_COMPRESSED = 0x4000000,
    ETL_MODE_INDEPENDENT = 0x8000000,
    ETL_MODE_ONE_STREAM = 0x10000000 /* NO_PER_PROCESSOR_BUFFERING */
};

/* A field left 0 takes the value in brackets. */
struct etl_options {
    unsigned pointer_size;   /* of the kernel, 4 or 8 (8) */
    unsigned cpus;           /* (1) */
    uint32_t buffer_size;    /* bytes, a multiple of 8 (65536) */
    enum etl_writer_clock clock; /* (ETL_CLOCK_QPC) */
    uint64_t perf_freq;      /* QPC ticks a second (10 000 000) */
    uint32_t mhz;            /* cycle clock (2000) */
    uint64_t t0;             /* first stamp (made up; FILETIME if SYSTEM) */
    uint64_t start_filetime; /* 100 ns since 1601 (2024-03-01 00:00 UTC) */
    uint32_t mode;           /* ETL_MODE_* beside COMPRESSED (by style) */
    bool compressed;         /* XPRESS plain LZ77 buffers */
    bool live;               /* as the kernel writes, not as a merge does */
    uint32_t events_lost;
    uint32_t buffers_lost;
    unsigned late_buffers;   /* first N data buffers go to the file's end, as
                                in a circular log that wrapped (0) */
};

/* Where, when and for whom an event is logged. */
struct etl_at {
    unsigned cpu;
    uint64_t tick;
    uint32_t pid;             /* the record header's, where it has them */
    uint32_t tid;
    unsigned pointer_size;    /* of the logging process; 0: the kernel's */
};

struct etl_guid {
    uint32_t a;
    uint16_t b, c;
    uint8_t d[8];
};

/* "864200C9-238C-E0B8-4C4C-44205044422E"; false when it is none. `guid` may
 * be NULL. */
bool etl_guid_parse(const char *text, struct etl_guid *guid);

/* The descriptor of a manifest or TraceLogging event. */
struct etl_descriptor {
    struct etl_guid provider;
    uint16_t id;
    uint8_t version, channel, level, opcode;
    uint16_t task;
    uint64_t keyword;
};

/* Extended items of a manifest event. */
enum etl_item {
    ETL_ITEM_RELATED_ACTIVITY = 1,
    ETL_ITEM_STACK32 = 5,
    ETL_ITEM_STACK64 = 6,
    ETL_ITEM_SCHEMA = 11,
    ETL_ITEM_TRAITS = 12
};

struct etl_writer;

/* The logfile header event is already written. */
struct etl_writer *etl_writer_new(const struct etl_options *opt, FILE *file);
void etl_writer_free(struct etl_writer *w);

/* Flushes all buffers and completes the header.  False if a write failed. */
bool etl_writer_finish(struct etl_writer *w);

/* The options with their defaults filled in. */
const struct etl_options *etl_writer_options(const struct etl_writer *w);

/* Nanoseconds after the trace's start as a stamp of its clock. */
uint64_t etl_tick(const struct etl_writer *w, int64_t ns);

/* Bytes of the records so far. */
uint64_t etl_writer_record_bytes(const struct etl_writer *w);

/* One record: begin, put the payload, end.  hook is group << 8 | type. */
void etl_begin_perfinfo(struct etl_writer *w, struct etl_at at,
                        unsigned hook, unsigned version);
void etl_begin_system(struct etl_writer *w, struct etl_at at,
                      unsigned hook, unsigned version);
void etl_begin_full(struct etl_writer *w, struct etl_at at,
                    const struct etl_guid *class_guid, unsigned opcode,
                    unsigned version);
void etl_begin_event(struct etl_writer *w, struct etl_at at,
                     const struct etl_descriptor *d);
/* A record whose header the caller puts himself, behind the first dword; its
 * size is stored at `size_at`. */
void etl_begin_raw(struct etl_writer *w, struct etl_at at, unsigned first,
                   unsigned type, unsigned marker, size_t size_at);
/* Extended items stand between begin_event and the payload; more says
 * whether another one follows. */
void etl_put_item(struct etl_writer *w, enum etl_item type,
                  const void *data, size_t size, bool more);
void etl_end(struct etl_writer *w);

void etl_put_u8(struct etl_writer *w, uint32_t v);
void etl_put_u16(struct etl_writer *w, uint32_t v);
void etl_put_u32(struct etl_writer *w, uint32_t v);
void etl_put_u64(struct etl_writer *w, uint64_t v);
void etl_put_ptr(struct etl_writer *w, uint64_t v); /* the record's width */
void etl_put_zeros(struct etl_writer *w, size_t n);
/* Several of these: B, H, I and Q have 1, 2, 4 and 8 bytes, P is a pointer,
 * 20x is as many zeros. */
#define etl_pack(w, format, ...)                                               \
    etl_pack_list(w, format, (const uint64_t[]){__VA_ARGS__})
void etl_pack_list(struct etl_writer *w, const char *format,
                   const uint64_t *values);
void etl_put_bytes(struct etl_writer *w, const void *data, size_t n);
void etl_put_guid(struct etl_writer *w, const struct etl_guid *g);
void etl_put_astr(struct etl_writer *w, const char *s);
void etl_put_wstr(struct etl_writer *w, const char *utf8);

#endif
