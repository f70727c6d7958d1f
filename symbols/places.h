/*
 * places - where to look for debug files, from symbol paths.
 *
 *     struct places places = {0};
 *     places_add(&places, "srv*" "/var/symbols*https://example.org;/mnt/pdb");
 *     // "/var/symbols", "/mnt/pdb"
 *     places_release(&places);
 *
 * The grammar is that of _NT_SYMBOL_PATH: elements between semicolons, each
 * a file or folder, or srv*STORE*..., symsrv*DLL*STORE*... or cache*STORE.
 * Of a chain of stores the local ones are looked into, in order; addresses of
 * servers are left out, as is a default store that only Windows knows.
 */
#ifndef TOPFN_PLACES_H
#define TOPFN_PLACES_H

#include "engine/base/vec.h"

struct inside;
struct listings;

struct places {
    VEC(char *) paths;  /* as given; none twice */
    VEC(char *) caches; /* folders of debuginfod clients: HEX/debuginfo */
    struct listings *listings; /* of the paths, when there are any */
    struct inside *inside; /* what came with the traces, looked at first; the
                              places' own; or NULL */
};

/* `path` is one file or folder if there is one of that very name. */
void places_add(struct places *places, const char *path);
/* A folder where a debuginfod client keeps what it fetched. */
void places_add_cache(struct places *places, const char *folder);
/* The folder of a file. */
void places_add_beside(struct places *places, const char *file);
void places_release(struct places *places);

#endif
