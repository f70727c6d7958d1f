/*
 *   0x3C         u32  offset of "PE\0\0", h
 *   h+6          u16  number of sections
 *   h+8          u32  timestamp
 *   h+12, h+16   u32  offset and number of COFF symbols (18 bytes each);
 *                     behind them the strings, whose u32 size counts itself
 *   h+20         u16  size of the optional header, o, which begins at h+24
 *   o+0          u16  20B: 64-bit
 *   o+28 (u32) or o+24 (u64)  image base; o+56 u32 image size
 *   o+size       sections of 40 bytes: name (8; "/123" is an offset into the
 *                strings), u32 virtual size, RVA, size and offset in the file
 *
 * A COFF symbol: name (8 bytes, or u32 0 and an offset into the strings), u32
 * value, i16 section from 1, u16 type (20: function), u8 class, u8 number of
 * records that follow and belong to it.
 */
#include "symbols/pe/dwarf.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/bisect.h"
#include "engine/base/mem.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/pe/pe.h"

enum { SECTION = 40, SYMBOL = 18, FUNCTION = 0x20, WIDE = 0x20B };

struct coff_symbol {
    uint32_t rva;
    const char *name;
};

struct pe_dwarf {
    const char *name;
    struct reader all;
    uint64_t base;
    uint32_t timestamp, image_size;
    struct bytes sections, strings, symbol_table;
    struct dwarf *dwarf;
    VEC(struct coff_symbol) symbols; /* sorted by RVA once ready */
    bool symbols_ready;
    struct arena names;
};

static void read_strings(struct pe_dwarf *d, uint32_t offset, uint32_t count)
{
    struct reader r = reader_at(&d->all, offset, "symbols");

    if (!offset || count > reader_left(&r) / SYMBOL)
        return;
    d->symbol_table = reader_bytes(&r, (size_t)count * SYMBOL);
    d->strings = reader_bytes(&r, reader_left(&r));
}

static bool read_headers(struct pe_dwarf *d)
{
    struct reader r = reader_at(&d->all, 0x3C, "header"), o;
    uint32_t header = reader_u32(&r), symbols, count;
    uint16_t sections, optional;
    bool wide;

    r = reader_at(&d->all, header, "header");
    if (reader_u32(&r) != 0x4550)
        return false;
    reader_skip(&r, 2);
    sections = reader_u16(&r);
    d->timestamp = reader_u32(&r);
    symbols = reader_u32(&r);
    count = reader_u32(&r);
    optional = reader_u16(&r);
    reader_skip(&r, 2);
    o = reader_sub(&r, optional, "optional header");
    wide = reader_u16(&o) == WIDE;
    reader_skip(&o, wide ? 22 : 26);
    d->base = reader_ptr(&o, wide ? 8 : 4);
    reader_skip(&o, 24);
    d->image_size = reader_u32(&o);
    d->sections = reader_bytes(&r, (size_t)sections * SECTION);
    read_strings(d, symbols, count);
    return !r.failed && !o.failed;
}

/* A string of the table, terminated in the file; NULL if it is not. */
static const char *string_at(const struct pe_dwarf *d, uint64_t offset)
{
    if (offset < 4 || offset >= d->strings.len ||
        !memchr(d->strings.data + offset, 0, d->strings.len - offset))
        return NULL;
    return (const char *)d->strings.data + offset;
}

/* Eight bytes, not always terminated; longer names are in the table. */
static bool has_name(const struct pe_dwarf *d, const uint8_t *header,
                     const char *name)
{
    uint64_t offset = 0;
    const char *text;

    if (header[0] != '/')
        return strlen(name) <= 8 && !strncmp((const char *)header, name, 8);
    for (unsigned i = 1; i < 8 && header[i]; i++)
        offset = offset * 10 + (uint64_t)(header[i] - '0') % 10;
    text = string_at(d, offset);
    return text && !strcmp(text, name);
}

/* The file pads sections: the virtual size is what counts. */
static struct bytes section(void *context, const char *name)
{
    struct pe_dwarf *d = context;

    for (size_t at = 0; at < d->sections.len; at += SECTION) {
        const uint8_t *h = d->sections.data + at;
        uint32_t virtual_size = load_u32(h + 8), size = load_u32(h + 16);
        struct reader r;

        if (!has_name(d, h, name))
            continue;
        r = reader_at(&d->all, load_u32(h + 20), "section");
        if (virtual_size && virtual_size < size)
            size = virtual_size;
        return reader_bytes(&r, size);
    }
    return (struct bytes){0};
}

struct pe_dwarf *pe_dwarf_open(const char *name, const uint8_t *data,
                               size_t size)
{
    struct pe_dwarf *d = mem_new(1, sizeof(*d));
    struct dwarf_source source = {
        .name = name,
        .context = d,
        .section = section,
    };

    d->name = name;
    d->all = reader_of(name, data, size, 0, NULL);
    if (read_headers(d))
        d->dwarf = dwarf_open(&source, NULL);
    if (d->dwarf)
        return d;
    pe_dwarf_close(d);
    return NULL;
}

void pe_dwarf_close(struct pe_dwarf *d)
{
    if (!d)
        return;
    dwarf_close(d->dwarf);
    vec_release(&d->symbols);
    arena_release(&d->names);
    free(d);
}

static const char *symbol_name(struct pe_dwarf *d, const uint8_t *symbol)
{
    if (load_u32(symbol))
        return arena_strndup(&d->names, (const char *)symbol,
                             strnlen((const char *)symbol, 8));
    return string_at(d, load_u32(symbol + 4));
}

static int compare(const void *x, const void *y)
{
    const struct coff_symbol *a = x, *b = y;

    if (a->rva != b->rva)
        return a->rva < b->rva ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void read_symbols(struct pe_dwarf *d)
{
    const struct bytes *table = &d->symbol_table;

    d->symbols_ready = true;
    for (size_t at = 0; at < table->len;
         at += SYMBOL * (1 + (size_t)table->data[at + 17])) {
        const uint8_t *s = table->data + at;
        unsigned number = load_u16(s + 12);
        const char *name;

        if (load_u16(s + 14) != FUNCTION || !number ||
            number > d->sections.len / SECTION)
            continue;
        name = symbol_name(d, s);
        if (name && *name)
            *vec_add(&d->symbols) = (struct coff_symbol){
                load_u32(d->sections.data + (size_t)(number - 1) * SECTION +
                         12) +
                    load_u32(s + 8),
                name,
            };
    }
    if (d->symbols.len)
        qsort(d->symbols.data, d->symbols.len, sizeof(struct coff_symbol),
              compare);
}

/* The section of an RVA by its number, SIZE_MAX for none: symbols have no
 * size, but do not reach into another section. */
static size_t section_of(const struct pe_dwarf *d, uint64_t rva)
{
    for (size_t at = 0; at < d->sections.len; at += SECTION) {
        const uint8_t *h = d->sections.data + at;
        uint32_t start = load_u32(h + 12);

        if (rva >= start && rva - start < load_u32(h + 8))
            return at;
    }
    return SIZE_MAX;
}

/* How many symbols begin at or below. */
static size_t symbols_below(struct pe_dwarf *d, uint64_t rva)
{
    size_t i;

    if (!d->symbols_ready)
        read_symbols(d);
    BISECT(i, d->symbols.len, d->symbols.data[i].rva <= rva);
    return i;
}

static const char *symbol_at(struct pe_dwarf *d, uint64_t rva)
{
    size_t after = symbols_below(d, rva), home = section_of(d, rva);

    if (!after || home == SIZE_MAX ||
        section_of(d, d->symbols.data[after - 1].rva) != home)
        return NULL;
    return d->symbols.data[after - 1].name;
}

size_t pe_dwarf_frames(struct pe_dwarf *d, uint64_t rva,
                       struct debug_frame *frames, size_t max)
{
    bool plain;
    size_t n;

    if (!max || rva >= d->image_size)
        return 0;
    n = dwarf_frames(d->dwarf, d->base + rva, frames, max, &plain);
    if (!n)
        frames[n++] = (struct debug_frame){0};
    if (!frames[n - 1].function)
        frames[n - 1].function = symbol_at(d, rva);
    if (n > 1 && !frames[n - 1].function)
        frames[n - 1].function = "(unnamed)";
    return frames[n - 1].function ? n : 0;
}

/* ---- the debug kind ---- */

static bool probe(const uint8_t *data, size_t size)
{
    struct pe_dwarf d = {0};

    if (size < 0x40 || data[0] != 'M' || data[1] != 'Z')
        return false;
    d.all = reader_of("image", data, size, 0, NULL);
    return read_headers(&d) && section(&d, ".debug_info").len;
}

static enum err_code open_image(struct debug_file *file, struct err *err)
{
    struct pe_dwarf *d = pe_dwarf_open(file->name, file->data, file->size);
    struct pe pe;

    if (!d)
        return err_set(err, ERR_CORRUPT, "%s: DWARF is damaged", file->name);
    file->state = d;
    if (!pe_open(&pe, file->name, file->data, file->size, NULL))
        file->machine = pe_debug_machine(&pe);
    file->identity.timestamp = d->timestamp;
    file->identity.image_size = d->image_size;
    return ERR_NONE;
}

static size_t frames_of(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    return pe_dwarf_frames(file->state, rva, frames, max);
}

static bool range_of(struct debug_file *file, uint64_t rva,
                     struct debug_range *range)
{
    struct pe_dwarf *d = file->state;
    size_t after = symbols_below(d, rva), home = section_of(d, rva);
    const struct coff_symbol *s;
    const uint8_t *h;

    if (!after || home == SIZE_MAX)
        return false;
    s = &d->symbols.data[after - 1];
    h = d->sections.data + home;
    if (section_of(d, s->rva) != home)
        return false;
    *range = (struct debug_range){
        s->rva, (uint64_t)load_u32(h + 12) + load_u32(h + 8)};
    if (after < d->symbols.len && s[1].rva < range->end)
        range->end = s[1].rva;
    return true;
}

static struct bytes code_of(struct debug_file *file, uint64_t rva)
{
    struct pe pe;

    if (pe_open(&pe, file->name, file->data, file->size, NULL))
        return (struct bytes){NULL, 0};
    return pe_code_at(&pe, rva);
}

static void close_image(struct debug_file *file)
{
    pe_dwarf_close(file->state);
}

const struct debug_kind pe_dwarf_debug_kind = {
    .name = "pe-dwarf",
    .probe = probe,
    .open = open_image,
    .frames = frames_of,
    .close = close_image,
    .range = range_of,
    .code = code_of,
    .is_pe = true,
};
