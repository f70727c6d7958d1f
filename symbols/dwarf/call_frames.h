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
#include "engine/base/reader.h"

struct call_frames_section {
    struct bytes bytes; /* must live as long */
    uint64_t address;   /* as linked; of .eh_frame */
    bool is_debug;      /* .debug_frame */
    bool wide;          /* pointers have 64 bits */
};

struct call_frames;

struct call_frames *call_frames_open(const struct call_frames_section *s);
void call_frames_close(struct call_frames *f);

/* The rules at an address. */
bool call_frames_find(const struct call_frames *f, uint64_t address,
                      struct frame_row *row);

#endif
