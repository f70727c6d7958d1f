/*
 * changes - how often what thread keys stand for has changed by a time.
 *
 *     struct etl_changes changes;
 *     etl_changes_begin(&changes, records, seen);
 *     etl_changes_until(&changes, time); // times that do not go back
 *     uint32_t n = etl_changes_of(&changes, thread_key);
 *     etl_changes_release(&changes);
 *
 * A change is a record of the start or end of the thread or its process, or of
 * the end of an image or a method there. Beginnings of code do not count: there
 * are many, and what ran before lay elsewhere.
 */
#ifndef TOPFN_ETL_CHANGES_H
#define TOPFN_ETL_CHANGES_H

#include "engine/format/etl/etl.h"

struct etl_changes {
    const struct etl_records *records;
    size_t next;                   /* record */
    struct map threads, processes; /* id -> index in `counts` */
    VEC(uint32_t) counts;          /* the first of kernel space */
    struct etl_changing *of_key;   /* by thread key */
};

/* Two counts that add up, with that of kernel space. */
struct etl_changing {
    uint32_t thread, process;
};

void etl_changes_begin(struct etl_changes *changes,
                       const struct etl_records *records,
                       const struct observations *seen);
void etl_changes_release(struct etl_changes *changes);

/* Counts what came by this time. */
void etl_changes_until(struct etl_changes *changes, int64_t time);

static inline uint32_t etl_changes_of(const struct etl_changes *c,
                                      uint32_t thread_key)
{
    struct etl_changing of = c->of_key[thread_key];

    return c->counts.data[0] + c->counts.data[of.thread] +
           c->counts.data[of.process];
}

#endif
