/*
 * find_module - the files that can name addresses of a module of a profile.
 *
 *     struct module_files files = find_module(p, module, &places);
 *     n = module_frames(&files, address, frames, DEBUG_FRAMES_MAX);
 *     module_files_release(&files);
 *
 * Of Windows: the PDB that the trace names, by GUID and age; the image, by
 * time stamp and size, which names its exports, tells where functions end,
 * and may name its PDB when the trace does not. Of ELF, by build-id only: the
 * trees .build-id/xx/yyyy.debug of every place and of /usr/lib/debug, then
 * NAME.debug and NAME in the places, then the path that the trace gives: a
 * file is read from there only when its build-id is the one wanted.
 */
#ifndef TOPFN_FIND_MODULE_H
#define TOPFN_FIND_MODULE_H

#include "engine/profile.h"
#include "symbols/pe.h"
#include "symbols/search.h"

struct module_files {
    struct found debug; /* PDB, or ELF of either kind */
    struct found image; /* of Windows */
    struct found code;  /* ELF image, where `debug` has no code */
    struct pe pe;       /* of the image */
    bool by_file_offset;
    bool is_complete; /* names more than exports: matching debug files win
                         over the names that a trace carries */
    enum name_cause cause; /* of addresses that stay without a name */
};

struct module_files find_module(const struct profile *p, uint32_t module,
                                const struct places *places);
void module_files_close(struct module_files *files);
void module_files_release(struct module_files *files);

/* Whose names are shown; NULL none. */
const struct debug_file *module_file_used(const struct module_files *files);

/* As debug_frames, for an address as the profile has it. */
size_t module_frames(const struct module_files *files, uint64_t address,
                     struct debug_frame *frames, size_t max);

/* The image with its code, which for ELF is looked for now; NULL none. Closed
 * and released with the files. */
struct debug_file *module_code(struct module_files *files,
                               const struct profile *p, uint32_t module,
                               const struct places *places);

/* The RVA of an address as the profile has it. */
bool module_rva(const struct module_files *files, uint64_t address,
                uint64_t *rva);
/* As debug_frames, and the bounds of the function, for an RVA. */
size_t module_frames_at(const struct module_files *files, uint64_t rva,
                        struct debug_frame *frames, size_t max);
bool module_range(const struct module_files *files, uint64_t rva,
                  struct debug_range *range);

#endif
