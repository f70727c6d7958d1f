/*
 * places - where to look for debug files, from symbol paths.
 *
 *     struct places places = {0};
 *     places_add(&places, "srv*" "/var/symbols*https://example.org;/mnt/pdb");
 *     // "/var/symbols", "/mnt/pdb"; server https://example.org
 *     places_release(&places);
 *
 * The grammar is that of _NT_SYMBOL_PATH: elements between semicolons, each
 * a file or folder, the address of a server (http:// or https://), or
 * srv*STORE*..., symsrv*DLL*STORE*... or cache*STORE, whose stores are
 * folders or servers. Folders are looked into in order, then servers are
 * asked (online.h).
 *
 * Files from a server of a chain are kept in the nearest folder before it that
 * can be written to; else in that of the nearest cache* element before; else
 * in the default store.
 */
#ifndef TOPFN_PLACES_H
#define TOPFN_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/vec.h"
#include "engine/container/container.h"

struct inside;
struct listings;
struct online;

enum server_kind { SERVER_SYMSRV, SERVER_DEBUGINFOD };

struct server_place {
    enum server_kind kind;
    char *url;   /* without a slash at its end */
    char *store; /* folder that keeps what it sends; NULL: the default */
};

struct places {
    VEC(char *) paths;  /* as given; none twice */
    VEC(bool) named;    /* of each: a person named it */
    VEC(char *) caches; /* folders of debuginfod clients: HEX/debuginfo */
    char *perf_cache;   /* folder where perf keeps what it met, by build-id
                           alone; NULL: none */
    struct listings *listings; /* of the paths, when there are any */
    struct inside *inside; /* what came with the traces, looked at first; the
                              places' own; or NULL */
    VEC(struct server_place) servers; /* none twice */
    char *store;            /* the default; it may not exist yet. NULL: none */
    const char *debug_root; /* the system's tree of ELF debug files; NULL: where
                               distributions have it */
    struct online *online;  /* the caller's; NULL: no server is asked */
    bool wants_code;        /* of servers: images too, where names are there */
};

/* `path` is one file or folder if there is one of that very name. */
void places_add(struct places *places, const char *path);
/* A folder where a debuginfod client keeps what it fetched. */
void places_add_cache(struct places *places, const char *folder);
/* "~/.debug", where perf keeps the files that its recordings are of. */
void places_set_perf_cache(struct places *places, const char *folder);
/* The folder of a file. */
void places_add_beside(struct places *places, const char *file);
/* URLs between spaces, as DEBUGINFOD_URLS has them. */
void places_add_debuginfod(struct places *places, const char *urls);
/* The default store of servers. Once it exists it is a place as well. */
void places_set_store(struct places *places, const char *folder);
bool places_has_server(const struct places *places, enum server_kind kind);
/* "/usr/lib/debug", unless the places have a tree of their own. */
const char *places_debug_root(const struct places *places);
void places_release(struct places *places);

/* Files that are no containers have no entries. */
struct inside *inside_new(struct container *const *containers, size_t count);

/* Entries that are no traces, in the order of the containers. NULL has none. */
size_t inside_count(const struct inside *inside);

const struct entry *inside_entry(const struct inside *inside, size_t i);
enum err_code inside_load(struct inside *inside, size_t i, struct err *err);

/*
 * where files are filed by build-id: ROOT/.build-id/xx/yyyy.debug
 */

enum { BUILD_ID_TEXT = 2 * 64 + 1 }; /* room for a long one */

/* Hexadecimal, terminated; of a longer id the beginning. */
void build_id_text(const uint8_t *id, size_t size, char text[BUILD_ID_TEXT]);

/* For free(). NULL: the id is too short to be one. The executable itself has
 * no ending. */
char *build_id_path(const char *root, const uint8_t *id, size_t size,
                    const char *ending);

#endif
