/*
 * companions - the other files that the DWARF of an ELF file refers to.
 *
 *     struct companions *c = companions_new("/srv/app.debug", &places);
 *     file->kind->set_finder(file, &(struct elf_finder){companions_find, c});
 *     ...
 *     debug_close(file);
 *     companions_free(c);
 *
 * Looked for in this order, and used only when the id in it is the one
 * wanted (the unit's, or the build-id):
 *
 *     package     FILE.dwp beside the file and in the places, FILE with its
 *                 last ending and without
 *     split unit  its name, as a path and alone, beside the file and in the
 *                 places; then the path that the file gives
 *     what dwz    by build-id below the places and /usr/lib/debug; by name
 *     moved out   beside the file, in the places and in .dwz of these; then
 *                 the path that the file gives
 */
#ifndef TOPFN_COMPANIONS_H
#define TOPFN_COMPANIONS_H

#include "symbols/dwarf/dwarf.h"
#include "symbols/find/found_file.h"

struct companions;

/* Finds companions of the file at `path`. The places must live as long. */
struct companions *companions_new(const char *path,
                                  const struct places *places);
void companions_free(struct companions *c);

/* Adds to `found` what was wanted and is not at hand, and what is in use. */
void companions_tell(const struct companions *c, struct found *found);

/* An elf_finder. Bytes live until companions_free. */
bool companions_find(void *companions, const struct dwarf_companion *wanted,
                     const uint8_t **data, size_t *size);

#endif
