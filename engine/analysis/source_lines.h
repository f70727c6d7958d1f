/*
 * source_lines - samples of functions by source line.
 *
 *     struct function_lines lines[2];
 *     source_lines_count(p, sel, functions, 2, lines);
 *     for (size_t i = 0; i < lines[0].files.len; i++)
 *         show(&lines[0].files.data[i]);
 *     source_lines_release(lines, 2);
 *
 * A line's exclusive count is of samples taken in the function at this line;
 * a sample counts once for the inclusive count of a line, however often the
 * function is on its stack there.
 */
#ifndef TOPFN_SOURCE_LINES_H
#define TOPFN_SOURCE_LINES_H

#include "engine/analysis/filter.h"

struct line_count {
    uint32_t file, line; /* 0 unknown */
    uint64_t exclusive, inclusive;
};

/* counts[first .. end), by line */
struct file_lines {
    uint32_t file; /* string; "" unknown */
    size_t first, end;
    uint64_t exclusive;
};

struct function_lines {
    VEC(struct line_count) counts;
    VEC(struct file_lines) files; /* most exclusive samples first */
};

/* Counts the lines of these functions (ids, none twice). */
void source_lines_count(const struct profile *p, const struct selection *sel,
                        const uint32_t *functions, size_t count,
                        struct function_lines *lines);
void source_lines_release(struct function_lines *lines, size_t count);

#endif
