/*
 * etl_records - one record of an ETL log at a time, and what is read of it.
 *
 *     struct kept_records k;
 *
 *     kept_records_begin(&k);
 *     raw_kernel(&k.b, 8, 0x0548, 2, 1000);
 *     blob_u32(&k.b, 40);
 *     kept_records_take(&k);
 *     etl_records_finish(k.records);
 *     ck_assert_uint_eq(k.o.p->quality.malformed, 1);
 *     kept_records_end(&k);
 *
 * A tick of the log is a nanosecond. The raw_... calls begin a record, its
 * payload is put behind, and raw_end, which kept_records_take calls, says how
 * long it became.
 */
#ifndef TOPFN_TESTS_ETL_RECORDS_H
#define TOPFN_TESTS_ETL_RECORDS_H

#include "engine/format/etl/etl.h"
#include "tests/support/blob.h"
#include "tests/support/observed.h"

/* A kernel event in the shortest header. */
static inline void raw_kernel(struct blob *b, unsigned width, unsigned hook,
                              unsigned version, uint64_t time)
{
    blob_pack(b, "HBBHHQ", (uint16_t)version, width == 8 ? 17 : 16, 0xC0, 0,
              (uint16_t)hook, time);
}

/* A classic event; its size is in front. */
static inline void raw_classic(struct blob *b, unsigned width,
                               const uint8_t guid[16], unsigned opcode,
                               unsigned version, uint32_t pid, uint64_t time)
{
    blob_pack(b, "HBBBBHIIQ", 0, width == 8 ? 20 : 10, 0xC0, (uint8_t)opcode,
              0, (uint16_t)version, 7, pid, time);
    blob_bytes(b, guid, 16);
    blob_zero(b, 8);
}

/* An event of a provider; flag 1: extended items follow. */
static inline void raw_event(struct blob *b, unsigned width,
                             const uint8_t guid[16], unsigned id,
                             unsigned version, uint32_t pid, uint64_t time)
{
    blob_pack(b, "HBBIIIQ", 0, width == 8 ? 19 : 18, 0xC0, 0, 7, pid, time);
    blob_bytes(b, guid, 16);
    blob_pack(b, "HB", (uint16_t)id, (uint8_t)version);
    blob_zero(b, 80 - 43);
}

/* The record at `start` ends here. */
static inline void raw_end(struct blob *b, size_t start)
{
    bool size_in_front = b->data[start + 2] >= 10 && b->data[start + 2] != 16 &&
                         b->data[start + 2] != 17;

    blob_set(b, start + (size_in_front ? 0 : 4), b->len - start, 2);
}

struct kept_records {
    struct observed o;
    struct etl_file file;
    struct etl_recording recording;
    struct etl_records *records;
    struct blob b; /* the record being written */
};

static inline void kept_records_begin(struct kept_records *k)
{
    observed_begin(&k->o);
    k->file = (struct etl_file){.frequency = 1000000000};
    k->recording = (struct etl_recording){
        .files = &k->file, .file_count = 1, .seen = k->o.seen};
    k->records = etl_records_new(&k->recording);
    k->b = (struct blob){0};
}

/* Ends the record, keeps it and empties `b` for the next one. */
static inline void kept_records_take(struct kept_records *k)
{
    struct etl_fact fact = {.kind = ETL_RECORD};

    raw_end(&k->b, 0);
    fact.bytes = k->b.data;
    fact.count = (uint32_t)k->b.len;
    etl_records_add(k->records, &fact, false);
    k->b.len = 0;
}

static inline const char *kept_string(const struct kept_records *k, uint32_t id)
{
    return strings_get(k->o.p->strings, id);
}

static inline void kept_records_end(struct kept_records *k)
{
    etl_records_free(k->records);
    observed_end(&k->o);
    free(k->b.data);
}

#endif
