/*
 * What the files that read saved names share.
 */
#ifndef TOPFN_VSP_SAVED_IMPL_H
#define TOPFN_VSP_SAVED_IMPL_H

#include "engine/format/vsp/saved.h"

/* A table of `count` entries of `size` bytes at a file offset; NULL when it
 * is not all there or more than anybody would share. */
const uint8_t *saved_table(struct vsp_saved *saved, uint64_t at,
                           uint64_t count, uint64_t size);

/* Of all modules: saved_managed.c. */
void saved_read_managed(struct vsp_saved *saved);

#endif
