/* The frames of an address as the profile has it; 0 where it is of no code. */
#ifndef TOPFN_TEST_MODULE_FRAMES_H
#define TOPFN_TEST_MODULE_FRAMES_H

#include "symbols/find/module.h"

static inline size_t module_frames(const struct module_files *files,
                                   uint64_t address, struct debug_frame *frames,
                                   size_t max)
{
    uint64_t rva;

    return module_rva(files, address, &rva)
               ? module_frames_at(files, rva, frames, max)
               : 0;
}

#endif
