/*
 * store_pack - stacks and samples as few large values of a database.
 *
 *     struct pack pack;
 *     pack_open(&pack, db, &packed_stacks);
 *     pack_stack(&pack, id, stack); ...
 *     if (pack_close(&pack)) ...             // an SQLite result code
 *
 * SQLite hands out a row value by value; millions of them are read ten times
 * as fast from blobs. The tables `stacks`, `samples` and `sample_groups` are
 * there for SQL, and what the program reads back are these, each with the
 * columns id, from 1 on, and bytes:
 *
 *     packed_stacks   by stack from 1 on: its id less its parent's (0 for
 *                     none), its location
 *     packed_samples  by sample: its time less that of the one before (of
 *                     the first: its time, modulo 2^64), thread, stack,
 *                     cpu, flags, weight
 *     packed_groups   by group: thread, stack, flags, samples
 *
 * A weight and a number of samples are doubled; odd ones are followed by a
 * period. All of them are LEB128 numbers. A blob holds whole entries.
 */
#ifndef TOPFN_STORE_PACK_H
#define TOPFN_STORE_PACK_H

#include <sqlite3.h>

#include "engine/base/vec.h"
#include "engine/model/profile.h"
#include "engine/store/fill.h"
#include "engine/store/get.h"
#include "engine/store/rows.h"

struct pack {
    struct rows rows;
    VEC(uint8_t) bytes; /* of the next blob */
    int64_t time;       /* of the sample before */
};

void pack_open(struct pack *pack, const struct store_fill *fill,
               const char *table);
void pack_stack(struct pack *pack, uint32_t id, const struct stack *stack);
void pack_sample(struct pack *pack, const struct sample *sample);
void pack_group(struct pack *pack, const struct sample *group);
int pack_close(struct pack *pack);

/* Into the profile of the load, every number checked: stacks before samples.
 * Nothing else of the profile is read or changed, so that other tables can be
 * read meanwhile. Of groups, time and cpu are 0. */
bool unpack_stacks(struct store_load *load);
bool unpack_samples(struct store_load *load);
bool unpack_groups(struct store_load *load);

#endif
