/*
 * source_places - where the user wants source files looked for.
 */
#ifndef TOPFN_SOURCE_PLACES_H
#define TOPFN_SOURCE_PLACES_H

#include "cli/options/options.h"
#include "engine/input/recording.h"
#include "symbols/find/places.h"
#include "symbols/sources.h"

struct source_places {
    struct places places;
    struct sources sources;
    bool has_missed; /* a file that was asked for */
};

/* Source by --source-map and --source alone; images by symbol paths and beside
 * the files, which may be a database of a trace that was elsewhere. The
 * recording must stay open. */
void source_places(struct source_places *s, const struct recording *r,
                   const struct options *options, const char *const *files,
                   size_t count);
/* As struct source_finder (report/report.h) wants it; `s` is the places. */
struct textfile *source_places_find(void *s, const char *path);
/* What was not opened, and the option that would allow it. */
void source_places_say(const struct source_places *s);
void source_places_release(struct source_places *s);

#endif
