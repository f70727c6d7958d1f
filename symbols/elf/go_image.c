#include "symbols/elf/go_image.h"

#include <elf.h>
#include <string.h>

enum { WORD = 8, RELA = 24, MOST_TRIES = 8 };

static uint64_t load_word(const struct elf_image *image, const uint8_t *at)
{
    return load_u64_in(at, image->big_endian);
}

/* From an address to the end of its section. */
static struct bytes data_at(void *program, uint64_t address)
{
    struct elf_image *image = program;

    for (size_t i = 0; i < image->sections.len; i++) {
        struct elf_section *s = &image->sections.data[i];
        struct bytes all;

        if (!(s->flags & SHF_ALLOC) || s->type == SHT_NOBITS ||
            address < s->address || address - s->address >= s->file_size)
            continue;
        all = elf_bytes(image, s);
        if (address - s->address >= all.len)
            return (struct bytes){0};
        return (struct bytes){all.data + (address - s->address),
                              all.len - (size_t)(address - s->address)};
    }
    return (struct bytes){0};
}

/* Addresses in a program that can lie anywhere are relocations, that of the
 * address as linked: where there is one for `address`, or one that gives
 * `value`. */
static bool find_relocation(struct elf_image *image, const uint64_t *address,
                            uint64_t *value)
{
    for (size_t i = 0; i < image->sections.len; i++) {
        struct elf_section *s = &image->sections.data[i];
        struct bytes all = {0};

        if (s->type == SHT_RELA && s->flags & SHF_ALLOC)
            all = elf_bytes(image, s);
        for (size_t at = 0; at + RELA <= all.len; at += RELA) {
            uint64_t where = load_word(image, all.data + at);
            uint64_t addend = load_word(image, all.data + at + WORD + WORD);

            if (address && where == *address) {
                *value = addend;
                return true;
            }
            if (!address && addend == *value) {
                *value = where;
                return true;
            }
        }
    }
    return false;
}

static uint64_t word_at(void *program, uint64_t address)
{
    struct elf_image *image = program;
    struct bytes data = data_at(image, address);
    uint64_t value = data.len < WORD ? 0 : load_word(image, data.data);

    if (!value)
        find_relocation(image, &address, &value);
    return value;
}

static bool find_in_section(struct elf_image *image, struct elf_section *s,
                            uint64_t value, uint64_t *address)
{
    struct bytes all = {0};

    if (s->type == SHT_PROGBITS && s->flags & SHF_WRITE)
        all = elf_bytes(image, s);
    for (size_t at = 0; at + WORD <= all.len; at += WORD)
        if (load_word(image, all.data + at) == value) {
            *address = s->address + at;
            return true;
        }
    return false;
}

static bool find_word(void *program, uint64_t value, uint64_t *address)
{
    struct elf_image *image = program;

    for (size_t i = 0; i < image->sections.len; i++)
        if (find_in_section(image, &image->sections.data[i], value, address))
            return true;
    *address = value;
    return find_relocation(image, NULL, address);
}

static bool place(struct elf_image *image, uint64_t address, struct go_table *t)
{
    struct go_memory memory = {image, data_at, word_at, find_word};

    return go_table_place(t, address, &memory);
}

/* The linker of C puts the table of a program that can lie anywhere among
 * other data. */
static bool find_among_others(struct elf_image *image, struct go_table *table)
{
    struct elf_section *s = elf_find(image, ".data.rel.ro");
    struct bytes all = elf_bytes(image, s);
    unsigned tries = 0;

    for (size_t at = 0; at + WORD < all.len && tries < MOST_TRIES; at += WORD) {
        struct bytes rest = {all.data + at, all.len - at};

        if (!go_table_open(table, rest, image->big_endian))
            continue;
        if (place(image, s->address + at, table))
            return true;
        tries++;
    }
    return false;
}

bool go_image_table(struct elf_image *image, struct go_table *table)
{
    struct elf_section *s = elf_find(image, ".gopclntab");
    struct elf_section *constants = elf_find(image, ".rodata");
    const struct elf_section *text = elf_find(image, ".text");

    if (!s)
        s = elf_find(image, ".data.rel.ro.gopclntab");
    if (!s)
        return find_among_others(image, table);
    if (!go_table_open(table, elf_bytes(image, s), image->big_endian))
        return false;
    /* Go's own linker begins with its code; others have code of C before. */
    if (!place(image, s->address, table) && !table->text && text)
        table->text = text->address;
    if (table->version == GO_1_16 && constants) {
        table->inlined = elf_bytes(image, constants);
        table->trees = constants->address;
    }
    return true;
}
