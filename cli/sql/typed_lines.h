/*
 * typed_lines - lines that a person types, one after the other.
 *
 *     struct typed_lines *lines = typed_lines_open();
 *     while ((line = typed_lines_next(lines, "topfn> ")))
 *         use(line);                        // until the next call
 *     typed_lines_close(lines);
 *
 * At a terminal a line can be edited and those before it called back, as in a
 * shell; they are kept in memory and nowhere else. NULL is the end of input,
 * or a signal that interrupted it (errno is EINTR then).
 */
#ifndef TOPFN_TYPED_LINES_H
#define TOPFN_TYPED_LINES_H

struct typed_lines *typed_lines_open(void);
void typed_lines_close(struct typed_lines *t);

/* The end of line is the line's. */
char *typed_lines_next(struct typed_lines *t, const char *prompt);

#endif
