/*
 * call_frames - call frame information: .eh_frame and .debug_frame.
 *
 *     struct call_frames *f = call_frames_open(&section);
 *     if (call_frames_find(f, address, &row))
 *         ...
 *     call_frames_close(f);
 *
 * Addresses are as linked. A description that is damaged is left out; those
 * before and behind it, which can be told by their sizes, are used.
 *
 * libdwarf 20210528 makes two objects of every function before it answers for
 * one address, and trusts what they say; libdw cannot be in one program with
 * it, as both have functions of the same names. So descriptions are read
 * here.
 */
#ifndef TOPFN_CALL_FRAMES_H
#define TOPFN_CALL_FRAMES_H

#include "engine/attribution/frame_rules.h"
#include "engine/base/budget.h"
#include "engine/base/reader.h"

/* The form is in the low four bits, what it counts from above. */
enum frame_pointer_encoding { POINTER_ABSOLUTE = 0x00, POINTER_FORM = 0x0F };

struct frame_pointers {
    uint64_t address; /* of the section, which reader offsets count from */
    bool wide;        /* absolute ones have 64 bits */
};

struct frame_program {
    struct bytes section; /* that all instructions are in */
    struct frame_pointers pointers;
    struct bytes first; /* instructions that come before each function's */
    uint64_t code_factor;
    int64_t data_factor;
    uint8_t return_register, encoding;
    bool signal;
};

struct call_frames_section {
    struct bytes bytes; /* must live as long */
    uint64_t address;   /* as linked; of .eh_frame */
    bool is_debug;      /* .debug_frame */
    bool wide;          /* pointers have 64 bits */
};

struct call_frames;

struct call_frames *call_frames_open(const struct call_frames_section *s);
void call_frames_close(struct call_frames *f);

/* The rules at an address. False: there are none, or they would take more work
 * than the section has left. */
bool call_frames_find(struct call_frames *f, uint64_t address,
                      struct frame_row *row);

/* True if rules were left out as too much work. */
bool call_frames_are_cut(const struct call_frames *f);

/* The row of `address`, for a function that begins at `start`. Work is taken
 * from the budget: an instruction is 1. False when something is not understood
 * or too much work. */
bool frame_program_run(const struct frame_program *program, uint64_t start,
                       struct bytes instructions, uint64_t address,
                       struct budget *budget, struct frame_row *row);

uint64_t frame_pointer_read(const struct frame_pointers *p, struct reader *r,
                            uint8_t encoding);

#endif
