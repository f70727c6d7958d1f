/*
 * find_pdb - the PDB that belongs to an image, in the places named.
 *
 *     struct found found = find_pdb(&cv, "bin/app.exe", &places);
 *     if (found.file)
 *         debug_frames(found.file, rva, ...);
 *     else
 *         say("%s: %s", found.name, find_cause_text(found.cause));
 *     found_release(&found);
 *
 * Looked at in this order: the folder of the image, for NAME and for the
 * image's own name with .pdb; each place, as search.h has it; then servers
 * (online.h). NAME is the last part of the path that the image names, and
 * never leaves the folder. Only a file with the image's GUID and age is used.
 */
#ifndef TOPFN_FIND_PDB_H
#define TOPFN_FIND_PDB_H

#include "symbols/find/search.h"
#include "symbols/pe/pe.h"
#include "engine/model/profile.h"

/* `cv` NULL: the image names none, and a file among them is not used.
 * `image` NULL: only its identity is known, and it is one of many. */
struct found find_pdb(const struct pe_codeview *cv, const char *image,
                      const struct places *places);

/* The PDB that a trace names for a module, as an image would. False: none. */
bool pdb_of_identity(const struct profile *p, const struct identity *id,
                     struct pe_codeview *cv);

enum { PDB_KEY_SIZE = 32 + 8 + 1 };

/* "CCF79D6C6BA5FBBF4C4C44205044422E1": GUID and age as stores write them. */
void pdb_key(const uint8_t guid[16], uint32_t age, char key[PDB_KEY_SIZE]);

struct found find_managed_pdb(const struct profile *p, uint32_t module,
                              const struct places *places);
/* In the places, then at the path in the trace. */
struct found find_assembly(const struct profile *p, uint32_t module,
                           const struct places *places);

/* The first file of the module's name in the places, or at its path, that
 * `is_it` takes; FIND_MISMATCH when it takes none of them. */
struct found find_assembly_named(
    const struct profile *p, uint32_t module, const struct places *places,
    bool (*is_it)(void *state, const struct debug_file *file), void *state);

#endif
