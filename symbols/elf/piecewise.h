/*
 * piecewise - a section packed by zlib, of which only the parts that are
 * asked for are unpacked and kept.
 *
 *     struct piecewise *p = piecewise_new(packed, size, true, &err);
 *     struct bytes plain = piecewise_bytes(p);
 *     if (piecewise_need(p, from, n, &err))
 *         ... plain.data + from ...
 *     piecewise_free(p);
 *
 * A packed stream can only be read from its beginning. The first pass goes as
 * far as somebody needs and forgets what nobody asked for, but for the state
 * of the decoder every megabyte or so. From there the segment that follows is
 * unpacked once more, and then kept, when a part of it is asked for later: so
 * nothing is ever unpacked more than twice. Whoever asks for parts in their
 * order, before the pass has gone by, pays nothing for them.
 *
 * The plain bytes lie in one piece of address space, of which pages that were
 * never asked for take no memory and are zeros.
 */
#ifndef TOPFN_PIECEWISE_H
#define TOPFN_PIECEWISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/reader.h"

struct piecewise;

/* `packed` must live as long; `size` is what its header promised. NULL if that
 * cannot be (inflate.h). Nothing is unpacked yet. `of_file`: the packed bytes
 * are a mapping of a file, whose pages are given back once read. */
struct piecewise *piecewise_new(struct bytes packed, uint64_t size,
                                bool of_file, struct err *err);
void piecewise_free(struct piecewise *p);

struct bytes piecewise_bytes(const struct piecewise *p);

/* Unpacks what is not there yet of `n` bytes from `from`, as far as they are
 * inside. False, with the reason the first time, if that cannot be done. */
bool piecewise_need(struct piecewise *p, size_t from, size_t n,
                    struct err *err);

#endif
