/* Debug files that ask for more than is read: what is left out is said. */
#include "symbols/debug.h"
#include "tests/support/hostile.h"
#include "tests/support/suite.h"

enum { SIZE = 1 << 18, STEP = 64, ASKED = 256 };

/* `flaw` is how the message begins; NULL: all of the file is read. */
static void check(const char *name, const char *flaw)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    struct debug_file *file;
    struct err err = {0};
    struct blob b = {0};
    const char *found;

    ck_assert(hostile_make(name, SIZE, &b));
    file = debug_open(name, b.data, b.len, &err);
    ck_assert_msg(file, "%s", err.message);
    for (uint64_t rva = 0; rva < (uint64_t)ASKED * STEP; rva += STEP)
        (void)debug_frames(file, rva, frames, DEBUG_FRAMES_MAX);
    found = debug_flaw(file);
    ck_assert_msg(flaw ? found && strstr(found, flaw) == found : !found,
                  "%s: %s", name, found ? found : "nothing");
    debug_close(file);
    free(b.data);
}

TEST(what_is_left_out_is_said)
{
    const char *name;

    for (size_t i = 0; (name = hostile_name(i)); i++) {
        const char *flaw = hostile_note(name, "flaw", 0);

        if (flaw || hostile_note(name, "whole", 0))
            check(name, flaw);
    }
}
