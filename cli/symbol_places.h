/*
 * symbol_places - where the user wants debug files looked for.
 */
#ifndef TOPFN_SYMBOL_PLACES_H
#define TOPFN_SYMBOL_PLACES_H

#include "cli/options.h"
#include "symbols/places.h"

/* Adds those of --symbols, then those of _NT_SYMBOL_PATH; and the caches of
 * debuginfod's client. */
void symbol_places(struct places *places, const struct options *options);

/* Adds what is beside the traces and in their containers first: what came
 * with them is most likely theirs. */
void symbol_places_of_trace(struct places *places, const struct profile *p,
                            const struct options *options);

#endif
