/*
 * frame_rules - how to get from a function's frame to its caller's, and other
 * things that only the images which ran can tell.
 *
 * A recording may hold registers and a copy of stack memory in place of a call
 * chain. The images that ran tell for every instruction where the caller's
 * registers are (.eh_frame, .debug_frame). Only the program around the engine
 * can find these images, so it passes a source of them to the reader.
 *
 *     void *image = source->open(source->state, profile, module);
 *     if (image && source->find(image, address, &row))
 *         ... row.rules[6] tells where the caller's register 6 is
 *     source->close(image);
 *
 * Registers have the numbers of DWARF for the machine. Expressions are DWARF
 * bytes in the image, valid until it is closed; they come from a stranger.
 */
#ifndef TOPFN_FRAME_RULES_H
#define TOPFN_FRAME_RULES_H

#include "engine/base/reader.h"
#include "engine/model/profile.h"

enum { FRAME_REGISTERS = 33 }; /* of arm64; x64 has 17 */

enum frame_rule_kind {
    RULE_SAME,             /* the caller has what this frame has */
    RULE_UNDEFINED,        /* lost; of the return address: no caller */
    RULE_SAVED,            /* in memory at the frame address + offset */
    RULE_OFFSET,           /* is the frame address + offset */
    RULE_REGISTER,         /* is register `offset` of this frame */
    RULE_SAVED_EXPRESSION, /* in memory where the expression says */
    RULE_EXPRESSION,       /* is what the expression says */
};

struct frame_rule {
    uint8_t kind; /* enum frame_rule_kind */
    uint32_t size;
    int64_t offset;
    const uint8_t *expression; /* `size` bytes */
};

struct frame_row {
    /* The frame's address: register `base` + offset, or an expression. */
    struct frame_rule frame;
    uint8_t base;
    uint8_t return_register;
    bool signal; /* what was interrupted is exact, no return address */
    struct frame_rule rules[FRAME_REGISTERS];
};

/* A file of the machine that recorded, as it was mapped. */
struct mapped_file {
    const char *path;
    uint32_t major, minor; /* of the device */
    uint64_t inode;
    const char *kernel; /* it is the kernel: "Linux 6.1.0"; else NULL */
};

struct frame_rules_source {
    void *state;
    /* The build-id of a file that is still there, for recordings made on this
     * machine that do not tell it. False: it is another file now. */
    bool (*identify)(const struct mapped_file *file, struct identity *identity);
    /* An image by its module; NULL: there is none. */
    void *(*open)(void *state, const struct profile *p, uint32_t module);
    /* The same of generated code, from its .eh_frame at this address; it must
     * live as long. May be NULL. */
    void *(*open_code)(void *state, struct bytes eh_frame, uint64_t address);
    /* e_machine of an ELF image; 0: not known. May be NULL. */
    unsigned (*machine)(void *opened);
    /* At an address as the profile has it. A caller's is that of the byte
     * before: its call may be the function's last instruction. */
    bool (*find)(void *opened, uint64_t address, struct frame_row *row);
    /* True if rules of the image were left out, as they ask for too much work.
     * May be NULL. */
    bool (*is_cut)(void *opened);
    void (*close)(void *opened);
};

#endif
