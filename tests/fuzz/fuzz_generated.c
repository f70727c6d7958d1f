/* A runtime's lists of its generated code, written by a stranger. */
#include "symbols/debug.h"
#include "tests/fuzz/target.h"

static int name_all(const struct debug_kind *kind, const char *name,
                    const uint8_t *data, size_t size, uint64_t end,
                    uint64_t step)
{
    struct debug_file *file;
    struct debug_frame frame;

    if (!kind->probe(data, size))
        return 0;
    file = debug_open(name, data, size, NULL);
    for (uint64_t at = 0; file && at < end; at += step)
        if (debug_frames(file, at, &frame, 1) && !*frame.function)
            abort();
    debug_close(file);
    return 0;
}

FUZZ(jitdump)
{
    return name_all(&jitdump_kind, "fuzz.dump", data, size, 0x6000, 7);
}

FUZZ(perf_map)
{
    return name_all(&perf_map_debug_kind, "fuzz.map", data, size, 0x1000, 3);
}
