/*
 * fleet_rows - rows that were sent to a fleet, as text to be compared.
 *
 *     struct fleet_rows rows = {.known = {0}};
 *     char *text = fleet_rows_text(&rows, FLEET_STACKS, bytes, n);
 *     ck_assert_str_eq(text, "@3 @1 40 [@2]\n");
 *     free(text);
 *     fleet_rows_release(&rows);
 *
 * A line each: columns as fleet_tables has them, texts in quotes and other
 * bytes in hex (x00ff), arrays in brackets. Hashes and numbers that are drawn
 * are @1, @2, ... in the order in which they are met, and 0 where they are
 * none.
 */
#ifndef TOPFN_TESTS_FLEET_ROWS_H
#define TOPFN_TESTS_FLEET_ROWS_H

#include "engine/base/map.h"
#include "engine/fleet/tables.h"

struct fleet_rows {
    struct map known;
    uint32_t count;
};

/* To be freed; ends in "?" where the bytes are no such rows. */
char *fleet_rows_text(struct fleet_rows *rows, enum fleet_table_id table,
                      const void *bytes, size_t n);
/* The other way round: rows of such text, where @1 is the number 1. */
struct out *fleet_rows_of(enum fleet_table_id table, const char *text);
void fleet_rows_release(struct fleet_rows *rows);

#endif
