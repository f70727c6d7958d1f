/*
 * go - the table of functions of a Go program (symbols/elf/go_table.h), found
 * in its image for Windows.
 *
 *     struct go_table table;
 *     if (pe_go_table(&pe, &table))
 *         n = go_table_frames(&table, pe.base + rva, frames, max);
 */
#ifndef TOPFN_PE_GO_H
#define TOPFN_PE_GO_H

#include "symbols/elf/go_table.h"
#include "symbols/pe/pe.h"

/* False: it is not of Go, or its table cannot be read. */
bool pe_go_table(const struct pe *pe, struct go_table *table);

#endif
