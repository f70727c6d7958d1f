/*
 * frame_program - the instructions that say where registers were saved.
 *
 *     struct frame_program program = {...}; // what functions have in common
 *     if (frame_program_run(&program, start, instructions, address, &row))
 *         ...
 *
 * DWARF 5, section 6.4.2, and what GNU added.
 */
#ifndef TOPFN_FRAME_PROGRAM_H
#define TOPFN_FRAME_PROGRAM_H

#include "engine/attribution/frame_rules.h"
#include "engine/base/reader.h"
#include "symbols/dwarf/frame_pointer.h"

struct frame_program {
    struct bytes section; /* that all instructions are in */
    struct frame_pointers pointers;
    struct bytes first; /* instructions that come before each function's */
    uint64_t code_factor;
    int64_t data_factor;
    uint8_t return_register, encoding;
    bool signal;
};

/* The row of `address`, for a function that begins at `start`. False when
 * something is not understood. */
bool frame_program_run(const struct frame_program *program, uint64_t start,
                       struct bytes instructions, uint64_t address,
                       struct frame_row *row);

#endif
