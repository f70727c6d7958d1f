/*
 * diff_debug_info - modules with debug information in some recordings only.
 *
 *     struct out *modules = out_memory();
 *     diff_debug_info_level(profiles, n, modules);
 *     if (*out_text(modules, NULL))
 *         warn(out_text(modules, NULL));  // "shop, libc.so.6"
 *
 * Debug information tells which functions were inlined. A recording that has it
 * counts their samples for them, one without it for the function that they were
 * inlined into: one function looks new and another gone. So inlined functions
 * of such a module are folded into that function in every recording.
 *
 * A module is such a module if one of its functions has source lines in one
 * recording and none in another. Call it before samples are selected.
 */
#ifndef TOPFN_DIFF_DEBUG_INFO_H
#define TOPFN_DIFF_DEBUG_INFO_H

#include "engine/base/out.h"
#include "engine/model/profile.h"

/* Writes the names of the modules in which functions were folded, in order of
 * their first recording. */
void diff_debug_info_level(struct profile *const *profiles, size_t n,
                           struct out *modules);

#endif
