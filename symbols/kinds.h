/*
 * kinds - the table of debug formats: one row each.
 *
 * In order of certainty: what only looks like a kind stands behind what
 * surely is one.
 */
#ifndef TOPFN_KINDS_H
#define TOPFN_KINDS_H

#include "symbols/debug.h"

#define DEBUG_KINDS(ROW)                                                       \
    ROW(pdb_kind)                                                              \
    ROW(portable_kind)                                                         \
    ROW(pe_dwarf_kind)       /* before pe_kind, which takes every PE */        \
    ROW(r2r_kind)            /* likewise */                                    \
    ROW(pe_kind)                                                               \
    ROW(elf_debug_kind)                                                        \
    ROW(jitdump_kind)                                                          \
    ROW(perf_map_debug_kind) /* text without a magic number */

#define DECLARE_KIND(kind) extern const struct debug_kind kind;
DEBUG_KINDS(DECLARE_KIND)
#undef DECLARE_KIND

#endif
