/*
 * prefetch - looks for the files of all modules before any is opened.
 *
 *     prefetch(p, places, asked, count, find, context);
 *
 * Servers answer slowly and may be asked only so much. With servers to ask,
 * `find` is called for each module that is asked about, by several threads,
 * in the order of the samples that were taken in the modules. Without servers
 * nothing is done.
 */
#ifndef TOPFN_PREFETCH_H
#define TOPFN_PREFETCH_H

#include "symbols/find/places.h"
#include "symbols/name_source.h"

void prefetch(const struct profile *p, const struct places *places,
              const struct asked_about *asked, size_t count,
              void (*find)(void *context, uint32_t module), void *context);

#endif
