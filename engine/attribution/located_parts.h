/*
 * located_parts - parts of stacks as rows of locations.
 *
 * A part is located once, and again when what lay at its addresses changed:
 * memory is reused. Its row then holds for the times between which all of its
 * locations do. Rows are located in the order they are asked for, so that
 * locations are numbered in that order; what is at their addresses when they
 * are met first is looked up before, by several threads.
 *
 *     struct located_parts located;
 *     located_parts_init(&located, &parts, &locator, most, pool);
 *     uint32_t row = located_parts_row(&located, part, time);
 *     located_parts_settle(&located, pool); // after the last row
 *     const struct location_row *r = &located.rows.list.data[row];
 *     located_parts_release(&located);
 *
 * Nearly all parts last: what lies at their places when these are met first
 * does so until the last sample. Then every place is located by the first part
 * that has it, the only one that has to look, and nothing is kept of it but its
 * location; the rows of numbers of places become rows of locations in the end,
 * by several threads.
 */
#ifndef TOPFN_LOCATED_PARTS_H
#define TOPFN_LOCATED_PARTS_H

#include "engine/attribution/locate.h"
#include "engine/attribution/stack_parts.h"

struct located_parts {
    struct stack_parts *parts; /* whose rows become rows of locations */
    struct locator *locator;
    struct found *found;     /* by place, one process's behind another's */
    uint32_t *locations;     /* the same */
    struct located_places *places; /* by process: which of them are its own */
    bool one_row;            /* every part has one, which lasts */
    uint8_t *lasting;        /* by part: see below */
    struct held_row *held;   /* by part; NULL where each has one row */
    /* The first row of each part, by its id, and what came in their place; the
     * locations of the latter. */
    struct stack_rows rows;
    size_t changed, most; /* frames of these, and the most */
    uint64_t kept;        /* rows kept although they changed */
};

/*
 * A method that is compiled anew at the root of a stack makes all of it anew,
 * and a few bytes of a file can say so. What lies inside of the frame that
 * changed cannot be shared: stacks share their callers, as every report goes by
 * `parent` from the innermost frame out. So it is bounded: after `most` frames
 * that changed a part keeps the row it has.
 */
void located_parts_init(struct located_parts *located,
                        struct stack_parts *parts, struct locator *locator,
                        size_t most, struct threads *pool);
void located_parts_release(struct located_parts *located);

/* What is known of a part without looking at its row: it lasts, and its row
 * has its own number; or it has no frames. */
enum { PART_LASTS = 1, PART_EMPTY = 2 };

/* See located_parts_row. */
uint32_t located_parts_ask(struct located_parts *located, uint32_t part,
                           int64_t time);

/* This part is asked for soon, for the first time. */
void located_parts_soon(const struct located_parts *located, uint32_t part);

/* The row of a part at a time, or NO_ID for one of no frames. The part was
 * added at that time; times come in the order of the additions, and parts are
 * asked for in the order in which they were added first. */
static inline uint32_t located_parts_row(struct located_parts *l, uint32_t part,
                                         int64_t time)
{
    return l->lasting[part] == PART_LASTS ? part
                                          : located_parts_ask(l, part, time);
}

/* No more rows are asked for: all become rows of locations, and what only the
 * asking needed is freed. */
void located_parts_settle(struct located_parts *located, struct threads *pool);

/* A row of no part. */
uint32_t located_parts_extra(struct located_parts *located, uint32_t location);

#endif
