/* What a runtime wrote of its code, by a stranger. */
#include "symbols/debug.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct debug_file *file;
    struct debug_frame frame;

    if (!jitdump_kind.probe(data, size))
        return 0;
    file = debug_open("fuzz.dump", data, size, NULL);
    for (uint64_t at = 0; file && at < 0x6000; at += 7)
        if (debug_frames(file, at, &frame, 1) && !*frame.function)
            abort();
    debug_close(file);
    return 0;
}
