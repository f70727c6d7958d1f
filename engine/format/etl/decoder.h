/*
 * decoder - what the files that make facts of one buffer share.
 */
#ifndef TOPFN_ETL_DECODER_H
#define TOPFN_ETL_DECODER_H

#include "engine/format/etl/choice.h"
#include "engine/format/etl/etl.h"
#include "engine/format/etl/event.h"

enum { SAMPLE_BITS = ETL_BIT_DPC | ETL_BIT_ISR };

struct decoder {
    struct etl_decoded *out;
    struct etl_counts *counts;
    const struct etl_choice *choice; /* NULL: CPU samples */
    uint64_t kernel_from;            /* of the traced machine */
    uint64_t frequency;
    uint64_t latest; /* time of the last fact */
    uint16_t cpu;
    bool without_idle; /* samples of the idle thread are only counted */
    bool unsorted;
};

/* Whose stack it is: of the event at `stamp` of a thread. */
struct stack_owner {
    uint64_t stamp;
    uint32_t pid, tid;
    uint8_t width; /* of frames */
};

static inline struct etl_fact *decoder_add(struct decoder *d, uint8_t kind,
                                           uint64_t time)
{
    struct etl_fact *fact;

    d->unsorted |= time < d->latest;
    d->latest = time;
    fact = vec_add(&d->out->facts);
    *fact = (struct etl_fact){.time = time, .kind = kind, .cpu = d->cpu};
    return fact;
}

/* A sample of this thread, with these ETL_BIT_...; NULL: it is one of the idle
 * thread with nothing to do, and not kept. */
static inline struct etl_fact *decoder_add_sample(struct decoder *d,
                                                  uint64_t time, uint32_t tid,
                                                  uint8_t bits)
{
    struct etl_fact *fact;

    if (d->without_idle && !tid && !(bits & SAMPLE_BITS)) {
        d->counts->idle_not_kept++;
        return NULL;
    }
    fact = decoder_add(d, ETL_SAMPLE, time);
    fact->tid = tid;
    fact->bits = bits & 31u;
    return fact;
}

/* How many pointers are in so many bytes. */
static inline uint32_t pointers_in(uint32_t size, unsigned width)
{
    return width == 8 ? size / 8 : size / 4;
}

/* `fact`: the one that was added last. */
void decoder_set_frames(struct decoder *d, struct etl_fact *fact,
                        const uint8_t *frames, uint32_t count, uint8_t width);

/* At least one frame: the kernel part, the user part, or the one followed by
 * the other. */
void decoder_add_stack(struct decoder *d, uint64_t time,
                       const struct stack_owner *owner, const uint8_t *frames,
                       uint32_t count);

/* The source of a counter's sample; UINT32_MAX: cut off. */
static inline uint32_t etl_counter_source(const struct etl_event *e)
{
    if (etl_payload_size(e) < e->width + 6u)
        return UINT32_MAX;
    return load_u16(etl_payload(e) + e->width + 4);
}

/* Where events are chosen (chosen.c): what one of them means. That of a
 * provider is not yet moved behind its extended items. */
void decode_chosen_kernel(struct decoder *d, const struct etl_event *e);
void decode_chosen_event(struct decoder *d, const struct etl_event *e);
void decode_chosen_classic(struct decoder *d, const struct etl_event *e);

#endif
