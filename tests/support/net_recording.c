#include "tests/support/net_recording.h"

#include <stdlib.h>

#include "engine/input/recording.h"
#include "tests/support/suite.h"

struct profile *net_recording_open(const char *recording, const char *symbols,
                                   struct places *places)
{
    char *path = traces_path("nettrace", recording, ".nettrace");
    char *folder = traces_path("symbols", symbols, "");
    const char *paths[] = {path};
    struct read_options options = {0};
    struct err err = {0};
    struct profile *p =
        recording_take(recording_open(paths, 1, &options, &err));

    ck_assert_msg(p, "%s", err.message);
    *places = (struct places){.paths = {0}};
    places_add(places, folder);
    free(folder);
    free(path);
    return p;
}

void net_recording_finish(struct profile *p, struct places *places)
{
    profile_finish(p);
    places_release(places);
}
