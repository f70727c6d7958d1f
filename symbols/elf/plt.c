/*
 * The procedure linkage table has no symbols. Each stub jumps through a slot
 * of the global offset table, and a relocation of that slot names the
 * function:
 *
 *   x86-64   [endbr64] [bnd] jmp *disp32(%rip)       FF 25 disp32
 *   i386     jmp *abs32 | jmp *disp32(%ebx)          FF 25 | FF A3 disp32
 *   AArch64  [bti] adrp x16, page; ldr x17, [x16, #offset]
 *
 * Decoding the jump instead of counting stubs serves .plt, .plt.sec and
 * .plt.got of every linker alike; the header's slot has no relocation.
 */
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "symbols/elf/symtab.h"

struct slot {
    uint64_t address; /* of the slot in the global offset table */
    const char *name;
};

struct slots {
    VEC(struct slot) all; /* sorted by address */
    uint64_t got;         /* what %ebx holds on i386 */
};

static const char *name_of(Elf_Data *symbols, struct bytes names, size_t index)
{
    GElf_Sym sym;
    const char *name;
    size_t left;

    if (!index || !gelf_getsym(symbols, (int)index, &sym) || !sym.st_name ||
        sym.st_name >= names.len)
        return NULL;
    name = (const char *)names.data + sym.st_name;
    left = names.len - sym.st_name;
    return memchr(name, 0, left < SYMBOL_NAME_MOST ? left : SYMBOL_NAME_MOST)
               ? name
               : NULL;
}

static bool next_relocation(Elf_Data *data, uint32_t type, int i,
                            GElf_Rela *rela)
{
    GElf_Rel rel;

    if (type == SHT_RELA)
        return gelf_getrela(data, i, rela) != NULL;
    if (!gelf_getrel(data, i, &rel))
        return false;
    *rela = (GElf_Rela){.r_offset = rel.r_offset, .r_info = rel.r_info};
    return true;
}

static Elf_Data *table_data(struct elf_image *image, size_t i)
{
    Elf_Scn *scn = elf_getscn(image->elf, i);

    return scn ? elf_getdata(scn, NULL) : NULL;
}

static void add_slots(struct slots *slots, struct elf_image *image, size_t i)
{
    const struct elf_section *s = &image->sections.data[i];
    const struct elf_section *symtab;
    Elf_Data *data, *symbols;
    struct bytes names;
    GElf_Rela r;

    if (s->link >= image->sections.len)
        return;
    symtab = &image->sections.data[s->link];
    if (symtab->type != SHT_DYNSYM || symtab->link >= image->sections.len)
        return;
    names = elf_bytes(image, &image->sections.data[symtab->link]);
    data = table_data(image, i);
    symbols = table_data(image, s->link);
    for (int k = 0; data && symbols && next_relocation(data, s->type, k, &r);
         k++) {
        const char *name = name_of(symbols, names, GELF_R_SYM(r.r_info));

        if (name)
            *vec_add(&slots->all) = (struct slot){r.r_offset, name};
    }
}

static int compare_slots(const void *x, const void *y)
{
    const struct slot *a = x, *b = y;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->name == b->name ? 0 : strcmp(a->name, b->name);
}

static const char *slot_name(const struct slots *slots, uint64_t address)
{
    size_t i;

    BISECT(i, slots->all.len, slots->all.data[i].address < address);
    return i < slots->all.len && slots->all.data[i].address == address
               ? slots->all.data[i].name
               : NULL;
}

/* The slot that the stub of `n` bytes at `address` jumps through, or 0. */
static uint64_t x86_slot(const uint8_t *code, size_t n, uint64_t address,
                         const struct slots *slots, bool wide)
{
    for (size_t i = 0; i + 6 <= n; i++) {
        uint32_t operand = load_u32(code + i + 2);

        if (code[i] != 0xFF)
            continue;
        if (code[i + 1] == 0x25 && wide)
            return address + i + 6 + (uint64_t)(int64_t)(int32_t)operand;
        if (code[i + 1] == 0x25)
            return operand;
        if (code[i + 1] == 0xA3 && !wide)
            return (uint32_t)(slots->got + operand);
    }
    return 0;
}

static uint64_t aarch64_slot(const uint8_t *code, size_t n, uint64_t address)
{
    for (size_t i = 0; i + 8 <= n && i <= 4; i += 4) {
        uint32_t adrp = load_u32(code + i), ldr = load_u32(code + i + 4);
        int64_t page;

        if ((adrp & 0x9F00001F) != 0x90000010 ||
            (ldr & 0xFFC003FF) != 0xF9400211)
            continue;
        page = (int64_t)(int32_t)((adrp >> 5 & 0x7FFFF) << 13) >> 13;
        page = page * 4 + (adrp >> 29 & 3);
        return ((address + i) & ~(uint64_t)0xFFF) + (uint64_t)page * 4096 +
               (uint64_t)(ldr >> 10 & 0xFFF) * 8;
    }
    return 0;
}

static uint64_t stub_slot(const struct elf_image *image,
                          const struct slots *slots, const uint8_t *code,
                          size_t n, uint64_t address)
{
    if (image->machine == EM_AARCH64)
        return aarch64_slot(code, n, address);
    if (image->machine == EM_X86_64 || image->machine == EM_386)
        return x86_slot(code, n, address, slots, image->machine == EM_X86_64);
    return 0;
}

static void add_stub(struct symtab *table, const char *name, uint64_t start,
                     uint64_t end)
{
    size_t n = strcspn(name, "@");
    char *text;

    if (!unpack_take(&table->copied, n))
        return; /* stubs by the thousand for one long name */
    text = arena_alloc(&table->names, n + sizeof("@plt"), 1, 1);
    snprintf(text, n + sizeof("@plt"), "%.*s@plt", (int)n, name);
    *vec_add(&table->symbols) = (struct symbol){
        .start = start,
        .end = end,
        .name = text,
        .length = (uint32_t)strlen(text),
    };
}

static void add_stubs(struct symtab *table, struct elf_image *image,
                      const struct slots *slots, const char *section)
{
    struct elf_section *s = elf_find(image, section);
    struct bytes code = elf_bytes(image, s);
    /* Without IBT the stubs of .plt.got have 8 bytes; others 16. */
    size_t step = s ? (s->entry_size == 8 ? 8 : 16) : 1;

    for (size_t at = 0; at < code.len; at += step) {
        size_t n = code.len - at < step ? code.len - at : step;
        uint64_t start = s->address + at;
        uint64_t slot = stub_slot(image, slots, code.data + at, n, start);
        const char *name = slot ? slot_name(slots, slot) : NULL;

        if (name)
            add_stub(table, name, start, start + n);
    }
}

void symtab_add_plt(struct symtab *table, struct elf_image *image)
{
    struct elf_section *got = elf_find(image, ".got.plt");
    struct slots slots = {.got = got ? got->address : 0};

    for (size_t i = 0; i < image->sections.len; i++) {
        uint32_t type = image->sections.data[i].type;

        if (type == SHT_RELA || type == SHT_REL)
            add_slots(&slots, image, i);
    }
    if (slots.all.len) {
        qsort(slots.all.data, slots.all.len, sizeof(struct slot),
              compare_slots);
        add_stubs(table, image, &slots, ".plt");
        add_stubs(table, image, &slots, ".plt.sec");
        add_stubs(table, image, &slots, ".plt.got");
    }
    vec_release(&slots.all);
}
