/*
 * The inside of struct etl_writer, shared by etl_writer.c (buffers and file)
 * and etl_record.c (record headers and payload bytes) only.
 */
#ifndef TESTS_SUPPORT_ETL_WRITER_IMPL_H
#define TESTS_SUPPORT_ETL_WRITER_IMPL_H

#include "tests/support/etl_writer.h"

enum {
    BUFFER_HEADER = 72,
    MAX_RECORD = 65536
};

struct buffer {
    uint8_t *data;      /* opt.buffer_size bytes */
    size_t used;        /* with the 72 bytes of header; 0: not started */
    uint64_t sequence;
    uint64_t last_tick; /* of this CPU, over all its buffers */
};

/* Bytes of a data buffer that is to be written at the end of the file. */
struct late {
    uint8_t *data;
    size_t size;
};

struct etl_writer {
    struct etl_options opt;
    FILE *file;
    bool failed;
    bool finished;

    struct buffer *cpus; /* opt.cpus of them */
    struct buffer head;  /* buffer 0 */
    bool in_head;        /* records go to buffer 0 */
    struct late *late;   /* opt.late_buffers of them */
    unsigned late_count;
    uint8_t *packed;     /* room for a compressed buffer */

    uint64_t sequence;
    uint64_t buffers;
    uint64_t record_bytes;
    uint64_t end_tick;

    uint8_t record[MAX_RECORD];
    size_t record_size;
    size_t size_at;        /* where the record keeps its size */
    unsigned record_width; /* of a pointer in the record */
    struct etl_at at;
};

/* Stores little-endian bytes at p. */
void etl_store(uint8_t *p, uint64_t v, unsigned bytes);

/* Appends one record to its CPU's buffer. */
void etl_append(struct etl_writer *w, unsigned cpu, const void *data,
                size_t n);

#endif
