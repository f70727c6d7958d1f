/*
 * frame_pointer - addresses as call frame information has them.
 *
 *     struct frame_pointers p = {section.address, section.wide};
 *     start = frame_pointer_read(&p, &r, encoding);
 *
 * Each has a form of its own, and may count from its own place; one that counts
 * from elsewhere fails the reader.
 */
#ifndef TOPFN_FRAME_POINTER_H
#define TOPFN_FRAME_POINTER_H

#include "engine/base/reader.h"

/* The form is in the low four bits, what it counts from above. */
enum frame_pointer_encoding { POINTER_ABSOLUTE = 0x00, POINTER_FORM = 0x0F };

struct frame_pointers {
    uint64_t address; /* of the section, which reader offsets count from */
    bool wide;        /* absolute ones have 64 bits */
};

uint64_t frame_pointer_read(const struct frame_pointers *p, struct reader *r,
                            uint8_t encoding);

#endif
