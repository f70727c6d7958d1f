#include "symbols/disasm.h"

#include <capstone/capstone.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/library.h"
#include "engine/base/mem.h"

/*
 * Loads the disassembler's library when code is to be shown.
 *
 * Its tables are 77,000 addresses that a loader has to set, a quarter of the
 * time in which a small report is done.
 */

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

#define TEXT_OF(number)  #number
#define LIBRARY(version) "libcapstone.so." TEXT_OF(version)

static struct capstone api;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *library_malloc(size_t n)
{
    return mem_new(n ? n : 1, 1);
}

static void *library_calloc(size_t count, size_t size)
{
    return mem_new(count ? count : 1, size ? size : 1);
}

static void *library_realloc(void *old, size_t n)
{
    return mem_resize(old, n ? n : 1, 1);
}

/* Capstone looks at few of its allocations: ours do not fail. */
static bool set_memory(void)
{
    cs_opt_mem memory = {library_malloc, library_calloc, library_realloc, free,
                         vsnprintf};

    return !api.option(0, CS_OPT_MEM, (size_t)&memory);
}

static void load(void)
{
    void *library = library_load(LIBRARY(CS_API_MAJOR));

    is_loaded = library_find(library, "cs_open", &api.open) &&
                library_find(library, "cs_close", &api.close) &&
                library_find(library, "cs_option", &api.option) &&
                library_find(library, "cs_malloc", &api.malloc) &&
                library_find(library, "cs_free", &api.free) &&
                library_find(library, "cs_disasm_iter", &api.disasm_iter) &&
                library_find(library, "cs_insn_group", &api.insn_group) &&
                set_memory();
}

struct disasm {
    const struct capstone *cs;
    csh handle;
    cs_insn *room; /* for one instruction */
    enum debug_machine machine;
};

static bool open_capstone(const struct capstone *cs, enum debug_machine machine,
                          csh *handle)
{
    switch (machine) {
    case DEBUG_X86:
        return !cs->open(CS_ARCH_X86, CS_MODE_32, handle);
    case DEBUG_X64:
        return !cs->open(CS_ARCH_X86, CS_MODE_64, handle);
    case DEBUG_ARM64:
        return !cs->open(CS_ARCH_ARM64, CS_MODE_ARM, handle);
    case DEBUG_NO_MACHINE:
        break;
    }
    return false;
}

struct disasm *disasm_open(enum debug_machine machine)
{
    const struct capstone *cs;
    struct disasm *d;
    csh handle;

    /* NULL when the version we were built for is not installed. Its memory is
     * ours (engine/base/mem.h), so it never runs out of it. It stays loaded. */
    pthread_once(&once, load);
    cs = is_loaded ? &api : NULL;
    if (!cs || !open_capstone(cs, machine, &handle))
        return NULL;
    d = mem_new(1, sizeof(*d));
    d->cs = cs;
    d->handle = handle;
    d->machine = machine;
    cs->option(handle, CS_OPT_DETAIL, CS_OPT_ON);
    d->room = cs->malloc(handle);
    if (!d->room)
        mem_exhausted(sizeof(*d->room));
    return d;
}

void disasm_close(struct disasm *d)
{
    if (!d)
        return;
    d->cs->free(d->room, 1);
    d->cs->close(&d->handle);
    free(d);
}

/* A direct jump or call has its target as its last operand, a number. */
static bool target_of(const struct disasm *d, uint64_t *target)
{
    const cs_detail *detail = d->room->detail;

    if (d->machine == DEBUG_ARM64) {
        const cs_arm64 *arm = &detail->arm64;
        unsigned n = arm->op_count;

        if (!n || arm->operands[n - 1].type != ARM64_OP_IMM)
            return false;
        *target = (uint64_t)arm->operands[n - 1].imm;
        return true;
    }
    if (detail->x86.op_count != 1 || detail->x86.operands[0].type != X86_OP_IMM)
        return false;
    *target = (uint64_t)detail->x86.operands[0].imm;
    return true;
}

/* The library counts calls of ARM64 among jumps. */
static bool is_call(const struct disasm *d)
{
    unsigned id = d->room->id;

    if (d->machine == DEBUG_ARM64)
        return id == ARM64_INS_BL || id == ARM64_INS_BLR;
    return d->cs->insn_group(d->handle, d->room, CS_GRP_CALL);
}

bool disasm_next(struct disasm *d, struct bytes *code, uint64_t *address,
                 struct instruction *i)
{
    const uint8_t *at = code->data;
    size_t left = code->len, unit = d->machine == DEBUG_ARM64 ? 4 : 1;
    uint64_t next = *address;

    if (!left)
        return false;
    *i = (struct instruction){.address = *address};
    if (d->cs->disasm_iter(d->handle, &at, &left, &next, d->room)) {
        i->bytes = (struct bytes){code->data, code->len - left};
        snprintf(i->text, sizeof(i->text), "%s%s%s", d->room->mnemonic,
                 *d->room->op_str ? " " : "", d->room->op_str);
        if (is_call(d))
            i->flow = FLOW_CALL;
        else if (d->cs->insn_group(d->handle, d->room, CS_GRP_JUMP))
            i->flow = FLOW_JUMP;
        if (i->flow != FLOW_ON)
            i->has_target = target_of(d, &i->target);
    } else {
        int n;

        unit = unit < code->len ? unit : code->len;
        i->bytes = (struct bytes){code->data, unit};
        n = snprintf(i->text, sizeof(i->text), "(bad)");
        for (size_t k = 0; k < i->bytes.len; k++)
            n += snprintf(i->text + n, sizeof(i->text) - (size_t)n, " %02x",
                          i->bytes.data[k]);
    }
    code->data += i->bytes.len;
    code->len -= i->bytes.len;
    *address += i->bytes.len;
    return true;
}

/*
 * Recognizes the code that handlers of signals return to.
 *
 * The kernel puts its address on the stack as if it had called the handler.
 * It is known by what it is, as unwinders know it (libgcc's, gdb's): of names
 * there are many, and libraries seldom have them.
 */

bool is_signal_return(struct bytes code, enum debug_machine machine)
{
    /* mov rax, 15; syscall */
    static const uint8_t x64[] = {0x48, 0xC7, 0xC0, 15, 0, 0, 0, 0x0F, 0x05};
    /* pop eax; mov eax, 119; int 0x80: and without the first, 173 */
    static const uint8_t x86[] = {0x58, 0xB8, 119, 0, 0, 0, 0xCD, 0x80};
    static const uint8_t x86_more[] = {0xB8, 173, 0, 0, 0, 0xCD, 0x80};
    /* mov x8, 139; svc 0 */
    static const uint8_t arm64[] = {0x68, 0x11, 0x80, 0xD2, 1, 0, 0, 0xD4};
    static const struct {
        enum debug_machine machine;
        const uint8_t *code;
        size_t size;
    } all[] = {
        {DEBUG_X64, x64, sizeof(x64)},
        {DEBUG_X86, x86, sizeof(x86)},
        {DEBUG_X86, x86_more, sizeof(x86_more)},
        {DEBUG_ARM64, arm64, sizeof(arm64)},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (all[i].machine == machine && code.len >= all[i].size &&
            !memcmp(code.data, all[i].code, all[i].size))
            return true;
    return false;
}
