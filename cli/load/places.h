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
#ifndef TOPFN_CLI_PLACES_H
#define TOPFN_CLI_PLACES_H

#include "cli/options/options.h"
#include "engine/input/recording.h"
#include "symbols/find/places.h"
#include "symbols/sources.h"

/* "~/.debug", where perf keeps what its recordings are of; for free(). NULL:
 * nobody is at home. */
char *perf_folder(void);

/* Warns of paths of --symbols that are not there, and of files that a bundle
 * lacks (symbols/find/bundle.h). `contents`: its files are read for that. */
void symbol_places_check(const struct options *options, bool contents);

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

/*
 * source_places - where the user wants source files looked for.
 */

struct source_places {
    struct places places;
    struct sources sources;
    const char *missed; /* a file that was asked for */
};

/* Source by --source-map and --source alone; images by symbol paths and beside
 * the files, which may be a database of a trace that was elsewhere. The
 * recording must stay open. */
void source_places(struct source_places *s, const struct recording *r,
                   const struct options *options, const char *const *files,
                   size_t count);
/* As struct source_finder (report/report.h) wants it; `s` is the places. */
struct textfile *source_places_find(void *s, const char *path);
/* Says which source was not opened, and which option would allow it. */
void source_places_say(const struct source_places *s);
void source_places_release(struct source_places *s);

#endif
