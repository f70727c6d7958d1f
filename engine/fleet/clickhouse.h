/*
 * clickhouse - texts of SQL and rows of bytes as ClickHouse reads them.
 *
 *     out_str(sql, "SELECT id FROM ");
 *     sql_name(sql, table);
 *     out_str(sql, " WHERE name = ");
 *     sql_text(sql, name);
 *     row_u64(rows, id);
 *     row_text(rows, name);
 *
 * Anything from a recording, an address or a command line comes into a
 * statement only through sql_text, sql_glob and sql_name. Rows are sent beside
 * a statement, as RowBinary: numbers are little-endian; a text and an array
 * begin with their length as LEB128. A `struct reader` reads them: reader_u64,
 * row_get_bytes, row_get_count.
 */
#ifndef TOPFN_FLEET_CLICKHOUSE_H
#define TOPFN_FLEET_CLICKHOUSE_H

#include "engine/base/out.h"
#include "engine/base/reader.h"

/* A literal that is this text, whatever is in it. */
void sql_text(struct out *sql, const char *text);

/* A literal for LIKE that matches what the glob (* and ?) does. */
void sql_glob(struct out *sql, const char *glob);

/* The name of a database, table or cluster. */
void sql_name(struct out *sql, const char *name);

void row_u8(struct out *rows, uint8_t value);
void row_u16(struct out *rows, uint16_t value);
void row_u32(struct out *rows, uint32_t value);
void row_u64(struct out *rows, uint64_t value);
void row_bytes(struct out *rows, const void *bytes, size_t n);
void row_text(struct out *rows, const char *text);

/* Stands before the elements of an array. */
void row_count(struct out *rows, uint64_t n);

struct bytes row_get_bytes(struct reader *r);

/* The length of an array whose elements take at least `least` bytes each; 0
 * after a failure. */
size_t row_get_count(struct reader *r, size_t least);

#endif
