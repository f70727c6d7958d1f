/*
 * Who an image says it is from: texts of its version resource.
 *
 *   directory     u16 entries by name +12, by number +14, then of 8 bytes
 *                 each: u32 number, or a name with bit 31; u32 offset from
 *                 the first directory, with bit 31 of another directory
 *   three levels  the type (16: version), its name, its language
 *   data          u32 RVA, u32 size
 *
 *   block         at a multiple of four: u16 bytes in all, u16 size of its
 *                 value, u16 1 for text, key in UTF-16 with a terminator;
 *                 at the next multiple of four the value, then blocks
 *   four levels   VS_VERSION_INFO, StringFileInfo, a language, a text
 *
 * Sizes of text are in characters by some tools and in bytes by others, so
 * that its terminator counts.
 */
#include <string.h>

#include "symbols/pe/pe.h"

enum { VERSION = 16, ANY = -1 };

static const uint32_t other_directory = 0x80000000;

/* Where the entry of this number leads to, or the first one. */
static bool find_entry(const struct reader *all, uint32_t at, int number,
                       uint32_t *to)
{
    struct reader r = reader_at(all, at, "resources");
    uint32_t n;

    reader_skip(&r, 12);
    n = reader_u16(&r);
    n += reader_u16(&r);
    while (n-- && reader_left(&r) >= 8) {
        uint32_t found = reader_u32(&r);

        *to = reader_u32(&r);
        if (number == ANY || found == (uint32_t)number)
            return true;
    }
    return false;
}

/* The first language of the first version. */
static struct bytes version_resource(const struct pe *pe)
{
    struct bytes all = pe_at(pe, pe->directories[PE_RESOURCE].rva);
    struct reader whole = reader_of("resources", all.data, all.len, 0, NULL);
    struct reader r;
    struct bytes data;
    uint32_t at, size;

    if (!pe->directories[PE_RESOURCE].rva ||
        !find_entry(&whole, 0, VERSION, &at) ||
        !find_entry(&whole, at & ~other_directory, ANY, &at) ||
        !find_entry(&whole, at & ~other_directory, ANY, &at))
        return (struct bytes){NULL, 0};
    r = reader_at(&whole, at, "version");
    data = pe_at(pe, reader_u32(&r));
    size = reader_u32(&r);
    return (struct bytes){data.data, size < data.len ? size : data.len};
}

struct block {
    struct bytes key;
    struct bytes text;    /* if the value is one */
    struct reader within; /* behind a value that is none */
};

static bool next_block(struct reader *r, struct block *b)
{
    uint16_t size, value;
    bool is_text;

    reader_align(r, 4);
    if (reader_left(r) < 6)
        return false;
    size = load_u16(r->base + r->pos);
    b->within = reader_sub(r, size, "version");
    reader_skip(&b->within, 2);
    value = reader_u16(&b->within);
    is_text = reader_u16(&b->within);
    b->key = reader_utf16(&b->within);
    reader_align(&b->within, 4);
    b->text = (struct bytes){NULL, 0};
    if (is_text && value)
        b->text = reader_utf16(&b->within);
    else
        reader_skip(&b->within, value);
    return !b->within.failed;
}

static bool is_called(const struct block *b, const char *name)
{
    size_t n = strlen(name);

    if (b->key.len != n * 2)
        return false;
    for (size_t i = 0; i < n; i++)
        if (load_u16(b->key.data + i * 2) != (uint8_t)name[i])
            return false;
    return true;
}

static void take(struct bytes *to, const struct block *b, const char *name)
{
    if (!to->len && is_called(b, name))
        *to = b->text;
}

static void read_language(struct reader *r, struct pe_maker *maker)
{
    struct block b;

    while (next_block(r, &b)) {
        take(&maker->company, &b, "CompanyName");
        take(&maker->product, &b, "ProductName");
    }
}

bool pe_maker(const struct pe *pe, struct pe_maker *maker)
{
    struct bytes data = version_resource(pe);
    struct reader r = reader_of("version", data.data, data.len, 0, NULL);
    struct block version, texts, language;

    *maker = (struct pe_maker){.company = {NULL, 0}};
    if (!next_block(&r, &version))
        return false;
    while (next_block(&version.within, &texts))
        while (is_called(&texts, "StringFileInfo") &&
               next_block(&texts.within, &language))
            read_language(&language.within, maker);
    return maker->company.len || maker->product.len;
}
