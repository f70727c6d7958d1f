/*
 * sampled_addresses - which addresses any sample holds, whatever process or
 * time.
 *
 * Most code that a trace describes was never sampled: asking here first spares
 * the work of decoding, sorting and naming it. Without it `top` of a .NET build
 * of 373 MB takes 6 % more CPU time and 9 MB more memory.
 *
 *     struct sampled_addresses sampled;
 *     sampled_addresses_init(&sampled, &seen->callchains);
 *     if (sampled_addresses_within(&sampled, start, size)) ...
 *     sampled_addresses_release(&sampled);
 */
#ifndef TOPFN_SAMPLED_ADDRESSES_H
#define TOPFN_SAMPLED_ADDRESSES_H

#include "engine/attribution/callchains.h"

struct sampled_addresses {
    uint64_t *addresses; /* distinct, sorted */
    size_t len;
};

/* The frames of all runs. */
void sampled_addresses_init(struct sampled_addresses *sampled,
                            const struct callchains *runs);

/* True if an address lies in [start, start + size). */
bool sampled_addresses_within(const struct sampled_addresses *sampled,
                              uint64_t start, uint64_t size);

void sampled_addresses_release(struct sampled_addresses *sampled);

#endif
