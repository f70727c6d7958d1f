#include "symbols/elf/relocate.h"

#include <gelf.h>
#include <string.h>

#include "engine/base/mem.h"

/* Bytes that a relocation fills in with symbol and addend; 0: it is of another
 * kind. */
static size_t width_of(const struct elf_image *image, uint64_t info)
{
    switch (image->machine) {
    case EM_X86_64:
        switch (GELF_R_TYPE(info)) {
        case R_X86_64_64:
            return 8;
        case R_X86_64_32:
        case R_X86_64_32S:
            return 4;
        }
        break;
    case EM_AARCH64:
        switch (GELF_R_TYPE(info)) {
        case R_AARCH64_ABS64:
            return 8;
        case R_AARCH64_ABS32:
            return 4;
        }
        break;
    }
    return 0;
}

static uint64_t address_of(const struct elf_image *image, const GElf_Sym *sym)
{
    return sym->st_shndx == SHN_UNDEF || sym->st_shndx >= image->sections.len
               ? sym->st_value
               : sym->st_value + image->sections.data[sym->st_shndx].address;
}

static void apply(const struct elf_image *image, const GElf_Rela *rela,
                  Elf_Data *symbols, uint8_t *to, size_t size)
{
    size_t width = width_of(image, rela->r_info);
    uint64_t value;
    GElf_Sym sym;

    if (!width || size < width || rela->r_offset > size - width ||
        !gelf_getsym(symbols, (int)GELF_R_SYM(rela->r_info), &sym))
        return;
    value = address_of(image, &sym) + (uint64_t)rela->r_addend;
    for (size_t i = 0; i < width; i++)
        to[rela->r_offset + i] = (uint8_t)(value >> 8 * i);
}

static Elf_Data *table_data(const struct elf_image *image, size_t i)
{
    Elf_Scn *scn = elf_getscn(image->elf, i);

    return scn ? elf_getdata(scn, NULL) : NULL;
}

/* Whether section `i` is that of the relocations of `s`. */
static bool is_of(const struct elf_image *image, size_t i,
                  const struct elf_section *s)
{
    const struct elf_section *table = &image->sections.data[i];

    return table->type == SHT_RELA &&
           table->info == (size_t)(s - image->sections.data);
}

struct bytes elf_relocate(struct elf_image *image, const struct elf_section *s,
                          struct bytes plain)
{
    struct bytes done = plain;

    if (image->type != ET_REL || !image->wide || image->big_endian ||
        s->flags & SHF_ALLOC)
        return plain;
    for (size_t i = 0; plain.len && i < image->sections.len; i++) {
        Elf_Data *table, *symbols;
        uint8_t *to;
        GElf_Rela rela;

        if (!is_of(image, i, s))
            continue;
        table = table_data(image, i);
        symbols = table_data(image, image->sections.data[i].link);
        if (!table || !symbols)
            continue;
        to = mem_new(plain.len, 1);
        memcpy(to, plain.data, plain.len);
        for (int k = 0; gelf_getrela(table, k, &rela); k++)
            apply(image, &rela, symbols, to, plain.len);
        done.data = to;
        break;
    }
    return done;
}
