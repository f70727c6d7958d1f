/*
 * ranges - the addresses of an entry: DW_AT_low_pc and DW_AT_high_pc, or a
 * list in .debug_ranges (DWARF 3, 4) or .debug_rnglists (DWARF 5).
 *
 * Ranges that start at 0 or 1, or at the very top, are code that the linker
 * dropped: bfd, gold and lld each have their own mark. They are left out.
 */
#ifndef TOPFN_DWARF_RANGES_H
#define TOPFN_DWARF_RANGES_H

#include "symbols/dwarf/spans.h"
#include "symbols/dwarf/unit.h"

/* Adds the ranges of an entry that its unit's cursor has just read. */
void ranges_add(struct unit *unit, const struct die *die, struct spans *spans,
                uint32_t value);

/* True when the entry has addresses, be they dropped code. */
bool ranges_any(const struct die *die);

#endif
