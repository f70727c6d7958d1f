/*
 * textfile - the lines of a text file, ready to be shown.
 *
 *     struct textfile *t = textfile_open("src/app.c", &err);
 *     if (t && line <= textfile_lines(t))
 *         puts(textfile_line(t, line));
 *     textfile_close(t);
 *
 * A line is valid UTF-8 without its end; tabs have become blanks, other
 * control characters stay for the output to escape.
 */
#ifndef TOPFN_TEXTFILE_H
#define TOPFN_TEXTFILE_H

#include <stddef.h>

#include "engine/base/err.h"

struct textfile;

/* NULL for what is no regular file, has bytes of 0, or is larger than
 * 16 MiB: no source. */
struct textfile *textfile_open(const char *path, struct err *err);
void textfile_close(struct textfile *t);

const char *textfile_path(const struct textfile *t);
size_t textfile_lines(const struct textfile *t);

/* The first is 1. Terminated; lives until textfile_close. */
const char *textfile_line(struct textfile *t, size_t line);

#endif
