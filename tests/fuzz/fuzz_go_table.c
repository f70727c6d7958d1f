/* Go's table of functions, and the trees of inlined calls behind it. */
#include "symbols/elf/go_table.h"
#include "tests/fuzz/target.h"

static void look_up(struct go_table *t, uint64_t address, size_t size)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    struct debug_range range;
    size_t n = go_table_frames(t, address, frames, DEBUG_FRAMES_MAX);

    if (n > DEBUG_FRAMES_MAX)
        abort();
    for (size_t i = 0; i < n; i++)
        if (strlen(frames[i].function) > size ||
            (frames[i].file && strlen(frames[i].file) > size))
            abort();
    if (go_table_range(t, address, &range) &&
        (address < range.start || address >= range.end))
        abort();
}

/* The last bytes are the trees. */
FUZZ(go_table)
{
    enum { TREES = 64 };
    struct go_table t;

    if (!go_table_open(&t, (struct bytes){data, size}, false))
        return 0;
    if (size > TREES)
        t.inlined = (struct bytes){data + size - TREES, TREES};
    for (uint64_t at = 0; at < 0x80; at += 4) {
        look_up(&t, t.text + at, size);
        look_up(&t, 0x401000 + at, size);
    }
    look_up(&t, UINT64_MAX, size);
    return 0;
}
