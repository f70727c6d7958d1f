/*
 * keep - a file on its way into a store.
 *
 *     struct keep keep;
 *     keep_start(&keep, "/var/cache/app.pdb/KEY/app.pdb");
 *     while (...)
 *         ok = ok && keep_bytes(&keep, data, n);
 *     if (ok && keep_ends(&keep) && is_wanted(keep.file.temp))
 *         kept = keep_publish(&keep);
 *     else
 *         keep_drop(&keep);
 *
 * Nothing is made, not even a folder, before the first byte; the file has a
 * temporary name until it is published. What fails is in `err`.
 */
#ifndef TOPFN_KEEP_H
#define TOPFN_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "engine/base/newfile.h"

struct keep {
    const char *path;     /* the caller's */
    struct new_file file; /* temp NULL: not begun */
    FILE *stream;         /* NULL: not open */
    struct err err;
};

void keep_start(struct keep *keep, const char *path);
bool keep_bytes(struct keep *keep, const void *data, size_t n);
/* All bytes are there, and at least one. */
bool keep_ends(struct keep *keep);
/* Publishing and dropping end it. */
bool keep_publish(struct keep *keep);
void keep_drop(struct keep *keep);

#endif
