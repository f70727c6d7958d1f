/* The whole way of a nettrace stream, from bytes to a finished profile. */
#include "engine/format/nettrace/nettrace.h"
#include "engine/input/recording.h"
#include "tests/fuzz/target.h"
#include "tests/support/profile_check.h"

static void read_once(const uint8_t *data, size_t size, bool weighed)
{
    struct read_options options = {.threads = 1, .thread_weights = weighed};
    struct entry entry = {.name = "fuzz.nettrace", .data = data, .size = size};
    struct err err = {0};
    struct profile *p = profile_new();

    if (recording_read(&nettrace_format, &entry, 1, &options, p, &err)) {
        if (!err.code || !err.message[0])
            abort();
    } else {
        profile_finish(p);
        if (profile_check(p))
            abort();
    }
    profile_free(p);
}

FUZZ(nettrace)
{
    if (nettrace_format.probe(data, size) == PROBE_NO)
        return 0;
    read_once(data, size, false);
    read_once(data, size, true);
    return 0;
}
