/* A debug file: opened, and asked for addresses all over its beginning. */
#include "symbols/debug.h"
#include "tests/fuzz/target.h"
#include "tests/support/debug_code.h"

enum { LOW = 0xF00, HIGH = 0x1800, STEP = 11 };

static void check_frames(const struct debug_frame *frames, size_t n)
{
    debug_check_names(frames, n);
    for (size_t i = 0; i < n; i++) {
        if (frames[i].file && strlen(frames[i].file) > 1 << 20)
            abort();
        if (frames[i].inlined != (i + 1 < n))
            abort();
    }
}

FUZZ(pdb)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    struct err err = {0};
    struct debug_file *file = debug_open("fuzz", data, size, &err);

    if (!file != (err.code != ERR_NONE))
        abort();
    for (uint64_t rva = LOW; file && rva < HIGH; rva += STEP) {
        check_frames(frames, debug_frames(file, rva, frames,
                                          DEBUG_FRAMES_MAX));
        debug_check_code(file, rva);
    }
    debug_close(file);
    return 0;
}
