/*
 * jitdump_writer - files of generated code, in either byte order.
 *
 *     struct jitdump_writer w = {.big_endian = true};
 *     jitdump_begin(&w);
 *     jitdump_lines(&w, 0x1000, lines, 2);
 *     jitdump_load(&w, 0x1000, 0x40, 1, "run");
 *     free(w.b.data);
 */
#ifndef TOPFN_TESTS_JITDUMP_WRITER_H
#define TOPFN_TESTS_JITDUMP_WRITER_H

#include <stdbool.h>

#include "tests/support/blob.h"

struct jitdump_writer {
    struct blob b;
    bool big_endian;
};

struct jitdump_line {
    uint64_t address;
    uint32_t line;
    const char *file;
};

void jitdump_begin(struct jitdump_writer *w);
/* Of the code at `address` that is loaded next. */
void jitdump_lines(struct jitdump_writer *w, uint64_t address,
                   const struct jitdump_line *lines, size_t n);
/* The code is zeros. */
void jitdump_load(struct jitdump_writer *w, uint64_t address, uint64_t size,
                  uint64_t index, const char *name);
void jitdump_move(struct jitdump_writer *w, uint64_t from, uint64_t to,
                  uint64_t size, uint64_t index);
/* Unwind data of the code that is loaded next: an .eh_frame of `size` bytes,
 * and a header behind it. */
void jitdump_unwinding(struct jitdump_writer *w, const void *frames,
                       size_t size);
/* A record without names: CLOSE 3, UNWINDING_INFO 4, or of the future. */
void jitdump_other(struct jitdump_writer *w, uint32_t id, size_t size);

#endif
