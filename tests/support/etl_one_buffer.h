/*
 * etl_one_buffer - a buffer of an ETL log made by hand, and its facts.
 *
 *     struct one_buffer l;
 *
 *     one_buffer_begin(&l);
 *     size_t start = l.b.len;
 *     raw_kernel(&l.b, 8, 0x0F2E, 2, 1000);
 *     ...
 *     one_buffer_end_record(&l, start);
 *     one_buffer_decode(&l, NULL);
 *     ck_assert_uint_eq(l.out.facts.data[0].tid, 7);
 *     one_buffer_end(&l);
 */
#ifndef TOPFN_TESTS_ETL_ONE_BUFFER_H
#define TOPFN_TESTS_ETL_ONE_BUFFER_H

#include "engine/format/etl/choice.h"
#include "tests/support/etl_records.h"

struct one_buffer {
    struct blob b;
    bool without_idle;
    struct etl_choice choice;
    struct etl_decoded out;
    struct etl_counts counts;
};

enum { ONE_BUFFER_CPU = 3 };

static inline void one_buffer_begin(struct one_buffer *l)
{
    *l = (struct one_buffer){.without_idle = false};
    blob_zero(&l->b, BUFFER_HEADER);
    etl_counts_init(&l->counts);
}

/* Records begin at multiples of 8. */
static inline void one_buffer_end_record(struct one_buffer *l, size_t start)
{
    raw_end(&l->b, start);
    blob_align(&l->b, 8);
}

/* As the samples of `event`; NULL: CPU samples. */
static inline void one_buffer_decode(struct one_buffer *l, const char *event)
{
    struct etl_file file = {.data = l->b.data,
                            .size = l->b.len,
                            .pointer_size = 8,
                            .frequency = 1000000};
    static struct etl_buffer buffer;

    buffer = (struct etl_buffer){.size = (uint32_t)l->b.len,
                                 .filled = (uint32_t)l->b.len,
                                 .cpu = ONE_BUFFER_CPU};
    etl_choice_release(&l->choice);
    etl_choice_make(&l->choice, event);
    etl_decode(&l->out, &file, &buffer, &l->choice, l->without_idle,
               &l->counts);
}

static inline void one_buffer_end(struct one_buffer *l)
{
    etl_choice_release(&l->choice);
    etl_counts_release(&l->counts);
    vec_release(&l->out.facts);
    vec_release(&l->out.runs);
    free(l->b.data);
}

#endif
