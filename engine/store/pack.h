/*
 * store_pack - tables of a database as few large values.
 *
 *     result = pack_table(&fill, profile, &store_tables[TABLE_FRAMES]);
 *
 *     struct pack pack;
 *     pack_open(&pack, &fill, "packed_groups");
 *     pack_group(&pack, &group); ...
 *     if (pack_close(&pack)) ...             // an SQLite result code
 *
 * SQLite hands out a row value by value; millions of them are read ten times
 * as fast from blobs. The rows of what is packed are there for SQL, and what
 * the program reads back are these, each with the columns id, from 1 on, and
 * bytes, which are the table's rows without their ids, value by value:
 *
 *     a text           1 for the empty one, 2 for the first other one of the
 *                      table, and so on; or 0, when it is met first: its
 *                      length and bytes follow
 *     a time, signed   2 n, or -2 n - 1 of negative ones, plus 2, modulo 2^64:
 *                      NULL is 0 or 1
 *     a reference that may be NULL
 *                      0, or its id plus 1
 *     a stack's parent its id less its parent's (0 for none)
 *     a frame's location
 *                      1 in its first frame, 0 in the others: they stand in
 *                      the order of locations
 *     all others       the number
 *
 * and, as no table of the schema's:
 *
 *     packed_samples   by sample: its time less that of the one before (of
 *                      the first: its time, modulo 2^64), thread, stack,
 *                      cpu, flags, weight
 *     packed_groups    by group: thread, stack, flags, samples
 *
 * A weight and a number of samples are doubled; odd ones are followed by a
 * period. All of them are LEB128 numbers. A blob holds whole rows.
 */
#ifndef TOPFN_STORE_PACK_H
#define TOPFN_STORE_PACK_H

#include <sqlite3.h>

#include "engine/base/vec.h"
#include "engine/model/profile.h"
#include "engine/store/fill.h"
#include "engine/store/get.h"
#include "engine/store/rows.h"
#include "engine/store/schema.h"

struct pack {
    struct rows rows;
    VEC(uint8_t) bytes; /* of the next blob */
    int64_t time;       /* of the sample before */
    uint32_t *texts;    /* by string: its number; 0: not yet met */
    uint32_t text_count;
};

void pack_open(struct pack *pack, const struct store_fill *fill,
               const char *table);
void pack_sample(struct pack *pack, const struct sample *sample);
void pack_group(struct pack *pack, const struct sample *group);
int pack_close(struct pack *pack);

/* All rows of a table that has a packed copy. */
int pack_table(const struct store_fill *fill, const struct profile *p,
               const struct store_table *table);

/* Into the profile of the load, every number checked: stacks before samples.
 * Stacks, samples and groups read and change nothing else of the profile, so
 * that other tables can be read meanwhile. Of groups, time and cpu are 0. */
bool unpack_table(struct store_load *load, const struct store_table *table);
bool unpack_samples(struct store_load *load);
bool unpack_groups(struct store_load *load);

#endif
