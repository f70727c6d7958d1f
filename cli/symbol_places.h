/*
 * symbol_places - where the user wants debug files looked for.
 *
 *     struct places places = {.online = symbol_servers(options)};
 *     symbol_places(&places, options);
 *     ...
 *     online_free(places.online);
 */
#ifndef TOPFN_SYMBOL_PLACES_H
#define TOPFN_SYMBOL_PLACES_H

#include "cli/options.h"
#include "symbols/online/online.h"
#include "symbols/places.h"

/* What asks servers; NULL without --online. */
struct online *symbol_servers(const struct options *options);

/* Adds those of --symbols, then those of _NT_SYMBOL_PATH and
 * DEBUGINFOD_URLS, Microsoft's server if there is none of its kind, the store
 * for what servers send, and the caches of debuginfod's client. */
void symbol_places(struct places *places, const struct options *options);

/* Adds what is beside the traces and in their containers first: what came
 * with them is most likely theirs. */
void symbol_places_of_trace(struct places *places, const struct profile *p,
                            const struct options *options);

#endif
