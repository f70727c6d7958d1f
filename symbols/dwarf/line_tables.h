/*
 * line_tables - whether the tables of a line table's header can be trusted.
 *
 * libdwarf 20210528 makes room for as many folders and files as a header of
 * DWARF 5 claims to have, up to gigabytes. Ask here first.
 */
#ifndef TOPFN_DWARF_LINE_TABLES_H
#define TOPFN_DWARF_LINE_TABLES_H

#include <stdbool.h>

#include "symbols/dwarf/line_program.h"

/* Every entry that the header counts is there. */
bool line_tables_complete(const struct line_header *header);

#endif
