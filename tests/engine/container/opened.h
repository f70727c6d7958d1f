/*
 * opened - bytes made in a test, opened as a file that is gone then.
 *
 *     char path[TEMP_PATH];
 *     struct container *c = opened_blob(path, &b, &err);
 *
 * `path` is what messages call it; NULL is returned as container_open does.
 */
#ifndef TOPFN_TESTS_OPENED_H
#define TOPFN_TESTS_OPENED_H

#include "engine/container/container.h"
#include "tests/support/blob.h"
#include "tests/support/temp_file.h"

static inline struct container *opened_blob(char path[TEMP_PATH],
                                            const struct blob *b,
                                            struct err *err)
{
    struct container *c;

    temp_file(path, b->data, b->len);
    c = container_open(path, err);
    unlink(path);
    return c;
}

#endif
