/*
 * source_places - where the user wants source files looked for.
 */
#ifndef TOPFN_SOURCE_PLACES_H
#define TOPFN_SOURCE_PLACES_H

#include "cli/options.h"
#include "symbols/sources.h"

struct source_places {
    struct places places;
    struct sources sources;
};

/* By --source-map, beside the files, and where debug files are looked for.
 * It must stay where it is, as its parts know each other. */
void source_places(struct source_places *s, const struct options *options,
                   const char *const *files, size_t count);
void source_places_release(struct source_places *s);

#endif
