#include "symbols/places.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/ascii.h"
#include "symbols/folder.h"
#include "symbols/inside.h"
#include "symbols/listing.h"

/* Takes `path` over. */
static void add(struct places *places, char *path)
{
    bool known = !*path || strstr(path, "://");

    for (size_t i = 0; i < places->paths.len && !known; i++)
        known = !strcmp(places->paths.data[i], path);
    if (known) {
        free(path);
        return;
    }
    *vec_add(&places->paths) = path;
    if (!places->listings)
        places->listings = listings_new();
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

static void add_element(struct places *places, const char *at,
                        const char *end)
{
    const char *part = chain_start(at, end);

    if (!part) {
        add(places, text_copy(at, (size_t)(end - at)));
        return;
    }
    while (part < end) {
        size_t n = part_length(part, end);

        add(places, text_copy(part, n));
        part += n + 1;
    }
}

void places_add(struct places *places, const char *path)
{
    if (path_is_file(path) || path_is_folder(path)) {
        add(places, text_copy(path, strlen(path)));
        return;
    }
    while (*path) {
        size_t n = strcspn(path, ";");

        add_element(places, path, path + n);
        path += n + (path[n] == ';');
    }
}

void places_add_beside(struct places *places, const char *file)
{
    if (strcmp(file, "-"))
        add(places, path_folder(file));
}

void places_add_cache(struct places *places, const char *folder)
{
    *vec_add(&places->caches) = text_copy(folder, strlen(folder));
}

void places_release(struct places *places)
{
    for (size_t i = 0; i < places->paths.len; i++)
        free(places->paths.data[i]);
    for (size_t i = 0; i < places->caches.len; i++)
        free(places->caches.data[i]);
    vec_release(&places->paths);
    vec_release(&places->caches);
    listings_free(places->listings);
    inside_close(places->inside);
    places->listings = NULL;
    places->inside = NULL;
}
