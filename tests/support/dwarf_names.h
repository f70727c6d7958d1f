/*
 * dwarf_names - what made sections of DWARF say of two addresses.
 *
 *     check_names(&d, "first", "second", "what this is about");
 *
 * Looks at LOW and 0x1000 behind it, and takes the sections away. Included by
 * test programs only.
 */
#ifndef TOPFN_TESTS_DWARF_NAMES_H
#define TOPFN_TESTS_DWARF_NAMES_H

#include "tests/support/dwarf_writer.h"
#include "tests/support/suite.h"

enum { LOW = 0x1000 };

/* Of an address: "" when there is nothing, "?" for code without a name. */
static const char *name_at(struct dwarf *dwarf, uint64_t address)
{
    struct debug_frame f[4];
    bool plain;
    size_t n = dwarf_frames(dwarf, address, f, 4, &plain);

    return !n ? "" : f[n - 1].function ? f[n - 1].function : "?";
}

static inline struct dwarf *open_parts(struct dwarf_parts *d)
{
    struct dwarf_source source = dwarf_source_of(d);
    struct err err = {0};

    return dwarf_open(&source, &err);
}

/* The names at LOW and 0x1000 behind it, then takes all of it away. */
static inline void check_names(struct dwarf_parts *d, const char *first,
                               const char *second, const char *what)
{
    struct dwarf *dwarf = open_parts(d);

    ck_assert_ptr_nonnull(dwarf);
    ck_assert_msg(!strcmp(name_at(dwarf, LOW), first), "%s: %s, not %s", what,
                  name_at(dwarf, LOW), first);
    ck_assert_msg(!strcmp(name_at(dwarf, LOW + 0x1000), second),
                  "%s: %s, not %s", what, name_at(dwarf, LOW + 0x1000), second);
    dwarf_close(dwarf);
    dwarf_parts_release(d);
}

#endif
