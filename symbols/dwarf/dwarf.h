/*
 * dwarf - functions, inlined calls and source lines from DWARF 2 to 5.
 *
 *     struct dwarf *dwarf = dwarf_open(&source, &err);
 *     n = dwarf_frames(dwarf, address, frames, DEBUG_FRAMES_MAX, &plain);
 *     dwarf_close(dwarf);
 *
 * The source knows where the sections come from (ELF, PE, memory). Opening
 * reads .debug_aranges; a unit's functions and lines are decoded when an
 * address in it is first asked for, once. The headers of all units, and the
 * first entries of those that are not listed there, are read only when an
 * address is in none that is. Strings live until dwarf_close.
 *
 * Other files that a file refers to are asked for through the source's
 * `companion` when they are needed, and only then. Without them answers have
 * fewer names, never wrong ones.
 */
#ifndef TOPFN_DWARF_H
#define TOPFN_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/reader.h"
#include "symbols/debug.h"

enum dwarf_companion_kind {
    DWARF_PACKAGE,    /* FILE.dwp: all split units of this file */
    DWARF_SPLIT_UNIT, /* a .dwo file: one split unit */
    DWARF_ALTERNATE,  /* what dwz moved out of several files */
};

struct dwarf_companion {
    enum dwarf_companion_kind kind;
    const char *name;      /* as stored; NULL for a package */
    const char *folder;    /* of the compilation, for a split unit; or NULL */
    struct bytes build_id; /* of an alternate file; its checksum in DWARF 5 */
    uint64_t split_id;     /* of a split unit */
};

struct dwarf_source {
    const char *name; /* for messages */
    void *context;
    /* The plain bytes of a section (".debug_info"); nothing if absent. They
     * must live as long as the dwarf. */
    struct bytes (*section)(void *context, const char *name);
    /* Opens another file and describes it in `found`, which also must live
     * as long; false if there is none. NULL: there never is. */
    bool (*companion)(void *context, const struct dwarf_companion *wanted,
                      struct dwarf_source *found);
    bool big_endian;
    uint64_t stored_line; /* bytes that .debug_line was unpacked from; 0: it
                             was not packed */
};

/* Tells whether a package or .dwo file, whose `companion` is not asked, has the
 * split unit of that id. */
bool dwarf_has_split_unit(const struct dwarf_source *source, uint64_t id);

struct dwarf;

/* Returns NULL with ERR_NOT_FOUND if there is no DWARF, and with another error
 * if it cannot be used. The source is copied. */
struct dwarf *dwarf_open(const struct dwarf_source *source, struct err *err);
void dwarf_close(struct dwarf *dwarf);

/* Does what debug_frames does, for an address as linked. When only the line is
 * known (assembly), the one frame's function is NULL. `plain` tells that the
 * last frame's name is not a linkage name: a symbol table may know better. */
size_t dwarf_frames(struct dwarf *dwarf, uint64_t address,
                    struct debug_frame *frames, size_t max, bool *plain);

/* The part left out so far because it asked for too much: a phrase that begins
 * with the part; or NULL. */
const char *dwarf_flaw(const struct dwarf *dwarf);

#endif
