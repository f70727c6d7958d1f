#include "tests/support/recording.h"

#include <stdlib.h>

#include "engine/trace.h"
#include "tests/support/suite.h"

struct profile *recording_open(const char *recording, const char *symbols,
                               struct places *places)
{
    char *path = traces_path("nettrace", recording, ".nettrace");
    char *folder = traces_path("symbols", symbols, "");
    const char *paths[] = {path};
    struct trace_options options = {0};
    struct err err = {0};
    struct profile *p = trace_open(paths, 1, &options, &err);

    ck_assert_msg(p, "%s", err.message);
    *places = (struct places){.paths = {0}};
    places_add(places, folder);
    free(folder);
    free(path);
    return p;
}

void recording_finish(struct profile *p, struct places *places)
{
    profile_finish(p);
    places_release(places);
}
