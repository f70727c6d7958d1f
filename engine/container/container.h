/*
 * container - the trace files inside what a person names on the command line.
 *
 *     struct container *c = container_open("app.etl", &err);
 *     for (size_t i = 0; i < c->count; i++)
 *         read_trace(&c->entries[i]);
 *     container_close(c);
 *
 * A plain file is one entry. A new kind of container is one file with a
 * `const struct container_kind` and a row in the table of container.c.
 *
 * Entry bytes are mapped from the file and stay valid until container_close.
 * A file that shrinks while it is read would raise SIGBUS: the program turns
 * that into an I/O error message (cli/main.c).
 */
#ifndef TOPFN_CONTAINER_H
#define TOPFN_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"

struct entry {
    const char *name; /* path of the file, or "container!inner/name" */
    const uint8_t *data;
    size_t size;
};

struct container_kind;

struct container {
    const struct container_kind *kind;
    const char *path;
    struct entry *entries;
    size_t count;
    void *state; /* the kind's own: maps, handles */
};

struct container_kind {
    const char *name; /* "plain", "zip" */
    /* Whether the mapped file is of this kind. */
    int (*probe)(const uint8_t *data, size_t size);
    /* Fills entries; on failure leaves what container_close can free. */
    enum err_code (*open)(struct container *c, const uint8_t *data,
                          size_t size, struct err *err);
    void (*close)(struct container *c);
};

/* NULL on failure: not found, a directory, not readable, not mappable. */
struct container *container_open(const char *path, struct err *err);
void container_close(struct container *c);

#endif
