/*
 * correlated - facts of a log made by hand, and the samples they become.
 *
 *     struct correlated c;
 *
 *     correlated_begin(&c);
 *     etl_correlate(c.correlator, &fact, 1, true);
 *     etl_correlator_finish(c.correlator);
 *     ck_assert_uint_eq(sample_count(&c.o), 1);
 *     correlated_end(&c);
 *
 * The clock has 10 MHz; pointers have 8 bytes.
 */
#ifndef TOPFN_TESTS_CORRELATED_H
#define TOPFN_TESTS_CORRELATED_H

#include "engine/format/etl/etl.h"
#include "tests/support/observed.h"

struct correlated {
    struct observed o;
    struct etl_file file;
    struct etl_recording recording;
    struct etl_correlator *correlator;
    struct map numbers; /* of runs, as ahead.c gives them */
};

static inline void correlated_begin(struct correlated *c)
{
    observed_begin(&c->o);
    c->file = (struct etl_file){.frequency = 10000000};
    c->recording = (struct etl_recording){
        .files = &c->file, .file_count = 1, .seen = c->o.seen};
    c->correlator = etl_correlator_new(&c->recording);
    c->numbers = (struct map){0};
}

static inline void correlated_end(struct correlated *c)
{
    map_release(&c->numbers);
    observed_end(&c->o);
}

/* Gives a fact these frames, as bytes that last as long as the test; they are
 * returned for who changes them. */
static inline uint8_t *correlated_frames(struct correlated *c,
                                         struct etl_fact *fact,
                                         struct addresses run)
{
    uint8_t *bytes = arena_new(&c->o.names, uint8_t, 8 * (size_t)run.count);
    struct callchain chain = {bytes, run.count, 8, NULL};
    struct callchain_print print;

    for (uint32_t i = 0; i < 8 * run.count; i++)
        bytes[i] = (uint8_t)(run.list[i / 8] >> 8 * (i % 8));
    fact->bytes = bytes;
    fact->count = run.count;
    fact->wide = true;
    print = callchain_fingerprint(&chain);
    fact->run = map_add(&c->numbers, print.hash, print.check,
                        (uint32_t)c->numbers.used);
    return bytes;
}

/* A part of the stack of the event at `stamp`. */
static inline void correlated_part(struct correlated *c, struct etl_fact owner,
                                   uint64_t stamp, bool user,
                                   struct addresses run)
{
    owner.kind = ETL_PART;
    owner.value = stamp;
    owner.user = user;
    correlated_frames(c, &owner, run);
    etl_correlate(c->correlator, &owner, 1, true);
}

/* The same by key. */
static inline void correlated_keyed(struct correlated *c, struct etl_fact owner,
                                    uint64_t stamp, bool user, uint64_t key)
{
    owner.kind = ETL_KEYED_PART;
    owner.value = stamp;
    owner.user = user;
    owner.key = key;
    etl_correlate(c->correlator, &owner, 1, true);
}

static inline void correlated_define(struct correlated *c, uint64_t time,
                                     uint64_t key, bool user,
                                     struct addresses run)
{
    struct etl_fact fact = {
        .kind = ETL_DEFINITION,
        .time = time,
        .value = key,
        .user = user,
    };

    correlated_frames(c, &fact, run);
    etl_correlate(c->correlator, &fact, 1, true);
}

#endif
