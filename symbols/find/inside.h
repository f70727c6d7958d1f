/*
 * inside - what lies beside the traces in their containers.
 *
 *     struct inside *inside = inside_open(paths, n);
 *     for (size_t i = 0; i < inside_count(inside); i++)
 *         if (is_wanted(inside_entry(inside, i)) &&
 *             !inside_load(inside, i, &err))
 *             use(inside_entry(inside, i));
 *     inside_close(inside);
 *
 * The containers are opened once more: a profile outlives its traces. Names
 * are shown and compared, never opened. Loaded bytes live until
 * inside_close. Any thread may load and read.
 */
#ifndef TOPFN_INSIDE_H
#define TOPFN_INSIDE_H

#include <stddef.h>

#include "engine/container/container.h"

struct inside;

/* Files that are no containers, or cannot be opened, have no entries. */
struct inside *inside_open(const char *const *paths, size_t count);
void inside_close(struct inside *inside);

/* Entries that are no traces, in the order of the containers. NULL has none. */
size_t inside_count(const struct inside *inside);
const struct entry *inside_entry(const struct inside *inside, size_t i);
enum err_code inside_load(struct inside *inside, size_t i, struct err *err);

#endif
