/*
 * find_assembly - the files of a managed module: its PDB and itself.
 *
 *     struct found pdb = find_managed_pdb(p, module, &places);
 *     struct found image = find_assembly(p, module, &places, true);
 *
 * Both by the GUID of the PDB that the runtime named when it loaded the
 * module: in the places, as search.h has it, then where the trace has the
 * assembly; the PDB then from servers. To be released; FIND_NOT_NAMED when
 * the trace names no PDB.
 *
 * Recordings of perf name none: there the caller says whether a file of the
 * module's name is the one.
 */
#ifndef TOPFN_FIND_ASSEMBLY_H
#define TOPFN_FIND_ASSEMBLY_H

#include "engine/model/profile.h"
#include "symbols/find/search.h"

struct found find_managed_pdb(const struct profile *p, uint32_t module,
                              const struct places *places);
/* `at_path`: at the path in the trace, too. */
struct found find_assembly(const struct profile *p, uint32_t module,
                           const struct places *places, bool at_path);

/* The first file of the module's name in the places, or at its path, that
 * `is_it` takes; FIND_MISMATCH when it takes none of them. */
struct found find_assembly_named(
    const struct profile *p, uint32_t module, const struct places *places,
    bool (*is_it)(void *state, const struct debug_file *file), void *state);

#endif
