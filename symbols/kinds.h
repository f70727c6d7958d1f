/*
 * kinds - the debug formats, for the table of debug.c: one line a format.
 */
#ifndef TOPFN_KINDS_H
#define TOPFN_KINDS_H

#include "symbols/debug.h"

extern const struct debug_kind pdb_kind;
extern const struct debug_kind portable_kind;
extern const struct debug_kind pe_dwarf_kind;
extern const struct debug_kind pe_kind;
extern const struct debug_kind jitdump_kind;
extern const struct debug_kind r2r_kind;

#endif
