/*
 * sampled - which addresses any sample holds, whatever process or time.
 *
 * Most code that a trace describes was never sampled: asking here first
 * spares the work of decoding, sorting and naming it.
 *
 *     struct sampled sampled;
 *     sampled_init(&sampled, &facts->runs);
 *     if (sampled_within(&sampled, start, size)) ...
 *     sampled_release(&sampled);
 */
#ifndef TOPFN_SAMPLED_H
#define TOPFN_SAMPLED_H

#include "engine/runs.h"

struct sampled {
    uint64_t *addresses; /* distinct, sorted */
    size_t len;
    uint64_t *pages; /* a bit per page, by the page's hash */
    unsigned shift;  /* of the hash */
};

/* The frames of all runs. */
void sampled_init(struct sampled *sampled, const struct runs *runs);

/* Whether an address lies in [start, start + size). */
bool sampled_within(const struct sampled *sampled, uint64_t start,
                    uint64_t size);

void sampled_release(struct sampled *sampled);

#endif
