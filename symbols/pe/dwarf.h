/*
 * pe_dwarf - Windows images by MinGW and others that carry DWARF inside.
 *
 *     struct pe_dwarf *d = pe_dwarf_open("app.exe", data, size);
 *     if (d)
 *         n = pe_dwarf_frames(d, rva, frames, DEBUG_FRAMES_MAX);
 *     pe_dwarf_close(d);
 *
 * Such images name no PDB. As a debug kind it answers for images that have
 * .debug_info; functions that only their COFF symbol table has are named
 * after it.
 */
#ifndef TOPFN_PE_DWARF_H
#define TOPFN_PE_DWARF_H

#include "symbols/debug.h"

extern const struct debug_kind pe_dwarf_debug_kind;

struct pe_dwarf;

/* NULL when the image has no DWARF, or is none. Bytes must live as long. */
struct pe_dwarf *pe_dwarf_open(const char *name, const uint8_t *data,
                               size_t size);
size_t pe_dwarf_frames(struct pe_dwarf *d, uint64_t rva,
                       struct debug_frame *frames, size_t max);
void pe_dwarf_close(struct pe_dwarf *d);

#endif
