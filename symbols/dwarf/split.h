/*
 * split - the other half of a skeleton unit: in FILE.dwp or in a .dwo file.
 */
#ifndef TOPFN_DWARF_SPLIT_H
#define TOPFN_DWARF_SPLIT_H

#include "symbols/dwarf/unit.h"

struct split_files {
    struct dwarf_file *package;
    bool package_sought;
    VEC(struct { struct dwarf_file *file; })
    files; /* the package and every .dwo */
};

/* The unit with the skeleton's entries; NULL if it has none or its file is
 * not found. Sought once. */
struct unit *split_of(struct split_files *files, struct unit *skeleton);

/* Of one of the files (dwarf_file_flaw); or NULL. */
const char *split_flaw(const struct split_files *files);

void split_release(struct split_files *files);

#endif
