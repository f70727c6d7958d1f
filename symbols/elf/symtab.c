#include "symbols/elf/symtab.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"

/* A function inside another, inside another: how far back to look. */
enum { MOST_STEPS = 64 };

static bool has_prefix(const char *name, const char *prefix)
{
    return !strncmp(name, prefix, strlen(prefix));
}

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
           has_prefix(name, ".L") || has_prefix(name, "__tagsym$$") ||
           has_prefix(name, ".annobin");
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
        .length =
            (uint32_t)(at && at > name ? (size_t)(at - name) : length),
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

/* Number of symbols that start at or below the address. */
static size_t upper_bound(const struct symtab *table, uint64_t address)
{
    size_t i;

    BISECT(i, table->symbols.len, table->symbols.data[i].start <= address);
    return i;
}

/* A copy, as long as there are not too many of them: then the name keeps its
 * version. */
static const struct symbol *without_version(struct symtab *table,
                                            struct symbol *s)
{
    if (s->name[s->length] && unpack_take(&table->copied, s->length))
        s->name = arena_strndup(&table->names, s->name, s->length);
    return s;
}

const struct symbol *symtab_find(struct symtab *table, uint64_t address)
{
    size_t i = upper_bound(table, address);

    for (unsigned steps = 0; i-- > 0 && steps < MOST_STEPS; steps++) {
        struct symbol *s = &table->symbols.data[i];

        if (address >= table->reach.data[i])
            return NULL;
        if (address < s->end)
            return without_version(table, s);
    }
    return NULL;
}

void symtab_release(struct symtab *table)
{
    vec_release(&table->symbols);
    vec_release(&table->reach);
    arena_release(&table->names);
}
