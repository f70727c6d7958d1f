/*
 * object - the header of one line table as an object file for libdwarf.
 *
 *     Dwarf_Die unit = object_open(&object, &sections, header);
 *     if (unit)
 *         ... dwarf_srclines_b(unit, ...)
 *     object_close(&object);
 *
 * libdwarf sees a unit made here that refers to the table, the table without
 * its program, and the sections of strings: nothing else of a file that may
 * be hostile. (Damage in .debug_rnglists makes libdwarf 20210528 free memory
 * twice, and it makes an object for every row of a program.)
 */
#ifndef TOPFN_DWARF_OBJECT_H
#define TOPFN_DWARF_OBJECT_H

#include <libdwarf/libdwarf.h>

#include "symbols/dwarf/unit.h"

enum { OBJECT_SECTIONS = 6 };

struct object {
    struct Dwarf_Obj_Access_Interface_s access;
    struct {
        const char *name;
        struct bytes bytes;
    } sections[OBJECT_SECTIONS];
    uint8_t *header; /* a copy that says how short it is */
    Dwarf_Debug debug;
    Dwarf_Die unit;
};

/* NULL if libdwarf refuses. Sections must live as long. To be closed even
 * then. */
Dwarf_Die object_open(struct object *object,
                      const struct dwarf_sections *sections,
                      struct bytes header);
void object_close(struct object *object);

#endif
