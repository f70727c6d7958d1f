/*
 * list_rows - what a listing shows, before it is written in any format.
 *
 *     struct list l = {.subject = subject};
 *     list_collect(&l);
 *     use(l.rows.data + section.first);
 *     list_release(&l);
 *
 * Part of the report list (list.c).
 */
#ifndef TOPFN_REPORT_LIST_H
#define TOPFN_REPORT_LIST_H

#include "engine/analysis/source_lines.h"
#include "engine/base/textfile.h"
#include "report/report.h"

struct list_row {
    const struct rank_row *function;
    const char *file;
    const char *text; /* NULL: not known */
    uint32_t line;    /* 0: unknown, or lines are left out here */
    bool is_counted;  /* else context */
    struct line_count count;
    const struct profile *p; /* whose weights they are */
    uint64_t total;          /* what percentages are of */
};

/* One file of one function: a part of the rows. */
struct list_section {
    const char *file; /* "": lines are not known */
    const struct textfile *source; /* NULL: not found */
    size_t function;               /* of the subject's */
    size_t first, end; /* rows */
    bool is_beyond;    /* lines beyond the end of the source have samples */
};

struct list {
    const struct subject *subject;
    VEC(struct list_row) rows;
    VEC(struct list_section) sections;
    size_t *section_of; /* by function: its first, and one more */
    size_t functions;
};

/* Fills in the rest of what has a subject. */
void list_collect(struct list *list);
void list_release(struct list *list);

#endif
