#include "tests/support/online_world.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/find/pdb.h"

static struct wanted wanted_as(const struct debug_file *file)
{
    struct wanted wanted = {
        .kind = WANTED_PDB, .name = "mixer.pdb", .identity = file->identity};

    pdb_key(file->identity.guid, file->identity.age, wanted.key);
    return wanted;
}

void online_world_start(struct online_world *w)
{
    *w = (struct online_world){
        .limits = {.server_ms = 60000,
                   .server_bytes = 100 << 20,
                   .file_bytes = 50 << 20,
                   .connect_ms = 1000,
                   .slow_bytes = 1000,
                   .slow_seconds = 1,
                   .requests = 1},
        .server = http_server_start(),
        .pdb = debug_input_open(NULL, "testdata/pdb/mixer.pdb"),
        .other = debug_input_open(NULL, "testdata/pdb/mixer-public.pdb"),
    };
    if (!w->pdb || !w->other)
        abort();
    unsetenv("http_proxy");
    unsetenv("all_proxy");
    temp_folder(w->store);
    w->wanted = wanted_as(w->pdb->file);
    places_add(&w->places, http_server_url(w->server));
    places_set_store(&w->places, w->store);
}

void online_world_stop(struct online_world *w)
{
    online_free(w->places.online);
    places_release(&w->places);
    http_server_stop(w->server);
    temp_folder_remove(w->store);
    debug_input_close(w->pdb);
    debug_input_close(w->other);
}

void online_world_page(struct online_world *w, const struct wanted *wanted,
                       const char *last, const struct http_page *page)
{
    struct http_page there = *page;
    char path[400];

    snprintf(path, sizeof(path), "/%s/%s/%s", wanted->name, wanted->key,
             last ? last : wanted->name);
    there.path = path;
    http_server_add(w->server, &there);
}

struct found online_world_ask(struct online_world *w,
                              const struct wanted *wanted)
{
    struct found found = found_nothing(wanted);
    struct wanted here = *wanted;

    here.places = &w->places;
    if (!w->places.online)
        w->places.online = online_new(&w->limits, "topfn/test");
    if (online_find(&found, &here) != (found.file != NULL))
        abort();
    return found;
}
