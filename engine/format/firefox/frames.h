/*
 * frames - what the frames of a Firefox profile are called, and where they are.
 *
 *     struct firefox_frames f = {.p = p, .code = &code};
 *     firefox_frames_of(&f, process);
 *     firefox_frames_in(&f, thread);
 *     struct firefox_frame frame = firefox_frame(&f, row);
 *     firefox_frames_release(&f);
 *
 * Processed profiles have tables of frames, of functions and of where these
 * are from. In Gecko profiles a frame has one text, its location: a name, and
 * behind it of scripts the file and where the function begins.
 */
#ifndef TOPFN_FIREFOX_FRAMES_H
#define TOPFN_FIREFOX_FRAMES_H

#include "engine/attribution/named_code.h"
#include "engine/base/json_read.h"

/* ---- tables ----
 *
 * Processed profiles have a list for each column:
 *
 *     {"length": 2, "prefix": [null, 0], "frame": [3, 4]}
 *
 * Gecko profiles have rows, whose columns a schema numbers; rows may end
 * early:
 *
 *     {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 3], [0, 4]]}
 *
 * From version 71 on columns that may have no value hold 0 there instead, and a
 * column `flags` says which of them count. A missing member is no
 * value (json_read.h). */

struct table_read {
    struct json_value table, data; /* data: of rows; none: columns */
    size_t len;
};

/* `by` is a column of every such table, which tells how long it is. */
struct table_read table_of(struct json_value table, const char *by);

/* A column of it, looked up once. */
struct column_read {
    struct json_value values; /* of columns */
    struct json_value rows;   /* of rows, and where the value is in each */
    size_t at;
};

struct column_read column_of(const struct table_read *table, const char *name);
bool table_has(const struct table_read *table, const char *column);

struct json_value column_at(const struct column_read *column, size_t row);
uint64_t column_number(const struct column_read *column, size_t row,
                       uint64_t none);

/* A value of a column that few rows are asked for. */
uint64_t table_number(const struct table_read *table, const char *column,
                      uint64_t row);

/* ---- frames ---- */

struct firefox_tables {
    struct json_value strings;
    struct table_read stacks, frames, functions, resources, sources;
};

/* A text of a table, gone through once: all rows may name a long one. */
struct firefox_text {
    struct named_frame frame;    /* that is called so */
    struct named_frame location; /* that is there */
    uint32_t text;
    bool is_number; /* "0x1a2b", which stands for a name nobody looked for */
    bool known, is_location;
};

/* Where a library was in memory, of Gecko profiles. */
struct firefox_range {
    uint64_t start, end, offset;
    size_t library;
};

struct firefox_frames {
    struct profile *p;
    struct named_code *code;
    struct json_value process, libs, categories;
    struct firefox_tables tables; /* of the thread */
    struct json_value shared_strings; /* whose texts these are: */
    struct firefox_text *texts;
    uint32_t *libraries; /* modules, by lib; NO_ID: not yet */
    VEC(struct firefox_range) ranges; /* by start */
};

struct firefox_frame {
    struct named_frame at;
    uint32_t module; /* NO_ID unknown */
    uint64_t address;
    bool unnamed, inlined;
};

/* Names a column of the thread's tables without which no stack can be read:
 * "stackTable has no column \"frame\""; NULL: all are there. */
const char *firefox_missing_column(const struct firefox_frames *frames);

/* In Gecko profiles every process is a profile of its own. */
void firefox_frames_of(struct firefox_frames *frames,
                       struct json_value process);
void firefox_frames_in(struct firefox_frames *frames, struct json_value thread);
void firefox_frames_release(struct firefox_frames *frames);

struct firefox_frame firefox_frame(struct firefox_frames *frames, uint64_t row);

#endif
