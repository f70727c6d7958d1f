/*
 * scenario_emit: one item of a script's time line as events.  Private to
 * scenario_write.c, which makes the items and puts them in order.
 */
#ifndef TESTS_SUPPORT_SCENARIO_EMIT_H
#define TESTS_SUPPORT_SCENARIO_EMIT_H

#include "tests/support/etl_events.h"
#include "tests/support/scenario_impl.h"

/* In this order where times are equal. */
enum kind {
    PROCESS, THREAD, IMAGE, METHOD, EVICT, IDLE, SHOT, KERNEL_PART, USER_PART
};

struct item {
    int64_t at;
    enum kind kind;
    int phase;      /* enum etl_phase or etl_method_event */
    size_t index;   /* of the process, shot ... */
    size_t order;
};

/* A slot of the stack cache; key 0: empty. */
struct slot {
    uint64_t key;
    uint64_t frames[MAX_FRAMES];
    size_t count;
};

struct callchain {
    struct scenario *s;
    struct etl_writer *w;
    VEC(struct item) items;
    struct slot *slots;
    unsigned next_slot;
    uint64_t lost_keys;
    int64_t stop;
};

struct etl_at emit_at(const struct callchain *r, unsigned cpu, int64_t ns);
void emit_item(struct callchain *r, const struct item *i);

/* Defines every key of the stack cache and empties it. */
void emit_keys(struct callchain *r, int64_t ns, enum etl_key_event event);

/* What is still there when the trace stops. */
void emit_rundown(struct callchain *r);

#endif
