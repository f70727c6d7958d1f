/*
 * prefetch - the files of all modules, those of the hottest looked for first.
 *
 *     struct prefetched *ready = prefetch(p, &places, &what, asked, n);
 *     if (!prefetch_take(ready, module, &files))
 *         files = find_module(p, module, &places);
 *     prefetch_free(ready);
 *
 * Servers answer slowly and may be asked only so much: several files are
 * asked for at a time, in the order of the samples that were taken in their
 * modules.
 */
#ifndef TOPFN_PREFETCH_H
#define TOPFN_PREFETCH_H

#include "engine/model/profile.h"
#include "symbols/asked.h"
#include "symbols/find/places.h"

/* What is looked for, by module. */
struct prefetch_kind {
    size_t size; /* of a result */
    void (*find)(const struct profile *p, uint32_t module,
                 const struct places *places, void *result);
    void (*release)(void *result);
};

struct prefetched;

/* Of modules that are subjects of what is asked. NULL without servers to ask:
 * then nothing is gained. */
struct prefetched *prefetch(const struct profile *p,
                            const struct places *places,
                            const struct prefetch_kind *kind,
                            const struct asked_about *asked, size_t count);
/* True: the result is the caller's now. `ready` may be NULL. */
bool prefetch_take(struct prefetched *ready, uint32_t module, void *result);
void prefetch_free(struct prefetched *ready);

#endif
