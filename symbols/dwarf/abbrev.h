/*
 * abbrev - the shapes that the entries of a unit have (.debug_abbrev).
 *
 *     struct abbrevs *table = abbrevs_new(section, offset, &used);
 *     const struct abbrev *a = abbrevs_find(table, code);
 *     abbrevs_free(table);
 */
#ifndef TOPFN_DWARF_ABBREV_H
#define TOPFN_DWARF_ABBREV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/reader.h"
#include "engine/base/vec.h"

struct abbrev_attribute {
    uint16_t name;    /* DW_AT_... */
    uint16_t form;    /* DW_FORM_... */
    int64_t constant; /* of DW_FORM_implicit_const */
};

struct abbrev {
    uint64_t code;
    uint32_t first, count; /* attributes */
    uint16_t tag;          /* DW_TAG_... */
    bool children;
    /* Bytes of the values of an entry in a unit of DWARF 3 or later with
     * addresses of 8 bytes and offsets of 4; ABBREV_VARIES if they differ. */
    uint32_t size;
};

#define ABBREV_VARIES UINT32_MAX

struct abbrevs {
    VEC(struct abbrev) all; /* sorted by code */
    bool cut; /* one has more attributes than are read: it and all behind it
                 are missing */
    VEC(struct abbrev_attribute) attributes;
};

/* Reads up to the end of the table or the first damage. `used` gets the
 * number of bytes read. */
struct abbrevs *abbrevs_new(struct bytes section, uint64_t offset,
                            uint64_t *used);
void abbrevs_free(struct abbrevs *table);

/* What a unit says that sizes of values depend on. */
struct value_sizes {
    uint16_t version;
    uint8_t address, offset;
};

/* The bytes of a value; 0xFF if it tells its size itself. */
unsigned form_size(struct value_sizes sizes, uint16_t form);

const struct abbrev *abbrevs_search(const struct abbrevs *table, uint64_t code);

/* Codes nearly always count 1, 2, 3, ... */
static inline const struct abbrev *abbrevs_find(const struct abbrevs *table,
                                                uint64_t code)
{
    if (code - 1 < table->all.len && table->all.data[code - 1].code == code)
        return &table->all.data[code - 1];
    return abbrevs_search(table, code);
}

#endif
