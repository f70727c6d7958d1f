/*
 * spool - bytes that are unpacked from a container.
 *
 *     struct spool spool;
 *     spool_init(&spool, claimed);
 *     while (more)
 *         if (spool_write(&spool, bytes, n, &err)) ...
 *     if (!spool_map(&spool, &err))
 *         use(spool.data, spool.size);
 *     spool_release(&spool);
 *
 * Small contents stay in memory; what is claimed to be larger goes to a file
 * in $TMPDIR (or /tmp) that has no name, so nothing is left behind whatever
 * happens.
 */
#ifndef TOPFN_SPOOL_H
#define TOPFN_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"

struct spool {
    const uint8_t *data; /* after spool_map */
    size_t size;
    uint8_t *memory;
    size_t room; /* of memory */
    int file;    /* -1: none */
    void *map; /* of the file; NULL: none */
};

/* `claimed` is a hint of the size to come. */
void spool_init(struct spool *spool, uint64_t claimed);
enum err_code spool_write(struct spool *spool, const void *bytes, size_t n,
                          struct err *err);
enum err_code spool_map(struct spool *spool, struct err *err);
void spool_release(struct spool *spool);

#endif
