/*
 * machine - the machines whose copied registers are walked from.
 *
 *     enum pd_machine id = pd_machine_by_name("aarch64", 7);
 *     const struct machine *m = pd_machine(id);     // NULL: not walked
 *
 * perf numbers registers in its own way on every machine: registers of one
 * that is not known must never be read as those of another.
 */
#ifndef TOPFN_PERFDATA_MACHINE_H
#define TOPFN_PERFDATA_MACHINE_H

#include <stddef.h>
#include <stdint.h>

enum pd_machine {
    PD_MACHINE_UNKNOWN, /* the recording does not say */
    PD_X64,
    PD_ARM64,
    PD_MACHINE_OTHER, /* none of these */
};

/* What a machine calls its registers. */
struct machine {
    uint8_t stack, frame; /* pointers, in DWARF's numbers */
    uint8_t numbers[64];  /* by perf's number: DWARF's + 1; 0: none */
    uint8_t address;      /* of the code, in perf's numbers */
    uint8_t address_bits; /* upper ones are a signature */
};

/* NULL: stacks of such a machine are not walked. */
const struct machine *pd_machine(enum pd_machine id);

/* As uname calls it. */
enum pd_machine pd_machine_by_name(const uint8_t *name, size_t n);
/* By e_machine of its programs; 0 is PD_MACHINE_UNKNOWN. */
enum pd_machine pd_machine_by_elf(unsigned number);
/* By the registers that perf copies there unless it is told otherwise. */
enum pd_machine pd_machine_by_mask(uint64_t mask);

#endif
