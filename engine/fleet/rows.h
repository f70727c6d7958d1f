/*
 * rows - values of rows as ClickHouse's RowBinary has them.
 *
 *     row_u64(rows, id);
 *     row_text(rows, name);
 *
 * Numbers are little-endian; a text and an array begin with their length as
 * LEB128. Read by a `struct reader`: reader_u64, row_get_text, row_get_count.
 */
#ifndef TOPFN_FLEET_ROWS_H
#define TOPFN_FLEET_ROWS_H

#include "engine/base/out.h"
#include "engine/base/reader.h"

void row_u8(struct out *rows, uint8_t value);
void row_u16(struct out *rows, uint16_t value);
void row_u32(struct out *rows, uint32_t value);
void row_u64(struct out *rows, uint64_t value);
void row_bytes(struct out *rows, const void *bytes, size_t n);
void row_text(struct out *rows, const char *text);

/* What stands before the elements of an array. */
void row_count(struct out *rows, uint64_t n);

struct bytes row_get_bytes(struct reader *r);

/* Of elements of at least `least` bytes each; 0 after a failure. */
size_t row_get_count(struct reader *r, size_t least);

#endif
