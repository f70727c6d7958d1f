/* Debug files that ask for more than is read: what is left out is said. */
#include "symbols/debug.h"
#include "tests/support/hostile.h"
#include "tests/support/suite.h"

enum { SIZE = 1 << 18, STEP = 64, ASKED = 256 };

static const struct {
    const char *name, *flaw; /* NULL: all of it is read */
} rows[] = {
    {"many-attributes.so",
     "section .debug_abbrev: abbreviations from the first one with more"},
    {"shared-abbreviations.so", "section .debug_abbrev: tables that overlap"},
    {"shared-lines.so", "section .debug_line: tables that come to more"},
    {"shared-ranges.so", "range lists that overlap"},
    {"string-offsets.so", NULL},
    {"shared-name.so", NULL},
    {"overlaps.so", NULL},
    {"sections.exe", "section table: sections after the first 1,024"},
    {"debug-entries.exe", "debug directory: entries after the first 1,024"},
    {"exports.exe", NULL},
    {"procs.pdb", NULL},
    {"sites.pdb", NULL},
    {"line-parts.pdb", NULL},
    {"publics.pdb", NULL},
    {"omap.pdb", NULL},
};

static void check(const char *name, const char *wanted)
{
    struct err err = {0};
    struct blob b = {0};
    struct debug_file *file;
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    const char *flaw;

    ck_assert(hostile_make(name, SIZE, &b));
    file = debug_open(name, b.data, b.len, &err);
    ck_assert_msg(file, "%s", err.message);
    for (uint64_t rva = 0; rva < (uint64_t)ASKED * STEP; rva += STEP)
        (void)debug_frames(file, rva, frames, DEBUG_FRAMES_MAX);
    flaw = debug_flaw(file);
    if (wanted)
        ck_assert_msg(flaw && strstr(flaw, wanted) == flaw, "%s: %s", name,
                      flaw ? flaw : "nothing");
    else
        ck_assert_msg(!flaw, "%s: %s", name, flaw ? flaw : "");
    debug_close(file);
    free(b.data);
}

TEST(what_is_left_out_is_said)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        check(rows[i].name, rows[i].flaw);
}
