/*
 * names - what the function of an entry is called.
 *
 * A linkage name anywhere along DW_AT_abstract_origin and DW_AT_specification
 * is best, as it says everything. Otherwise DW_AT_name, behind the names of
 * the namespaces and classes that it stands in: "app::Pool::grow".
 */
#ifndef TOPFN_DWARF_NAMES_H
#define TOPFN_DWARF_NAMES_H

#include "engine/base/arena.h"
#include "symbols/dwarf/unit.h"

/* NULL when no name can be read. The name lives in the file or the arena.
 * `plain`: it is no linkage name. */
const char *name_of_entry(struct unit *unit, uint64_t offset,
                          struct arena *arena, bool *plain);

#endif
