/*
 * Images by MinGW and others that carry DWARF inside, and name no PDB: those
 * that have .debug_info. Functions that only their COFF symbol table has are
 * named after it. pe.c does not tell of an image. (format.md, section 5)
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/bisect.h"
#include "engine/base/mem.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/debug.h"
#include "symbols/pe/pe.h"

enum { SYMBOL = 18, FUNCTION = 0x20 };

struct coff_symbol {
    uint32_t rva;
    const char *name;
};

struct pe_dwarf {
    struct pe pe;
    struct bytes strings, symbol_table;
    struct dwarf *dwarf;
    VEC(struct coff_symbol) symbols; /* sorted by RVA once ready */
    bool symbols_ready;
    struct arena names;
};

/* Symbols that the file does not hold in full are none. */
static void find_symbols(struct pe_dwarf *d)
{
    struct reader all = reader_of(d->pe.name, d->pe.data, d->pe.size, 0, NULL);
    struct reader r = reader_at(&all, d->pe.symbols_at, "symbols");

    if (!d->pe.symbols_at || d->pe.symbol_count > reader_left(&r) / SYMBOL)
        return;
    d->symbol_table = reader_bytes(&r, (size_t)d->pe.symbol_count * SYMBOL);
    d->strings = reader_bytes(&r, reader_left(&r));
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
static bool has_name(const struct pe_dwarf *d, const char *stored,
                     const char *name)
{
    uint64_t offset = 0;
    const char *text;

    if (stored[0] != '/')
        return strlen(name) <= 8 && !strncmp(stored, name, 8);
    for (unsigned i = 1; i < 8 && stored[i]; i++)
        offset = offset * 10 + (uint64_t)((uint8_t)stored[i] - '0') % 10;
    text = string_at(d, offset);
    return text && !strcmp(text, name);
}

/* The file pads sections: the virtual size is what counts. */
static struct bytes section(void *context, const char *name)
{
    struct pe_dwarf *d = context;
    struct reader all = reader_of(d->pe.name, d->pe.data, d->pe.size, 0, NULL);

    for (uint32_t i = 0; i < d->pe.section_count; i++) {
        struct pe_section s = pe_section(&d->pe, i);
        struct reader r;

        if (!has_name(d, s.name, name))
            continue;
        r = reader_at(&all, s.raw_at, "section");
        return reader_bytes(&r, s.size && s.size < s.raw_size ? s.size
                                                              : s.raw_size);
    }
    return (struct bytes){0};
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

/* The bounds of an RVA's section: symbols have no size, but do not reach into
 * another section, nor out of their function as the unwind information bounds
 * it. */
static bool section_of(const struct pe_dwarf *d, uint64_t rva,
                       struct debug_range *range)
{
    for (uint32_t i = 0; i < d->pe.section_count; i++) {
        struct pe_section s = pe_section(&d->pe, i);

        *range = (struct debug_range){s.rva, (uint64_t)s.rva + s.size};
        if (rva >= range->start && rva < range->end)
            return true;
    }
    return false;
}

/* Counts the symbols that begin at or below. */
static size_t symbols_below(struct pe_dwarf *d, uint64_t rva)
{
    size_t i;

    if (!d->symbols_ready) {
        const struct bytes *table = &d->symbol_table;

        d->symbols_ready = true;
        for (size_t at = 0; at < table->len;
             at += SYMBOL * (1 + (size_t)table->data[at + 17])) {
            const uint8_t *s = table->data + at;
            unsigned number = load_u16(s + 12);
            const char *name;

            if (load_u16(s + 14) != FUNCTION || !number ||
                number > d->pe.section_count)
                continue;
            name = symbol_name(d, s);
            if (name && *name)
                *vec_add(&d->symbols) = (struct coff_symbol){
                    pe_section(&d->pe, number - 1).rva + load_u32(s + 8),
                    name,
                };
        }
        if (d->symbols.len)
            qsort(d->symbols.data, d->symbols.len, sizeof(struct coff_symbol),
                  compare);
    }
    BISECT(i, d->symbols.len, d->symbols.data[i].rva <= rva);
    return i;
}

/* The symbol an address belongs to, NULL for none; and its section. */
static const struct coff_symbol *symbol_at(struct pe_dwarf *d, uint64_t rva,
                                           struct debug_range *section)
{
    size_t after = symbols_below(d, rva);
    const struct coff_symbol *s;

    if (!after || !section_of(d, rva, section))
        return NULL;
    s = &d->symbols.data[after - 1];
    return s->rva >= section->start &&
                   pe_may_reach(&d->pe, s->rva, (uint32_t)rva)
               ? s
               : NULL;
}

/* ---- the debug kind ---- */

static bool probe(const uint8_t *data, size_t size)
{
    struct pe_dwarf d = {0};

    if (pe_open(&d.pe, "image", data, size, NULL))
        return false;
    find_symbols(&d);
    return section(&d, ".debug_info").len;
}

static void close_image(struct debug_file *file)
{
    struct pe_dwarf *d = file->state;

    if (!d)
        return;
    dwarf_close(d->dwarf);
    vec_release(&d->symbols);
    arena_release(&d->names);
    free(d);
}

static enum err_code open_image(struct debug_file *file, struct err *err)
{
    struct pe_dwarf *d = mem_new(1, sizeof(*d));
    struct dwarf_source source = {
        .name = file->name,
        .context = d,
        .section = section,
    };

    file->state = d;
    if (!pe_open(&d->pe, file->name, file->data, file->size, NULL)) {
        find_symbols(d);
        d->dwarf = dwarf_open(&source, NULL);
    }
    if (!d->dwarf)
        return err_set(err, ERR_CORRUPT, "%s: DWARF is damaged", file->name);
    file->machine = pe_debug_machine(&d->pe);
    file->identity.timestamp = d->pe.timestamp;
    file->identity.image_size = d->pe.image_size;
    return ERR_NONE;
}

static size_t frames_of(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    struct pe_dwarf *d = file->state;
    const struct coff_symbol *symbol;
    struct debug_range section;
    bool plain;
    size_t n;

    if (!max || rva >= d->pe.image_size)
        return 0;
    n = dwarf_frames(d->dwarf, d->pe.base + rva, frames, max, &plain);
    if (!n)
        frames[n++] = (struct debug_frame){0};
    if (!frames[n - 1].function && (symbol = symbol_at(d, rva, &section)))
        frames[n - 1].function = symbol->name;
    if (n > 1 && !frames[n - 1].function)
        frames[n - 1].function = "(unnamed)";
    return frames[0].function || frames[0].file ? n : 0;
}

static bool range_of(struct debug_file *file, uint64_t rva,
                     struct debug_range *range)
{
    struct pe_dwarf *d = file->state;
    struct debug_range section;
    const struct coff_symbol *s = symbol_at(d, rva, &section);
    const struct coff_symbol *end = d->symbols.data + d->symbols.len;
    struct pe_function f;

    if (!s)
        return false;
    *range = (struct debug_range){s->rva, section.end};
    if (s + 1 < end && s[1].rva < range->end)
        range->end = s[1].rva;
    if (pe_function_at(&d->pe, (uint32_t)rva, &f) &&
        f.fragment.end < range->end)
        range->end = f.fragment.end;
    return true;
}

static struct bytes code_of(struct debug_file *file, uint64_t rva)
{
    const struct pe_dwarf *d = file->state;

    return pe_code_at(&d->pe, rva);
}

static const char *flaw_of(const struct debug_file *file)
{
    const struct pe_dwarf *d = file->state;
    const char *flaw = pe_flaw(&d->pe);

    return flaw ? flaw : dwarf_flaw(d->dwarf);
}

const struct debug_kind pe_dwarf_kind = {
    .name = "pe-dwarf",
    .probe = probe,
    .open = open_image,
    .frames = frames_of,
    .close = close_image,
    .range = range_of,
    .code = code_of,
    .image = IMAGE_PE,
    .matches = pe_matches,
    .flaw = flaw_of,
};
