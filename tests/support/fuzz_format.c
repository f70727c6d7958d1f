#include "tests/support/fuzz_format.h"

#include <stdlib.h>

#include "engine/recording.h"
#include "tests/support/profile_check.h"

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
    }
    profile_free(p);
}
