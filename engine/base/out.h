/*
 * out - the one output layer: buffered text to a stream or to memory.
 *
 *     struct out *out = out_stream(stdout);
 *     out_grouped(out, 1140);             // "1,140"
 *     if (!out_close(out, &err)) ...
 *
 * Locale-free and deterministic. A failed write is remembered and reported
 * once, by out_close; what is written after it is dropped.
 */
#ifndef TOPFN_OUT_H
#define TOPFN_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/base/arena.h"
#include "engine/base/err.h"

struct out;

/* Writes to `stream`, which stays the caller's to close. */
struct out *out_stream(FILE *stream);

/* Calls `full`, which does not return, before more than `most` bytes are
 * written. */
void out_limit(struct out *out, uint64_t most, void (*full)(void));

/* Collects in memory; see out_text. */
struct out *out_memory(void);

/* The text of a memory output so far, terminated; valid until the next
 * write. */
const char *out_text(struct out *out, size_t *n);

/* Writes the buffer to the stream. A memory output keeps its text. */
void out_flush(struct out *out);

/* Flushes and frees. False when any write failed; the reason is in err. */
bool out_close(struct out *out, struct err *err);

/* Frees a memory output; its text stays in the arena. */
const char *out_close_to(struct out *out, struct arena *arena);

/* The code of the character that `text` begins with if it is shown as an
 * escape, else 0; its bytes in *n. */
uint32_t out_escaped(const char *text, size_t *n);

void out_bytes(struct out *out, const char *text, size_t n);
void out_str(struct out *out, const char *text);
void out_char(struct out *out, char c);
void out_repeat(struct out *out, char c, size_t n);
void out_u64(struct out *out, uint64_t value);

enum { DECIMAL_SIZE = 21 }; /* 20 digits, and the terminator */

/* The number as text, which lies in `digits`. */
const char *decimal_text(char digits[DECIMAL_SIZE], uint64_t value);

void out_i64(struct out *out, int64_t value);
void out_fmt(struct out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The ways in which text stands out on a terminal. An output shows none of it
 * unless out_colours says so; it takes no columns and never lasts over a line.
 */
enum out_style {
    STYLE_PLAIN,
    STYLE_HOT,    /* a large share */
    STYLE_WARM,   /* a share worth a look */
    STYLE_DIM,    /* there for completeness */
    STYLE_STRONG, /* a heading */
    STYLE_KERNEL, /* kinds of code */
    STYLE_MANAGED,
    STYLES /* how many */
};

void out_colours(struct out *out, bool on);
void out_style(struct out *out, enum out_style style);

/* 1234567 as 1,234,567. */
void out_grouped(struct out *out, uint64_t value);

/* "1,234 files", "1 file"; `what` is the singular. */
void out_count(struct out *out, uint64_t n, const char *what);

/* 1234500 with three decimals (19 at most) as 1234.5; `grouped`: 1,234.5. */
void out_decimal(struct out *out, uint64_t value, unsigned decimals,
                 bool grouped);

/* 100 * part / whole, rounded half up to `decimals` (0 to 4) places with
 * integers only, so every machine prints the same; 0 for whole 0. */
void out_percent(struct out *out, uint64_t part, uint64_t whole,
                 unsigned decimals);

/* The same in every locale; never "-0.00". `sign`: a plus, too. */
void out_real(struct out *out, double real, unsigned decimals, bool sign);

/* As few digits as are read as the same number again, a float's if `single`;
 * "NaN", "Infinity". The same in every locale. */
void out_shortest(struct out *out, double real, bool single);

/* A CSV field (RFC 4180), quoted where needed, escaped as by out_plain. One
 * that a spreadsheet would take for a formula (=, +, -, @) gets an apostrophe
 * in front, as spreadsheets do with what is to be text. */
void out_csv(struct out *out, const char *text);

/* A Markdown table cell: |, \, ` and the like escaped, and what out_plain
 * escapes. */
void out_markdown(struct out *out, const char *text);

/* Text for a person: control characters are shown as \xNN, and those that are
 * not seen but turn, join or end what is around them as \uNNNN, so that a name
 * from a file neither drives a terminal nor looks like another one. */
void out_plain(struct out *out, const char *text);
void out_plain_bytes(struct out *out, const char *text, size_t n);

/* Does what out_plain does, cuts the text in the middle to `width` columns with
 * an ellipsis, and pads it to `width` if `pad`. */
void out_cell(struct out *out, const char *text, size_t width, bool pad);

/* Columns that text takes on a terminal, shown as out_plain does: two for a
 * character of East Asian scripts, none for a mark that combines. */
size_t out_columns(const char *text);

/* The same for `n` bytes. */
size_t text_width(const char *text, size_t n);

#endif
