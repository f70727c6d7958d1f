/*
 * allow - what SQL of a person or of a file may do: read.
 *
 *     sqlite3_set_authorizer(db, allow, &access);
 *
 * Allowed are SELECT, functions that neither load code nor touch files, and
 * PRAGMAs that only tell. While `own` is set the program itself is at work.
 */
#ifndef TOPFN_SQL_ALLOW_H
#define TOPFN_SQL_ALLOW_H

#include <stdbool.h>

struct access {
    bool own;
    const char *refused; /* what the last statement wanted; NULL: nothing */
    /* Told of every table that a statement reads. The schema is NULL where no
     * column is read, as for count(*), and none was named. */
    void (*reads)(void *context, const char *schema, const char *table);
    void *context;
};

/* For sqlite3_set_authorizer; the context is a struct access. */
int allow(void *context, int action, const char *first, const char *second,
          const char *schema, const char *source);

#endif
