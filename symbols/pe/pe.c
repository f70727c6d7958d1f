/* PE images (format.md, sections 1 and 2). */
#include "symbols/pe/pe.h"

#include <string.h>

/*
 * The maker that an image names, in texts of its version resource (format.md,
 * section 6). Sizes of text are in characters by some tools and in bytes by
 * others, so that its terminator counts.
 */

enum { VERSION = 16, ANY = -1 };

static const uint32_t other_directory = 0x80000000;

/* Follows the entry of this number, or the first one. */
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
               next_block(&texts.within, &language)) {
            struct block b;

            while (next_block(&language.within, &b)) {
                take(&maker->company, &b, "CompanyName");
                take(&maker->product, &b, "ProductName");
            }
        }
    return maker->company.len || maker->product.len;
}

enum {
    /* Every address is looked for in all of them; Windows loads 96. */
    MOST_SECTIONS = 1024,
    MOST_DEBUG_ENTRIES = 1024,
    DEBUG_ENTRY = 28,
    PE32 = 0x10B,
    PE32_PLUS = 0x20B,
    PORTABLE = 0x504D, /* minor version of a portable PDB's entry */
};

bool pe_probe(const uint8_t *data, size_t size)
{
    uint32_t at;

    if (size < 64 || data[0] != 'M' || data[1] != 'Z')
        return false;
    at = load_u32(data + 60);
    return at <= size && size - at >= 4 && !memcmp(data + at, "PE\0\0", 4);
}

static uint16_t plain_machine(uint16_t machine)
{
    static const uint16_t known[] = {PE_X86, PE_ARM, PE_X64, PE_ARM64};
    static const uint16_t systems[] = {0, 0x7B79, 0x4644, 0xADC4};

    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++)
            if ((machine ^ systems[k]) == known[i])
                return known[i];
    return machine;
}

static void read_optional(struct pe *pe, struct reader *r)
{
    uint16_t magic = reader_u16(r);
    uint32_t count;

    if (magic != PE32 && magic != PE32_PLUS) {
        reader_fail(r, ERR_CORRUPT, "optional header");
        return;
    }
    pe->is_wide = magic == PE32_PLUS;
    reader_skip(r, pe->is_wide ? 22 : 26);
    pe->base = reader_ptr(r, pe->is_wide ? 8 : 4);
    reader_skip(r, 24);
    pe->image_size = reader_u32(r);
    pe->headers_size = reader_u32(r);
    reader_skip(r, pe->is_wide ? 44 : 28);
    count = reader_u32(r);
    for (uint32_t i = 0; i < count && i < PE_DIRECTORIES; i++) {
        if (reader_left(r) < 8)
            return;
        pe->directories[i].rva = reader_u32(r);
        pe->directories[i].size = reader_u32(r);
    }
}

enum err_code pe_open(struct pe *pe, const char *name, const uint8_t *data,
                      size_t size, struct err *err)
{
    struct reader file = reader_of(name, data, size, 0, err), r, optional;
    uint32_t wanted;

    *pe = (struct pe){.name = name, .data = data, .size = size};
    if (!pe_probe(data, size))
        return err_set(err, ERR_UNSUPPORTED, "%s: not a PE image", name);
    r = reader_at(&file, load_u32(data + 60) + 4, "PE header");
    pe->machine = plain_machine(reader_u16(&r));
    wanted = reader_u16(&r);
    pe->timestamp = reader_u32(&r);
    pe->symbols_at = reader_u32(&r);
    pe->symbol_count = reader_u32(&r);
    optional = reader_sub(&r, (size_t)reader_u16(&r) + 2, "optional header");
    reader_skip(&optional, 2);
    read_optional(pe, &optional);
    if (r.failed || optional.failed)
        return err_set(err, ERR_TRUNCATED, "%s: headers truncated", name);
    pe->section_count = wanted < MOST_SECTIONS ? wanted : MOST_SECTIONS;
    if (pe->section_count > reader_left(&r) / PE_SECTION)
        pe->section_count = (uint32_t)(reader_left(&r) / PE_SECTION);
    pe->sections_left_out = wanted - pe->section_count;
    pe->sections = data + r.pos;
    return ERR_NONE;
}

enum debug_machine pe_debug_machine(const struct pe *pe)
{
    switch (pe->machine) {
    case PE_X86:
        return DEBUG_X86;
    case PE_X64:
        return DEBUG_X64;
    case PE_ARM64:
        return DEBUG_ARM64;
    }
    return DEBUG_NO_MACHINE;
}

struct pe_section pe_section(const struct pe *pe, uint32_t i)
{
    const uint8_t *s = pe->sections + (size_t)i * PE_SECTION;

    return (struct pe_section){
        .name = (const char *)s,
        .size = load_u32(s + 8),
        .rva = load_u32(s + 12),
        .raw_size = load_u32(s + 16),
        .raw_at = load_u32(s + 20),
        .flags = load_u32(s + 36),
    };
}

static uint32_t whole_size(const struct pe_section *s)
{
    return s->size > s->raw_size ? s->size : s->raw_size;
}

/* The first section that an address is in. */
static bool find_section(const struct pe *pe, uint32_t rva,
                         struct pe_section *s)
{
    for (uint32_t i = 0; i < pe->section_count; i++) {
        *s = pe_section(pe, i);
        if (rva >= s->rva && rva - s->rva < whole_size(s))
            return true;
    }
    return false;
}

bool pe_offset_to_rva(const struct pe *pe, uint64_t offset, uint32_t *rva)
{
    for (uint32_t i = 0; i < pe->section_count; i++) {
        struct pe_section s = pe_section(pe, i);

        if (offset < s.raw_at || offset - s.raw_at >= s.raw_size)
            continue;
        *rva = s.rva + (uint32_t)(offset - s.raw_at);
        return true;
    }
    return false;
}

bool pe_maps_code(const struct pe *pe, uint64_t offset, uint64_t size)
{
    /* The largest that the machine's systems have. */
    uint64_t page = pe->machine == PE_X64 ? 4096 : 65536;

    for (uint32_t i = 0; i < pe->section_count; i++) {
        struct pe_section s = pe_section(pe, i);
        uint64_t end = (uint64_t)s.raw_at + s.raw_size;

        if (s.flags & PE_CAN_RUN && offset <= s.raw_at &&
            s.raw_at - offset < page && offset + size >= end &&
            offset + size - end < page)
            return true;
    }
    return false;
}

static struct bytes file_bytes(const struct pe *pe, uint64_t at, uint64_t n)
{
    if (at >= pe->size)
        return (struct bytes){NULL, 0};
    if (n > pe->size - at)
        n = pe->size - at;
    return (struct bytes){pe->data + at, (size_t)n};
}

struct bytes pe_at(const struct pe *pe, uint32_t rva)
{
    struct pe_section s;
    uint32_t skip;

    if (find_section(pe, rva, &s)) {
        skip = rva - s.rva;
        return skip < s.raw_size ? file_bytes(pe, (uint64_t)s.raw_at + skip,
                                              s.raw_size - skip)
                                 : (struct bytes){NULL, 0};
    }
    if (rva < pe->headers_size)
        return file_bytes(pe, rva, pe->headers_size - rva);
    return (struct bytes){NULL, 0};
}

struct bytes pe_code_at(const struct pe *pe, uint64_t rva)
{
    struct pe_section s;

    return rva <= UINT32_MAX && find_section(pe, (uint32_t)rva, &s) &&
                   s.flags & PE_CAN_RUN
               ? pe_at(pe, (uint32_t)rva)
               : (struct bytes){NULL, 0};
}

bool pe_section_at(const struct pe *pe, uint32_t rva, struct pe_range *range)
{
    struct pe_section s;
    uint32_t size;

    if (!find_section(pe, rva, &s))
        return false;
    size = whole_size(&s);
    if (size > UINT32_MAX - s.rva)
        size = UINT32_MAX - s.rva;
    *range = (struct pe_range){s.rva, s.rva + size};
    return true;
}

static struct bytes debug_directory(const struct pe *pe)
{
    struct bytes all = pe_at(pe, pe->directories[PE_DEBUG].rva);
    size_t size = pe->directories[PE_DEBUG].size;

    return (struct bytes){all.data, size < all.len ? size : all.len};
}

const char *pe_flaw(const struct pe *pe)
{
    if (pe->sections_left_out && pe->section_count == MOST_SECTIONS)
        return "section table: sections after the first 1,024 are left out";
    if (pe->sections_left_out)
        return "section table: truncated";
    return debug_directory(pe).len / DEBUG_ENTRY > MOST_DEBUG_ENTRIES
               ? "debug directory: entries after the first 1,024 are left out"
               : NULL;
}

bool pe_debug_entry(const struct pe *pe, uint32_t i, struct pe_debug *entry)
{
    struct bytes all = debug_directory(pe);
    const uint8_t *e;

    if (i >= MOST_DEBUG_ENTRIES || i >= all.len / DEBUG_ENTRY)
        return false;
    e = all.data + (size_t)i * DEBUG_ENTRY;
    *entry = (struct pe_debug){
        .type = load_u32(e + 12),
        .stamp = load_u32(e + 4),
        .minor = load_u16(e + 10),
        .data = file_bytes(pe, load_u32(e + 24), load_u32(e + 16)),
    };
    return true;
}

static bool read_rsds(const struct pe_debug *entry, struct pe_codeview *cv)
{
    struct reader r =
        reader_of("CodeView entry", entry->data.data, entry->data.len, 0, NULL);
    struct bytes magic = reader_bytes(&r, 4);
    struct bytes guid = reader_bytes(&r, sizeof(cv->guid));
    uint32_t age = reader_u32(&r);
    struct bytes path = reader_cstr(&r);

    if (r.failed || memcmp(magic.data, "RSDS", 4) != 0)
        return false;
    *cv = (struct pe_codeview){
        .age = age,
        .stamp = entry->stamp,
        .is_portable = entry->minor == PORTABLE,
        .path = path,
    };
    memcpy(cv->guid, guid.data, guid.len);
    return true;
}

bool pe_names_pdb(const struct pe *pe, const uint8_t guid[16])
{
    struct pe_debug entry;
    struct pe_codeview cv;

    for (uint32_t i = 0; pe_debug_entry(pe, i, &entry); i++)
        if (entry.type == PE_CODEVIEW && read_rsds(&entry, &cv) &&
            !memcmp(cv.guid, guid, sizeof(cv.guid)))
            return true;
    return false;
}

static bool ends_with(struct bytes text, const char *end)
{
    size_t n = strlen(end);

    return text.len >= n && !memcmp(text.data + text.len - n, end, n);
}

/* Precompiled managed images name two: X.ni.pdb is that of native code. */
bool pe_codeview(const struct pe *pe, struct pe_codeview *cv)
{
    struct pe_debug entry;
    struct pe_codeview one;
    bool found = false;

    for (uint32_t i = 0; pe_debug_entry(pe, i, &entry); i++) {
        if (entry.type != PE_CODEVIEW || !read_rsds(&entry, &one))
            continue;
        *cv = one;
        found = true;
        if (ends_with(one.path, ".ni.pdb"))
            break;
    }
    return found;
}
