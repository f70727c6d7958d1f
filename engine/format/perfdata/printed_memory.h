/*
 * printed_memory - addresses for frames that were printed.
 *
 *     struct printed_memory memory = {.r = reading};
 *     uint32_t run = printed_memory_keep(&memory, pid, frames, n);
 *     printed_memory_tell_kernel(&memory);     // after the last sample
 *     printed_memory_release(&memory);
 *
 * Every file that frames are in becomes an image in a memory of our own
 * making: 2^48 bytes for each, in which an address is what was printed.
 * Functions that were inlined have no address, and get one in its upper half.
 * Names are symbols of one byte, that which was looked up: the one at the
 * address where a thread was interrupted, the one before it of callers.
 * (format.md, section 10)
 */
#ifndef TOPFN_PRINTED_MEMORY_H
#define TOPFN_PRINTED_MEMORY_H

#include "engine/format/perfdata/perfdata.h"
#include "engine/format/perfdata/printed.h"

enum {
    PRINTED_FILES = 0xFFF0, /* that get memory */
    /* Of a part of a stack: one more than is kept, so that it counts as cut. */
    PRINTED_FRAMES = STACK_PART_DEEPEST + 1,
};

/* What "(...)" behind a frame names. */
struct printed_image {
    uint32_t path;    /* string */
    bool kernel;      /* frames in it are of the kernel's space */
    bool jit;         /* a list of generated code */
    uint32_t symbols; /* their set */
    uint32_t module;
    uint64_t first, last; /* addresses, of the kernel's */
};

struct printed_memory {
    struct pd_reading *r;
    struct map image_ids; /* (string, kernel) -> image */
    VEC(struct printed_image) images;
    struct map told;                     /* (image, pid) */
    struct map symbol_ids;               /* (byte of code, set) */
    struct map made_up;                  /* (string, image) -> its number */
    uint32_t pid;                        /* of the sample */
    const struct printed_frame *held_by; /* what was inlined last, ... */
    uint32_t held_in;                    /* ... its image */
    uint64_t frames_elsewhere; /* in files behind the first PRINTED_FILES */
    uint8_t addresses[8 * PRINTED_FRAMES]; /* of a part of a stack */
};

bool printed_frame_is_kernel(const struct printed_frame *frame);

/* The callchain of a part of a stack, `n` frames, innermost first. Files of
 * the process are told as they are met. */
uint32_t printed_memory_keep(struct printed_memory *m, uint32_t pid,
                             const struct printed_frame *frames, size_t n);

/* The kernel itself has all of its addresses, its drivers those that were
 * met: once all samples are kept. */
void printed_memory_tell_kernel(struct printed_memory *m);

void printed_memory_release(struct printed_memory *m);

#endif
