/*
 * perfdata_writer - small recordings of perf, as a file or a pipe, of either
 * byte order, plain or packed.
 *
 *     struct perfdata_writer w;
 *     perfdata_begin(&w, PERFDATA_PIPE | PERFDATA_BIG);
 *     perfdata_event(&w, 1, 0, 1000000, "cpu-clock");
 *     perfdata_mmap(&w, 0, 10, 0x400000, 0x1000, 0, "/bin/a");
 *     perfdata_sample(&w, &(struct perfdata_sample){...});
 *     perfdata_end(&w);
 *     ... w.file ...
 *     perfdata_free(&w);
 *
 * Every event samples the same fields, those of PERFDATA_FIELDS and of
 * `more_fields`, and every record tells its time, unless `how` says else.
 */
#ifndef TOPFN_TESTS_PERFDATA_WRITER_H
#define TOPFN_TESTS_PERFDATA_WRITER_H

#include <stdbool.h>

#include "tests/support/blob.h"

enum {
    PERFDATA_BIG = 1, /* byte order */
    PERFDATA_PIPE = 2,
    PERFDATA_PACKED = 4,
    PERFDATA_KILLED = 8,   /* the header was not finished */
    PERFDATA_UNTIMED = 16, /* samples and records tell no time */
    PERFDATA_OLD = 32,     /* only samples, FORK and EXIT do */
};

/* IP, TID, TIME, CALLCHAIN, ID, CPU, PERIOD */
#define PERFDATA_FIELDS 0x1E7u

struct perfdata_event {
    uint32_t type;
    uint64_t config, period;
    const char *name;
};

struct perfdata_feature {
    unsigned number;
    const struct blob *body;
};

struct perfdata_writer {
    unsigned how;
    uint64_t flags;        /* of events, beside those that all have */
    unsigned attributes;   /* bytes that describe an event; 0: 136 */
    struct perfdata_feature features[4]; /* of a file; the body NULL: none */
    uint64_t more_fields;  /* of sample_type */
    uint64_t read_format, branch_type, user_registers;
    uint16_t max_stack; /* addresses of a chain, 0: as the kernel likes */
    const uint8_t *build_id; /* 20 bytes, of what is mapped next; or NULL */
    size_t packed_chunk; /* bytes of records in a payload, of 65,000 at most
                            when packed; 0: 512 */
    struct blob records, packed, file;
    struct perfdata_event events[8];
    unsigned event_count;
};

/* `chain`: addresses and, before them, their contexts. `more` has further
 * fields in the file's byte order, which the writer copies. */
struct perfdata_sample {
    unsigned event;
    uint64_t time, ip, period;
    uint32_t pid, tid, cpu;
    uint16_t mode; /* 1 kernel, 2 user */
    const uint64_t *chain;
    size_t chain_count;
    const struct blob *read, *more; /* behind the period; behind the chain */
};

#define PERFDATA_KERNEL ((uint64_t)-128)
#define PERFDATA_USER   ((uint64_t)-512)

void perfdata_begin(struct perfdata_writer *w, unsigned how);
/* Before any record; events are numbered from 0. */
void perfdata_event(struct perfdata_writer *w, uint32_t type, uint64_t config,
                    uint64_t period, const char *name);
void perfdata_comm(struct perfdata_writer *w, uint64_t time, uint32_t pid,
                   uint32_t tid, const char *name, bool exec);
/* A thread if pid and parent are the same. */
void perfdata_fork(struct perfdata_writer *w, uint64_t time, uint32_t pid,
                   uint32_t tid, uint32_t parent_pid, uint32_t parent_tid);
void perfdata_exit(struct perfdata_writer *w, uint64_t time, uint32_t pid,
                   uint32_t tid);
void perfdata_mmap(struct perfdata_writer *w, uint64_t time, uint32_t pid,
                   uint64_t base, uint64_t size, uint64_t offset,
                   const char *path);
/* One that cannot be run. */
void perfdata_data(struct perfdata_writer *w, uint64_t time, uint32_t pid,
                   uint64_t base, uint64_t size, uint64_t offset,
                   const char *path);
void perfdata_kernel(struct perfdata_writer *w, uint64_t base, uint64_t size);
void perfdata_driver(struct perfdata_writer *w, uint64_t base, uint64_t size,
                     const char *path);
void perfdata_kernel_symbol(struct perfdata_writer *w, uint64_t time,
                            uint64_t base, uint32_t size, const char *name,
                            bool gone);
void perfdata_lost(struct perfdata_writer *w, uint64_t time, uint64_t count);
/* What a sample has in the place of its user part, under a cookie. */
#define PERFDATA_DEFERRED ((uint64_t)-640)
void perfdata_deferred(struct perfdata_writer *w, uint64_t time, uint32_t tid,
                       uint64_t cookie, const uint64_t *chain, size_t count);
void perfdata_sample(struct perfdata_writer *w,
                     const struct perfdata_sample *sample);

/* A number in the file's byte order. */
void perfdata_put(const struct perfdata_writer *w, struct blob *b,
                  uint64_t value, unsigned width);

void perfdata_end(struct perfdata_writer *w);
void perfdata_free(struct perfdata_writer *w);

/* The recording that test data is made of: a shop with two threads, a child,
 * a library, the kernel, a BPF program and code of a JIT compiler. */
void perfdata_shop(struct perfdata_writer *w, unsigned how);

/* One with context switches: main (40) runs, waits for a lock that worker (41)
 * holds, waits for a disk and ends; reader (42) waits all the time. */
void perfdata_waits(struct perfdata_writer *w, unsigned how);

#endif
