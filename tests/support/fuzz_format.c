#include "tests/support/fuzz_format.h"

#include <stdlib.h>

#include "engine/analysis/hot_path.h"
#include "engine/analysis/rank.h"
#include "engine/input/recording.h"
#include "tests/support/profile_check.h"

static void rank(const struct profile *p)
{
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_INCLUSIVE);
    struct hot_path path = {0};

    hot_path_find(&path, p, sel);
    if (r->len && (r->rows[0].inclusive > sel->samples || !path.steps.len))
        abort();
    hot_path_release(&path);
    ranking_free(r);
    selection_free(sel);
}

void fuzz_format(const struct trace_format *format, const uint8_t *data,
                 size_t size)
{
    struct read_options options = {.threads = 1};
    struct entry entry = {
        .name = "fuzz", .inner = "", .data = data, .size = size};
    struct err err = {0};
    struct profile *p;

    if (format->probe(data, size) == PROBE_NO)
        return;
    p = profile_new();
    if (recording_read(format, &entry, 1, &options, p, &err)) {
        if (!err.code || !err.message[0])
            abort();
    } else {
        profile_finish(p);
        if (profile_check(p))
            abort();
        rank(p);
    }
    profile_free(p);
}
