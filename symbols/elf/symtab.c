#include "symbols/elf/symtab.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "engine/base/text.h"

/* A function inside another, inside another: how far back to look. */
enum { MOST_STEPS = 64 };

/* $a, $t, $d, $x and their ".suffix" forms mark code and data for ARM tools;
 * RISC-V has $xrv64... too. */
static bool is_mapping_symbol(const char *name, uint16_t machine)
{
    if (name[0] != '$' || !name[1] || !strchr("atdx", name[1]))
        return false;
    if (machine == EM_RISCV && name[1] == 'x')
        return true;
    return (machine == EM_ARM || machine == EM_AARCH64 ||
            machine == EM_RISCV) &&
           (!name[2] || name[2] == '.');
}

static bool never_names_code(const char *name, uint16_t machine)
{
    return !*name || is_mapping_symbol(name, machine) ||
           text_starts(name, ".L") || text_starts(name, "__tagsym$$") ||
           text_starts(name, ".annobin");
}

static uint8_t rank_of(const GElf_Sym *sym)
{
    unsigned bind = GELF_ST_BIND(sym->st_info);
    unsigned rank = bind == STB_GLOBAL || bind == STB_GNU_UNIQUE ? 0
                    : bind == STB_WEAK                           ? 1
                                                                 : 2;

    rank = rank * 2 + (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE);
    return (uint8_t)(rank * 2 + !sym->st_size);
}

/* The section of a symbol that can name code, or NULL. */
static const struct elf_section *code_section(const struct elf_image *image,
                                              const GElf_Sym *sym)
{
    unsigned type = GELF_ST_TYPE(sym->st_info);
    const struct elf_section *s;

    if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
        return NULL;
    if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= image->sections.len)
        return NULL;
    s = &image->sections.data[sym->st_shndx];
    if (image->type == ET_REL && strcmp(s->name, ".text") != 0)
        return NULL;
    if (type == STT_NOTYPE && !(s->flags & SHF_EXECINSTR))
        return NULL;
    return s;
}

static void add_symbol(struct symtab *table, const struct elf_image *image,
                       const GElf_Sym *sym, struct bytes names)
{
    const struct elf_section *section = code_section(image, sym);
    const char *name, *at;
    size_t left, length;
    uint64_t start = sym->st_value, limit;

    if (!section || sym->st_name >= names.len)
        return;
    name = (const char *)names.data + sym->st_name;
    left = names.len - sym->st_name;
    length = strnlen(name, left < SYMBOL_NAME_MOST ? left : SYMBOL_NAME_MOST);
    if (length == left || length == SYMBOL_NAME_MOST ||
        never_names_code(name, image->machine))
        return;
    if (image->machine == EM_ARM)
        start &= ~(uint64_t)1; /* Thumb */
    if (image->type == ET_REL)
        start += section->address;
    limit = section->address + section->file_size;
    if (start < section->address || start >= limit)
        return;
    at = memchr(name, '@', length);
    *vec_add(&table->symbols) = (struct symbol){
        .start = start,
        .end = sym->st_size && sym->st_size < limit - start
                   ? start + sym->st_size
                   : limit,
        .name = name,
        .length = (uint32_t)(at && at > name ? (size_t)(at - name) : length),
        .rank = rank_of(sym),
        .open = !sym->st_size,
    };
}

static void add_table(struct symtab *table, struct elf_image *image, size_t i)
{
    struct elf_section *s = &image->sections.data[i];
    Elf_Scn *scn = elf_getscn(image->elf, i);
    Elf_Data *data =
        scn && s->type != SHT_NOBITS ? elf_getdata(scn, NULL) : NULL;
    struct bytes names;
    GElf_Sym sym;

    if (!data || s->link >= image->sections.len)
        return;
    names = elf_bytes(image, &image->sections.data[s->link]);
    for (int k = 0; gelf_getsym(data, k, &sym); k++)
        add_symbol(table, image, &sym, names);
}

/* .dynsym repeats what .symtab has; the best name wins either way. */
void symtab_add_image(struct symtab *table, struct elf_image *image)
{
    for (size_t i = 0; i < image->sections.len; i++) {
        uint32_t type = image->sections.data[i].type;

        if (type == SHT_SYMTAB || type == SHT_DYNSYM)
            add_table(table, image, i);
    }
}

/* As far as matters; a name may be nothing else. */
static unsigned underscores(const struct symbol *s)
{
    unsigned n = 0;

    while (n < 16 && s->name[n] == '_')
        n++;
    return n;
}

static int compare_names(const struct symbol *a, const struct symbol *b)
{
    unsigned ua = underscores(a), ub = underscores(b);
    bool va = a->name[a->length] == '@', vb = b->name[b->length] == '@';

    if (ua != ub)
        return ua < ub ? -1 : 1;
    if (va != vb)
        return va ? 1 : -1;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return a->name == b->name ? 0 : strcmp(a->name, b->name);
}

static int compare_symbols(const void *x, const void *y)
{
    const struct symbol *a = x, *b = y;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return compare_names(a, b);
}

/* Keeps the first of each address, with the size that any of them has. */
static size_t keep_best(struct symbol *s, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (kept && s[kept - 1].start == s[i].start) {
            if (s[kept - 1].open && !s[i].open) {
                s[kept - 1].end = s[i].end;
                s[kept - 1].open = false;
            }
            continue;
        }
        s[kept++] = s[i];
    }
    return kept;
}

void symtab_sort(struct symtab *table)
{
    struct symbol *s = table->symbols.data;
    size_t n = table->symbols.len;
    uint64_t reach = 0;

    if (!n)
        return;
    qsort(s, n, sizeof(*s), compare_symbols);
    n = table->symbols.len = keep_best(s, n);
    vec_reserve(&table->reach, n);
    for (size_t i = 0; i < n; i++) {
        if (s[i].open && i + 1 < n && s[i + 1].start < s[i].end)
            s[i].end = s[i + 1].start;
        if (s[i].end > reach)
            reach = s[i].end;
        *vec_add(&table->reach) = reach;
    }
}

const struct symbol *symtab_find(struct symtab *table, uint64_t address)
{
    size_t i;

    /* Number of symbols that start at or below the address. */
    BISECT(i, table->symbols.len, table->symbols.data[i].start <= address);
    for (unsigned steps = 0; i-- > 0 && steps < MOST_STEPS; steps++) {
        struct symbol *s = &table->symbols.data[i];

        if (address >= table->reach.data[i])
            return NULL;
        if (address < s->end) {
            /* A copy, as long as there are not too many of them: then the name
             * keeps its version. */
            if (s->name[s->length] && unpack_take(&table->copied, s->length))
                s->name = arena_strndup(&table->names, s->name, s->length);
            return s;
        }
    }
    return NULL;
}

void symtab_release(struct symtab *table)
{
    vec_release(&table->symbols);
    vec_release(&table->reach);
    arena_release(&table->names);
}

/*
 * The procedure linkage table has no symbols. Each stub jumps through a slot of
 * the global offset table, and a relocation of that slot names the function.
 * Decoding the jump instead of counting stubs serves .plt, .plt.sec and
 * .plt.got of every linker alike; the header's slot has no relocation.
 * (format.md, section 3.1)
 */

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
