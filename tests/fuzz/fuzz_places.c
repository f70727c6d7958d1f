/* A symbol path: no place is empty, a server, or longer than the path, and no
 * server is anything else. */
#include <strings.h>

#include "engine/base/arena.h"
#include "symbols/find/places.h"
#include "tests/fuzz/target.h"

FUZZ(places)
{
    struct places places = {.paths = {0}};
    struct arena arena = {0};
    const struct server_place *servers;
    char *path = arena_strndup(&arena, (const char *)data, size);

    places_add(&places, path);
    for (size_t i = 0; i < places.paths.len; i++) {
        const char *place = places.paths.data[i];

        if (!*place || strstr(place, "://") || strlen(place) > strlen(path))
            abort();
    }
    servers = places.servers.data;
    for (size_t i = 0; i < places.servers.len; i++)
        if (strncasecmp(servers[i].url, "http", 4) != 0 ||
            strlen(servers[i].url) > strlen(path) ||
            (servers[i].store && !*servers[i].store))
            abort();
    places_release(&places);
    arena_release(&arena);
    return 0;
}
