/*
 * find_module - the files that can name addresses of one image.
 *
 *     struct module_files files = find_module(p, module, &places);
 *     if (module_rva(&files, address, &rva))
 *         n = module_frames_at(&files, rva, frames, DEBUG_FRAMES_MAX);
 *     module_files_release(&files);
 *
 * For Windows modules: the PDB that the trace names, by GUID and age; the
 * image, by time stamp and size. The image has the names of its exports and the
 * ends of its functions, and it may name its PDB when the trace does not, or
 * hold DWARF itself. For ELF see find/elf.h. An image at hand is its own word
 * for what belongs to it.
 */
#ifndef TOPFN_FIND_MODULE_H
#define TOPFN_FIND_MODULE_H

#include "engine/model/profile.h"
#include "symbols/find/search.h"
#include "symbols/pe/pe.h"

struct module_files {
    struct found debug; /* PDB, or ELF */
    struct found image;
    struct pe pe; /* of a Windows image; section_count 0: none */
    bool by_file_offset;
    bool uses_debug;       /* its names are shown, not the image's */
    bool is_complete;      /* names more than exports: matching debug files win
                              over the names that a trace carries */
    enum name_cause cause; /* of addresses that stay without a name */
};

/* The places must live as long as files are open. */
struct module_files find_module(const struct profile *p, uint32_t module,
                                const struct places *places);

/* Files of an image at hand, or a debug file alone, which is then the image.
 * False: it cannot be opened; `files` is to be released even then. */
bool find_for_image(struct module_files *files, const char *path,
                    const struct places *places, struct err *err);

void module_files_close(struct module_files *files);
void module_files_release(struct module_files *files);

/* The file whose names are shown, also once it is closed; NULL none. */
const struct found *module_file_used(const struct module_files *files);

/* The part of the files in use that could not be unpacked or read, as far as it
 * is known, also once they are closed; NULL: nothing. */
const char *module_flaw(const struct module_files *files);

/* The RVA, as debug_kind has it, of an address as the profile has it. */
bool module_rva(const struct module_files *files, uint64_t address,
                uint64_t *rva);
/* The bounds of the function at an RVA, and its frames as debug_frames gives
 * them. */
bool module_range(const struct module_files *files, uint64_t rva,
                  struct debug_range *range);
size_t module_frames_at(const struct module_files *files, uint64_t rva,
                        struct debug_frame *frames, size_t max);

#endif
