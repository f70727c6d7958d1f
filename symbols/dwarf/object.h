/*
 * object - sections in memory as libdwarf wants to see an object file.
 */
#ifndef TOPFN_DWARF_OBJECT_H
#define TOPFN_DWARF_OBJECT_H

#include <libdwarf/libdwarf.h>

#include "symbols/dwarf/unit.h"

enum { OBJECT_SECTIONS = 10 };

struct object {
    struct Dwarf_Obj_Access_Interface_s access;
    struct {
        const char *name;
        struct bytes bytes;
    } sections[OBJECT_SECTIONS];
};

/* NULL if libdwarf refuses. The object and the bytes must live as long. */
Dwarf_Debug object_open(struct object *object,
                        const struct dwarf_sections *sections);
void object_close(Dwarf_Debug debug);

#endif
