/*
 * text_line - formats that are lines of words and numbers.
 *
 *     const char *at = text;
 *     while (at < end) {
 *         struct text_line l = line_next(&at, end);
 *         uint64_t n;
 *         if (line_take(&l, "pid:") && line_number(&l, &n))
 *             ...
 *     }
 *
 * A line is what is left of it: its words are taken from its beginning. It
 * points into the text, which need not end with a zero.
 */
#ifndef TOPFN_TEXT_LINE_H
#define TOPFN_TEXT_LINE_H

#include <stdbool.h>
#include <stdint.h>

struct text_line {
    const char *at, *end;
};

/* The line that begins at *at, which becomes the next one's beginning; without
 * the blanks at its end. */
struct text_line line_next(const char **at, const char *end);

void line_skip_blanks(struct text_line *l);

/* The next word; empty at the end of the line. */
struct text_line line_word(struct text_line *l);

/* True, and the line goes on behind `with`, if it begins with that. */
bool line_take(struct text_line *l, const char *with);

/* Reads a decimal number, or a hexadecimal one behind 0x, where the line begins
 * with it: blanks are not skipped. Returns false if it begins with no number,
 * or with one of more than 64 bits. */
bool line_number(struct text_line *l, uint64_t *n);

/* The same, hexadecimal, without 0x. */
bool line_hex(struct text_line *l, uint64_t *n);

#endif
