/* A list of generated code from a stranger. */
#include "symbols/generated/paint.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct debug_file *file;
    struct debug_frame frame;

    if (!perf_map_debug_kind.probe(data, size))
        return 0;
    file = debug_open("fuzz.map", data, size, NULL);
    for (uint64_t at = 0; file && at < 0x1000; at += 3)
        if (debug_frames(file, at, &frame, 1) && !*frame.function)
            abort();
    debug_close(file);
    return 0;
}
