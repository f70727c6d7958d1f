/*
 * capstone - the disassembler's library, loaded when code is to be shown.
 *
 *     const struct capstone *cs = capstone_load();
 *     if (cs)
 *         cs->open(CS_ARCH_X86, CS_MODE_64, &handle);
 *
 * Its tables are 77,000 addresses that a loader has to set, a quarter of the
 * time in which a small report is done.
 */
#ifndef TOPFN_CAPSTONE_H
#define TOPFN_CAPSTONE_H

#include <capstone/capstone.h>

struct capstone {
    cs_err (*open)(cs_arch arch, cs_mode mode, csh *handle);
    cs_err (*close)(csh *handle);
    cs_err (*option)(csh handle, cs_opt_type type, size_t value);
    cs_insn *(*malloc)(csh handle);
    void (*free)(cs_insn *instructions, size_t count);
    bool (*disasm_iter)(csh handle, const uint8_t **code, size_t *size,
                        uint64_t *address, cs_insn *instruction);
    bool (*insn_group)(csh handle, const cs_insn *instruction, unsigned group);
};

/* NULL when the version we were built for is not installed. Its memory is
 * ours (engine/base/mem.h), so it never runs out of it. It stays loaded. */
const struct capstone *capstone_load(void);

#endif
