/*
 * kernel_slide - where a kernel ran, of which the recording does not tell.
 *
 * Linux begins at another place each time it is started, some multiple of
 * 2 MB behind the one that it was linked for. A recorder without privilege is
 * not told. But what a call returns to has a call before it: with the right
 * distance so has nearly every return address of a recording, and with any
 * other one hardly any has.
 *
 *     uint64_t slide;
 *     if (kernel_slide_find(vmlinux, returns, n, &slide))
 *         look_up(address - elf_base(vmlinux) - slide);
 *
 * Of x64, with the kernel's code at hand. `returns` are addresses as recorded.
 */
#ifndef TOPFN_KERNEL_SLIDE_H
#define TOPFN_KERNEL_SLIDE_H

#include "symbols/debug.h"

/* False: too few of them agree on one. */
bool kernel_slide_find(struct debug_file *kernel, const uint64_t *returns,
                       size_t n, uint64_t *slide);

#endif
