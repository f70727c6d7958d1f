/*
 * batch - samples that lie one behind the other, as one thread reads them.
 *
 *     pd_batch_add(batch, record, lasting);  // while there is room
 *     pd_batch_read(batch, r, &tables);      // by any thread, with its own
 *     pd_batch_join(batch, r);               // in turn
 *
 * Threads, runs of addresses and user stacks have numbers of the batch's own,
 * in the order in which they came, so that joined batches number them as if
 * one thread had read all of them. Then the batch is empty again.
 */
#ifndef TOPFN_PERFDATA_BATCH_H
#define TOPFN_PERFDATA_BATCH_H

#include "engine/format/perfdata/perfdata.h"

enum { PD_BATCH = 1 << 19 }; /* bytes: full */

/* What a thread reads a batch with. */
struct pd_tables {
    MEM_APART struct map thread_ids, chain_ids, run_ids;
    VEC(uint8_t) frames, branches; /* addresses of a sample; */
    VEC(uint8_t) exact;            /* all true */
};

struct pd_batch_sample {
    uint64_t time, period;
    uint32_t thread, stack;
    uint16_t cpu;
    uint16_t flags;
};

/* Two runs, as observed_sample has them; `leaf` may be PD_WALKS or
 * PD_DEFERRED, too. Of a chain it is made once for all samples that have
 * it. */
struct pd_batch_stack {
    uint32_t outer, inner;
    uint8_t leaf;
    bool guest; /* there were addresses of a guest, too */
    uint16_t end; /* flags of an enum stack_end */
};

struct pd_batch_thread {
    uint32_t tid, pid;
    uint32_t key; /* when joined: observe_thread_key */
};

struct pd_batch_run {
    struct callchain chain;
    struct callchain_print print;
    bool lasting; /* `chain.frames` outlive the reading */
    uint32_t id;  /* when joined: that of callchains */
};

struct pd_batch {
    VEC(struct bytes) spans; /* samples without a gap */
    size_t size;             /* of all of them */
    bool lasting;
    /* What was read. */
    VEC(struct pd_batch_sample) samples;
    VEC(struct pd_batch_thread) threads;
    uint32_t last_thread;          /* of a sample */
    VEC(struct pd_batch_stack) stacks;
    VEC(struct pd_batch_run) runs; /* the first is none */
    VEC(struct pd_user_stack) user_stacks;
    VEC(uint64_t) cookies;
    VEC(struct pd_counter) counters;
    VEC(uint64_t) counts; /* of samples, by event */
    uint64_t first_time, last_time;
    uint64_t least_period, most_period;
    uint64_t malformed, idle_not_kept;
    bool kernel;           /* some of it ran */
    uint64_t kernel_least; /* address of it that was sampled */
    uint32_t refused;      /* 1 + an event whose samples cannot be read */
    struct arena copies; /* addresses that are not so in the file */
};

/* `lasting` is the same for all records of a batch. */
void pd_batch_add(struct pd_batch *batch, struct bytes record, bool lasting);
void pd_batch_read(struct pd_batch *batch, const struct pd_reading *r,
                   struct pd_tables *tables);
void pd_batch_join(struct pd_batch *batch, struct pd_reading *r);
void pd_batch_release(struct pd_batch *batch);
void pd_tables_release(struct pd_tables *tables);

#endif
