/*
 * disasm - machine code as instructions.
 *
 *     struct disasm *d = disasm_open(DEBUG_X64);
 *     while (disasm_next(d, &code, &address, &instruction))
 *         puts(instruction.text);
 *     disasm_close(d);
 *
 * Capstone decodes; x86 as Intel writes it. Bytes that are no instruction
 * are shown as such, one of x86 or four of ARM64 at a time.
 */
#ifndef TOPFN_DISASM_H
#define TOPFN_DISASM_H

#include "symbols/debug.h"
#include <stdbool.h>
#include "engine/base/reader.h"

struct disasm;

enum flow { FLOW_ON, FLOW_JUMP, FLOW_CALL };

enum { INSTRUCTION_TEXT = 200 };

struct instruction {
    uint64_t address;
    struct bytes bytes;          /* of the code given */
    char text[INSTRUCTION_TEXT]; /* "mov eax, ebx" */
    enum flow flow;
    bool has_target; /* of a jump or call: known from the instruction alone */
    uint64_t target;
};

/* NULL: there is no decoder for the machine, or its library is not installed.
 */
struct disasm *disasm_open(enum debug_machine machine);
void disasm_close(struct disasm *d);

/* Takes the next instruction off `code` and moves `address` behind it; false
 * when nothing is left. */
bool disasm_next(struct disasm *d, struct bytes *code, uint64_t *address,
                 struct instruction *instruction);

/* `code` from the address on. */
bool is_signal_return(struct bytes code, enum debug_machine machine);

#endif
