#include "symbols/find/places.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/hex.h"
#include "engine/base/path.h"
#include "engine/base/text.h"
#include "symbols/find/listing.h"

/*
 * The files that lie beside the traces in their containers.
 *
 * The containers are the recording's, which must be open as long. Names are
 * shown and compared, never opened. Loaded bytes live as long as their
 * container. Any thread may load and read.
 */

struct member {
    struct container *container;
    size_t entry;
};

struct inside {
    VEC(struct member) members;
    pthread_mutex_t loading; /* containers are used by one at a time */
};

/* An entry's name is empty when the file is no container. */
static void add_members(struct inside *inside, struct container *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (*c->entries[i].inner && c->entries[i].kind != ENTRY_TRACE)
            *vec_add(&inside->members) = (struct member){c, i};
}

struct inside *inside_new(struct container *const *containers, size_t count)
{
    struct inside *inside = mem_new(1, sizeof(*inside));

    pthread_mutex_init(&inside->loading, NULL);
    for (size_t i = 0; i < count; i++)
        add_members(inside, containers[i]);
    return inside;
}

static void inside_free(struct inside *inside)
{
    if (!inside)
        return;
    vec_release(&inside->members);
    pthread_mutex_destroy(&inside->loading);
    free(inside);
}

size_t inside_count(const struct inside *inside)
{
    return inside ? inside->members.len : 0;
}

const struct entry *inside_entry(const struct inside *inside, size_t i)
{
    const struct member *m = &inside->members.data[i];

    return &m->container->entries[m->entry];
}

enum err_code inside_load(struct inside *inside, size_t i, struct err *err)
{
    const struct member *m = &inside->members.data[i];
    enum err_code code;

    pthread_mutex_lock(&inside->loading);
    code = container_load(m->container, m->entry, err);
    pthread_mutex_unlock(&inside->loading);
    return code;
}

/* Takes `path` over. */
static void add(struct places *places, char *path, bool named)
{
    bool known = !*path || strstr(path, "://");

    for (size_t i = 0; i < places->paths.len && !known; i++) {
        known = !strcmp(places->paths.data[i], path);
        places->named.data[i] |= known && named;
    }
    if (known) {
        free(path);
        return;
    }
    *vec_add(&places->paths) = path;
    *vec_add(&places->named) = named;
    if (!places->listings)
        places->listings = listings_new();
}

static bool is_url(const char *text, size_t n)
{
    return (n > 7 && ascii_same_n(text, "http://", 7)) ||
           (n > 8 && ascii_same_n(text, "https://", 8));
}

static void add_server(struct places *places, enum server_kind kind,
                       const char *url, size_t n, const char *store)
{
    while (n && url[n - 1] == '/')
        n--;
    for (size_t i = 0; i < places->servers.len; i++) {
        const struct server_place *s = &places->servers.data[i];

        if (s->kind == kind && strlen(s->url) == n && !memcmp(s->url, url, n))
            return;
    }
    *vec_add(&places->servers) = (struct server_place){
        kind, text_copy(url, n), store ? text_dup(store) : NULL};
}

static size_t part_length(const char *at, const char *end)
{
    const char *star = memchr(at, '*', (size_t)(end - at));

    return (size_t)((star ? star : end) - at);
}

/* After the first word of a chain; NULL: it is none. */
static const char *chain_start(const char *at, const char *end)
{
    size_t n = part_length(at, end);

    if (at + n == end)
        return NULL;
    if ((n == 3 && ascii_same_n(at, "srv", n)) ||
        (n == 5 && ascii_same_n(at, "cache", n)))
        return at + n + 1;
    if (n != 6 || !ascii_same_n(at, "symsrv", n))
        return NULL;
    at += n + 1;
    n = part_length(at, end);
    return at + n == end ? end : at + n + 1;
}

/* Tells whether files can be kept there. A folder that is missing can be made,
 * but not one of Windows. */
static bool can_keep(const char *folder)
{
    char *path = text_dup(folder);
    bool can = !access(path, F_OK) || !strchr(path, '\\');

    while (access(path, F_OK) && strcmp(path, ".")) {
        char *slash = strrchr(path, '/');

        /* "/a" of "/a/b", "/" of "/a", "." of "a". */
        if (slash)
            slash[slash == path] = '\0';
        else
            strcpy(path, ".");
    }
    can = can && path_is_folder(path) && !access(path, W_OK);
    free(path);
    return can;
}

/* One store of a chain, or an element by itself. *nearest, which is to be
 * freed, is where what comes from servers further on is kept. */
static void add_store(struct places *places, const char *at, size_t n,
                      char **nearest)
{
    char *store;

    if (is_url(at, n)) {
        add_server(places, SERVER_SYMSRV, at, n, *nearest);
        return;
    }
    store = text_copy(at, n);
    if (*store && can_keep(store)) {
        free(*nearest);
        *nearest = text_dup(store);
    }
    add(places, store, true);
}

/* *cache: that of the nearest cache* element before. */
static void add_element(struct places *places, const char *at, const char *end,
                        char **cache)
{
    const char *part = chain_start(at, end);
    bool is_cache = ascii_same_n(at, "cache*", 6);
    char *nearest = *cache ? text_dup(*cache) : NULL;

    if (!part)
        add_store(places, at, (size_t)(end - at), &nearest);
    while (part && part < end) {
        size_t n = part_length(part, end);

        add_store(places, part, n, &nearest);
        part += n + 1;
    }
    if (is_cache) {
        free(*cache);
        *cache = nearest;
    } else {
        free(nearest);
    }
}

void places_add(struct places *places, const char *path)
{
    char *cache = NULL;

    if (path_is_file(path) || path_is_folder(path)) {
        add(places, text_dup(path), true);
        return;
    }
    while (*path) {
        size_t n = strcspn(path, ";");

        add_element(places, path, path + n, &cache);
        path += n + (path[n] == ';');
    }
    free(cache);
}

void places_add_debuginfod(struct places *places, const char *urls)
{
    while (*urls) {
        size_t n = strcspn(urls, " ");

        if (is_url(urls, n))
            add_server(places, SERVER_DEBUGINFOD, urls, n, NULL);
        urls += n + (urls[n] == ' ');
    }
}

void places_set_store(struct places *places, const char *folder)
{
    free(places->store);
    places->store = text_dup(folder);
    if (path_is_folder(folder))
        add(places, text_dup(folder), false);
}

bool places_has_server(const struct places *places, enum server_kind kind)
{
    for (size_t i = 0; i < places->servers.len; i++)
        if (places->servers.data[i].kind == kind)
            return true;
    return false;
}

const char *places_debug_root(const struct places *places)
{
    return places->debug_root ? places->debug_root : "/usr/lib/debug";
}

void places_add_beside(struct places *places, const char *file)
{
    if (strcmp(file, "-"))
        add(places, path_folder(file), false);
}

void places_add_cache(struct places *places, const char *folder)
{
    *vec_add(&places->caches) = text_dup(folder);
}

void places_set_perf_cache(struct places *places, const char *folder)
{
    free(places->perf_cache);
    places->perf_cache = text_dup(folder);
}

void places_release(struct places *places)
{
    for (size_t i = 0; i < places->paths.len; i++)
        free(places->paths.data[i]);
    for (size_t i = 0; i < places->caches.len; i++)
        free(places->caches.data[i]);
    vec_release(&places->paths);
    vec_release(&places->named);
    vec_release(&places->caches);
    listings_free(places->listings);
    inside_free(places->inside);
    places->listings = NULL;
    places->inside = NULL;
    for (size_t i = 0; i < places->servers.len; i++) {
        free(places->servers.data[i].url);
        free(places->servers.data[i].store);
    }
    vec_release(&places->servers);
    free(places->store);
    places->store = NULL;
    free(places->perf_cache);
    places->perf_cache = NULL;
}

void build_id_text(const uint8_t *id, size_t size, char text[BUILD_ID_TEXT])
{
    size_t n = size < BUILD_ID_TEXT / 2 ? size : BUILD_ID_TEXT / 2;

    hex_text(id, n, text);
}

char *build_id_path(const char *root, const uint8_t *id, size_t size,
                    const char *ending)
{
    char hex[BUILD_ID_TEXT], tail[BUILD_ID_TEXT + 32];

    if (size < 2)
        return NULL;
    build_id_text(id, size, hex);
    snprintf(tail, sizeof(tail), ".build-id/%.2s/%s%s", hex, hex + 2, ending);
    return path_join(root, tail);
}
