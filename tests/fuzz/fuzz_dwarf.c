/*
 * Sections of DWARF without a file around them: for each of the names below
 * a u16 size and that many bytes. The last few are of the file that the
 * first may refer to: a split unit, a package or an alternate file.
 */
#include "symbols/dwarf/dwarf.h"
#include "tests/fuzz/target.h"

static const char *const names[] = {
    ".debug_info",         ".debug_abbrev",   ".debug_line",
    ".debug_str",          ".debug_line_str", ".debug_str_offsets",
    ".debug_addr",         ".debug_ranges",   ".debug_rnglists",
    ".gnu_debugaltlink",   ".debug_info.dwo", ".debug_abbrev.dwo",
    ".debug_str.dwo",      ".debug_cu_index", ".debug_str_offsets.dwo",
    ".debug_rnglists.dwo",
};

enum { SECTIONS = sizeof(names) / sizeof(names[0]), FIRST_OTHER = 10 };

struct input {
    struct bytes sections[SECTIONS];
};

static struct bytes find(const struct input *in, const char *name, size_t from,
                         size_t to)
{
    for (size_t i = from; i < to; i++)
        if (!strcmp(names[i], name))
            return in->sections[i];
    return (struct bytes){0};
}

static struct bytes section(void *context, const char *name)
{
    return find(context, name, 0, FIRST_OTHER);
}

static struct bytes other_section(void *context, const char *name)
{
    return find(context, name, FIRST_OTHER, SECTIONS);
}

/* An alternate file has sections of the plain names. */
static bool companion(void *context, const struct dwarf_companion *wanted,
                      struct dwarf_source *found)
{
    bool alternate = wanted->kind == DWARF_ALTERNATE;

    *found = (struct dwarf_source){
        .name = "other",
        .context = context,
        .section = alternate ? section : other_section,
    };
    return true;
}

FUZZ(dwarf)
{
    struct input in;
    struct reader r = reader_of("fuzz", data, size, 0, NULL);
    struct dwarf_source source = {
        .name = "fuzz",
        .context = &in,
        .section = section,
        .companion = companion,
    };
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    struct dwarf *dwarf;
    bool plain;

    for (size_t i = 0; i < SECTIONS; i++) {
        size_t n = reader_u16(&r);

        in.sections[i] =
            reader_bytes(&r, n < reader_left(&r) ? n : reader_left(&r));
    }
    dwarf = dwarf_open(&source, NULL);
    for (uint64_t at = 0; dwarf && at < 0x4000; at += 5)
        if (dwarf_frames(dwarf, at, frames, DEBUG_FRAMES_MAX, &plain) >
            DEBUG_FRAMES_MAX)
            abort();
    dwarf_close(dwarf);
    return 0;
}
