/*
 * dwarf_writer - sections of DWARF under construction, and a source of them.
 *
 *     struct dwarf_parts d = {.version = 5};
 *     DWARF_ABBREV(&d, 1, DW_TAG_compile_unit, DW_AT_name, DW_FORM_string);
 *     dwarf_unit_begin(&d);
 *     blob_bytes(dwarf_part(&d, ".debug_info"), "\1a.c", 5);
 *     dwarf_unit_end(&d);
 *     source = dwarf_source_of(&d);
 *     dwarf_parts_release(&d);
 */
#ifndef TOPFN_TESTS_DWARF_WRITER_H
#define TOPFN_TESTS_DWARF_WRITER_H

#include <libdwarf/dwarf.h>

#include "symbols/dwarf/dwarf.h"
#include "tests/support/blob.h"

enum { DWARF_PARTS = 16 };

struct dwarf_parts {
    uint16_t version;     /* of the units */
    bool wide;            /* 64-bit offsets */
    uint8_t address_size; /* 0: 8 */
    uint8_t type;         /* DW_UT_..., of version 5; 0: a compile unit */
    uint64_t abbrev_offset;
    struct {
        const char *name;
        struct blob bytes;
    } parts[DWARF_PARTS];
    size_t unit; /* where the one under construction begins */
    size_t at_length;
};

/* The section of that name, which begins empty. */
static inline struct blob *dwarf_part(struct dwarf_parts *d, const char *name)
{
    size_t i = 0;

    while (d->parts[i].name && strcmp(d->parts[i].name, name) != 0)
        i++;
    d->parts[i].name = name;
    return &d->parts[i].bytes;
}

static inline struct blob *dwarf_info(struct dwarf_parts *d)
{
    return dwarf_part(d, ".debug_info");
}

static inline unsigned dwarf_width(const struct dwarf_parts *d)
{
    return d->wide ? 8 : 4;
}

/* An offset in a section. */
static inline void dwarf_offset(struct dwarf_parts *d, struct blob *b,
                                uint64_t offset)
{
    blob_number(b, offset, dwarf_width(d));
}

static inline void dwarf_uleb(struct blob *b, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        blob_u8(b, (uint8_t)(value | 0x80));
    blob_u8(b, (uint8_t)value);
}

static inline void dwarf_string(struct blob *b, const char *text)
{
    blob_bytes(b, text, strlen(text) + 1);
}

/* Begins a length, which dwarf_length_end fills in. */
static inline size_t dwarf_length_begin(struct dwarf_parts *d, struct blob *b)
{
    if (d->wide)
        blob_u32(b, UINT32_MAX);
    dwarf_offset(d, b, 0);
    return b->len;
}

static inline void dwarf_length_end(struct dwarf_parts *d, struct blob *b,
                                    size_t begun)
{
    unsigned width = dwarf_width(d);

    blob_set(b, begun - width, b->len - begun, width);
}

static inline void dwarf_unit_begin(struct dwarf_parts *d)
{
    struct blob *b = dwarf_info(d);
    uint8_t size = d->address_size ? d->address_size : 8;

    d->unit = b->len;
    d->at_length = dwarf_length_begin(d, b);
    blob_u16(b, d->version);
    if (d->version == 5) {
        blob_pack(b, "BB", d->type ? d->type : DW_UT_compile, size);
    }
    dwarf_offset(d, b, d->abbrev_offset);
    if (d->version != 5)
        blob_u8(b, size);
}

static inline void dwarf_unit_end(struct dwarf_parts *d)
{
    dwarf_length_end(d, dwarf_info(d), d->at_length);
}

/* Pairs of attribute and form; constants of the abbreviation are 5. */
static inline void dwarf_abbrev(struct dwarf_parts *d, uint64_t code,
                                uint16_t tag, bool children,
                                const uint16_t *pairs, size_t n)
{
    struct blob *b = dwarf_part(d, ".debug_abbrev");

    if (b->len)
        b->len--; /* the end of the table */
    dwarf_uleb(b, code);
    dwarf_uleb(b, tag);
    blob_u8(b, children);
    for (size_t i = 0; i < n; i++) {
        dwarf_uleb(b, pairs[i]);
        if (i % 2 && pairs[i] == DW_FORM_implicit_const)
            blob_u8(b, 5);
    }
    blob_zero(b, 3);
}

#define DWARF_PAIRS(...)                                                       \
    (const uint16_t[])                                                         \
    {                                                                          \
        __VA_ARGS__                                                            \
    }
#define DWARF_ABBREV(d, code, tag, children, ...)                              \
    dwarf_abbrev(d, code, tag, children, DWARF_PAIRS(__VA_ARGS__),             \
                 sizeof(DWARF_PAIRS(__VA_ARGS__)) / sizeof(uint16_t))

static inline struct bytes dwarf_section_of(void *context, const char *name)
{
    const struct dwarf_parts *d = context;

    for (size_t i = 0; i < DWARF_PARTS && d->parts[i].name; i++)
        if (!strcmp(d->parts[i].name, name))
            return (struct bytes){d->parts[i].bytes.data,
                                  d->parts[i].bytes.len};
    return (struct bytes){NULL, 0};
}

static inline struct dwarf_source dwarf_source_of(struct dwarf_parts *d)
{
    return (struct dwarf_source){
        .name = "made", .context = d, .section = dwarf_section_of};
}

static inline void dwarf_parts_release(struct dwarf_parts *d)
{
    for (size_t i = 0; i < DWARF_PARTS; i++)
        free(d->parts[i].bytes.data);
}

#endif
