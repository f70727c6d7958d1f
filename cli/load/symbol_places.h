/*
 * symbol_places - where the user wants debug files looked for.
 *
 *     struct places places = {.paths = {0}};
 *     symbol_places(&places, options);
 *     ... // a progress bar shows what servers send
 *     symbol_places_release(&places);
 *
 *     symbol_servers_end(); // at the end of the run
 */
#ifndef TOPFN_SYMBOL_PLACES_H
#define TOPFN_SYMBOL_PLACES_H

#include "cli/options/options.h"
#include "engine/input/recording.h"
#include "symbols/find/places.h"

/* "~/.debug", where perf keeps what its recordings are of; for free(). NULL:
 * nobody is at home. */
char *perf_folder(void);

/* Warns of paths of --symbols that are not there. */
void symbol_places_check(const struct options *options);

/* Adds those of --symbols, then those of _NT_SYMBOL_PATH and
 * DEBUGINFOD_URLS, Microsoft's server if there is none of its kind, the store
 * for what servers send, and the caches of debuginfod's client. With
 * --online, servers are asked. */
void symbol_places(struct places *places, const struct options *options);

/* Adds what is beside the traces and in their containers first: what came
 * with them is most likely theirs. The recording must stay open as long. */
void symbol_places_of_trace(struct places *places, const struct recording *r,
                            const struct options *options);
void symbol_places_release(struct places *places);

/* Forgets which servers failed. */
void symbol_servers_end(void);

#endif
