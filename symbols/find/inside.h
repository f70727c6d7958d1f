/*
 * inside - what lies beside the traces in their containers.
 *
 *     struct inside *inside = inside_new(r->containers.data,
 *                                        r->containers.len);
 *     for (size_t i = 0; i < inside_count(inside); i++)
 *         if (is_wanted(inside_entry(inside, i)) &&
 *             !inside_load(inside, i, &err))
 *             use(inside_entry(inside, i));
 *     inside_free(inside);
 *
 * The containers are the recording's, which must be open as long. Names are
 * shown and compared, never opened. Loaded bytes live as long as their
 * container. Any thread may load and read.
 */
#ifndef TOPFN_INSIDE_H
#define TOPFN_INSIDE_H

#include <stddef.h>

#include "engine/container/container.h"

struct inside;

/* Files that are no containers have no entries. */
struct inside *inside_new(struct container *const *containers, size_t count);
void inside_free(struct inside *inside);

/* Entries that are no traces, in the order of the containers. NULL has none. */
size_t inside_count(const struct inside *inside);
const struct entry *inside_entry(const struct inside *inside, size_t i);
enum err_code inside_load(struct inside *inside, size_t i, struct err *err);

#endif
