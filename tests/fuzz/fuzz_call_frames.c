/* Call frame information: the first byte says which section it is. */
#include "symbols/dwarf/call_frames.h"
#include "tests/fuzz/target.h"

FUZZ(call_frames)
{
    struct call_frames_section section = {.address = 0x1000};
    struct call_frames *frames;
    struct frame_row row;

    if (!size)
        return 0;
    section.bytes = (struct bytes){data + 1, size - 1};
    section.is_debug = *data & 1;
    section.wide = *data & 2;
    frames = call_frames_open(&section);
    for (uint64_t address = 0; address < 0x4000; address += 7)
        call_frames_find(frames, address, &row);
    call_frames_close(frames);
    return 0;
}
