/*
 * vsp_writer - small .vsp recordings.
 *
 *     struct vsp_writer w;
 *     vsp_begin(&w, 4);
 *     vsp_block(&w, 1);
 *     vsp_process(&w, 100, 10, "a.exe");
 *     vsp_block(&w, 4);
 *     vsp_sample(&w, 200, 11, frames, 2, false);
 *     vsp_end(&w);
 *     ... w.b ...
 *
 * Records go to the block begun last. Times are cycles of a clock of 1 MHz,
 * so a cycle is 1000 ns.
 */
#ifndef TOPFN_TESTS_VSP_WRITER_H
#define TOPFN_TESTS_VSP_WRITER_H

#include <stdbool.h>

#include "tests/support/blob.h"

enum { VSP_HEADER = 20480, VSP_BLOCK = 65536 };

struct vsp_writer {
    struct blob b;
    unsigned width;
    uint32_t blocks, samples, broken, sequence;
    size_t block; /* offset of the current one, 0 before the first */
    uint32_t records;
};

void vsp_begin(struct vsp_writer *w, unsigned width);
void vsp_block(struct vsp_writer *w, uint32_t type);
void vsp_process(struct vsp_writer *w, uint64_t time, uint32_t pid,
                 const char *path);
void vsp_thread(struct vsp_writer *w, uint64_t time, uint32_t pid,
                uint32_t tid);
void vsp_module(struct vsp_writer *w, uint64_t time, bool load, uint64_t base,
                uint32_t size, uint32_t stamp, const char *path);
void vsp_sample(struct vsp_writer *w, uint64_t time, uint32_t tid,
                const uint64_t *frames, size_t n, bool broken);
void vsp_wait(struct vsp_writer *w, uint64_t start, uint64_t end,
              uint32_t tid, const uint64_t *frames, size_t n);
/* With a map of one entry, IL offset 5 for the whole code, in a block of
 * type 8. */
void vsp_method(struct vsp_writer *w, uint64_t time, uint64_t start,
                uint32_t length, uint32_t token, uint32_t pid, uint8_t mvid,
                bool map);

/* Ends the blocks; totals of the header are right. */
void vsp_end(struct vsp_writer *w);

/* Appends saved names: of one native module (function "run" at RVA 0x1000,
 * 0x100 long, in "a.cpp", line 7 for RVA 0x1010) and one managed (token
 * 0x06000001 is "N.C.M()", in "m.cs", line 30 for IL 0 to 9). */
void vsp_saved_names(struct vsp_writer *w, const char *native, uint32_t size,
                     uint32_t stamp, const char *managed, uint8_t mvid);

#endif
