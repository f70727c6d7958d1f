/*
 * addresses - the addresses that `resolve` is asked for.
 *
 *     struct addresses a = {0};
 *     status = addresses_read(&a, arguments, count);
 *     ...
 *     addresses_release(&a);
 *
 * Hexadecimal, with or without 0x, as other tools of the kind take them.
 */
#ifndef TOPFN_ADDRESSES_H
#define TOPFN_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

#include "cli/status.h"
#include "engine/base/vec.h"

struct addresses {
    VEC(uint64_t) list;
    size_t unreadable; /* lines of stdin that were none, said and left out */
};

/* From the arguments, or with none from stdin, one a line; empty lines do
 * not count. An argument that is no address is a usage error, said. */
enum status addresses_read(struct addresses *a, const char *const *arguments,
                           size_t count);
void addresses_release(struct addresses *a);

/* Indices into the list, in the order of the addresses; for free(). */
uint32_t *addresses_sorted(const struct addresses *a);

#endif
