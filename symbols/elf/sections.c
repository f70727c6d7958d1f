/* Bytes of sections, as stored or unpacked. */
#include <elf.h>
#include <gelf.h>
#include <string.h>

#include "engine/base/mem.h"
#include "symbols/elf/image.h"
#include "symbols/elf/inflate.h"

/*
 * Relocates debug information of .o and .ko files, which refers to
 * other sections, and to code, by relocations that nobody has applied.
 *
 * Sections are where the image has them (elf_image_open). Only 64-bit
 * little-endian files are relocated; others stay as they are.
 */

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

/* Tells whether section `i` is that of the relocations of `s`. */
static bool is_of(const struct elf_image *image, size_t i,
                  const struct elf_section *s)
{
    const struct elf_section *table = &image->sections.data[i];

    return table->type == SHT_RELA &&
           table->info == (size_t)(s - image->sections.data);
}

/* The relocated section, in memory of its own to be freed; or `plain`
 * itself, if nothing refers to elsewhere or the machine is not known. */
static struct bytes elf_relocate(struct elf_image *image,
                                 const struct elf_section *s,
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

enum { OLD_HEADER = 12 };

struct bytes elf_stored_bytes(const struct elf_image *image,
                              const struct elf_section *s)
{
    if (s->type == SHT_NOBITS || s->type == SHT_NULL ||
        !elf_is_inside(image, s->offset, s->file_size))
        return (struct bytes){0};
    return (struct bytes){image->data + s->offset, (size_t)s->file_size};
}

enum packing { PACKED_UNKNOWN, PACKED_ZLIB, PACKED_ZSTD };

/* The header in front of the packed bytes. */
struct packed {
    enum packing how;
    uint64_t size; /* unpacked */
    struct bytes bytes;
};

/* Elf32_Chdr or Elf64_Chdr. */
static struct packed read_packed(const struct elf_image *image,
                                 struct bytes raw)
{
    struct reader r = reader_of(image->name, raw.data, raw.len, 0, NULL);
    struct packed p = {PACKED_UNKNOWN, 0, {0}};
    uint32_t type = reader_u32(&r);

    if (image->wide)
        reader_skip(&r, 4);
    p.size = reader_ptr(&r, image->wide ? 8 : 4);
    reader_skip(&r, image->wide ? 8 : 4);
    p.bytes = reader_bytes(&r, reader_left(&r));
    if (type == ELFCOMPRESS_ZLIB)
        p.how = PACKED_ZLIB;
    if (type == 2) /* ELFCOMPRESS_ZSTD, newer than the header may be */
        p.how = PACKED_ZSTD;
    return p;
}

/* The header of .zdebug_: "ZLIB", the plain size as 8 bytes big-endian. */
static struct packed read_old_packed(struct bytes raw)
{
    struct packed p = {PACKED_UNKNOWN, 0, {0}};

    if (raw.len < OLD_HEADER || memcmp(raw.data, "ZLIB", 4) != 0)
        return p;
    for (unsigned i = 4; i < OLD_HEADER; i++)
        p.size = p.size << 8 | raw.data[i];
    p.how = PACKED_ZLIB;
    p.bytes = (struct bytes){raw.data + OLD_HEADER, raw.len - OLD_HEADER};
    return p;
}

void elf_note_flaw(struct elf_image *image, const char *section,
                   const struct err *err)
{
    if (err->code)
        err_set(&image->flaw, err->code, "section %s: %s", section,
                err->message);
}

bool elf_is_packed(const struct elf_section *s)
{
    return s->old_packed || s->flags & SHF_COMPRESSED;
}

/* All unpacked bytes together have a limit, too. */
static bool take(struct elf_image *image, uint64_t n, struct err *err)
{
    image->unpacked.packed = image->size;
    if (unpack_take(&image->unpacked, n))
        return true;
    err_set(err, ERR_LIMIT,
            "sections unpack to more than %d times the file's size",
            UNPACK_RATIO);
    return false;
}

static void relocate(struct elf_image *image, struct elf_section *s)
{
    struct bytes done = elf_relocate(image, s, s->bytes);

    if (done.data == s->bytes.data)
        return;
    if (s->owned)
        inflate_free(s->bytes);
    s->bytes = done;
    s->owned = true;
}

struct bytes elf_bytes(struct elf_image *image, struct elf_section *s)
{
    struct err err = {0};

    if (!s)
        return (struct bytes){0};
    if (s->loaded)
        return s->bytes;
    s->loaded = true;
    s->bytes = elf_stored_bytes(image, s);
    if (s->bytes.len && elf_is_packed(s)) {
        struct packed p = s->old_packed ? read_old_packed(s->bytes)
                                        : read_packed(image, s->bytes);

        s->bytes = (struct bytes){0};
        if (p.how == PACKED_UNKNOWN)
            err_set(&err, ERR_UNSUPPORTED, "unknown compression");
        else if (!inflate_allows(p.bytes.len, p.size, &err) ||
                 !take(image, p.size, &err))
            p.how = PACKED_UNKNOWN;
        if (p.how == PACKED_ZLIB)
            s->bytes = inflate_zlib(p.bytes.data, p.bytes.len, p.size, &err);
        if (p.how == PACKED_ZSTD)
            s->bytes = inflate_zstd(p.bytes.data, p.bytes.len, p.size, &err);
        s->owned = s->bytes.len;
    }
    elf_note_flaw(image, s->name, &err);
    relocate(image, s);
    return s->bytes;
}
