/*
 * aranges - which units an address table lists, without reading the units.
 *
 *     bool *listed = aranges_add(&file, &spans);
 *     if (!listed[i])
 *         ...                  // unit i must tell its ranges itself
 *     free(listed);
 *
 * The values of the spans are numbers of units. A table that is damaged lists
 * what it lists before the damage.
 */
#ifndef TOPFN_DWARF_ARANGES_H
#define TOPFN_DWARF_ARANGES_H

#include "symbols/dwarf/spans.h"
#include "symbols/dwarf/unit.h"

/* By unit; to be freed. */
bool *aranges_add(struct dwarf_file *file, struct spans *spans);

#endif
