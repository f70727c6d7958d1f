/*
 * aranges - which units an address table lists, without reading the units.
 *
 *     struct aranges table;
 *     aranges_read(&table, &file);
 *     i = spans_find(&table.spans, address);
 *     unit = dwarf_file_unit_at(&file, table.units.data[i]);
 *     aranges_release(&table);
 *
 * The values of the spans are indices of `units`. A table that is damaged
 * lists what it lists before the damage.
 */
#ifndef TOPFN_DWARF_ARANGES_H
#define TOPFN_DWARF_ARANGES_H

#include "symbols/dwarf/spans.h"
#include "symbols/dwarf/unit.h"

struct aranges {
    struct spans spans;
    VEC(uint64_t) units; /* where they begin, as it says */
    struct map at;       /* the same to index */
};

void aranges_read(struct aranges *table, struct dwarf_file *file);
bool aranges_lists(const struct aranges *table, const struct unit *unit);
void aranges_release(struct aranges *table);

#endif
