/*
 * abbrev - the shapes that the entries of a unit have (.debug_abbrev).
 *
 *     struct abbrevs *table = abbrevs_new(section, offset, sizes, &used);
 *     const struct abbrev *a = abbrevs_find(table, code);
 *     for (uint32_t i = 0; i < a->count; i++)
 *         ... table->values.data[a->first + i] ...
 *     abbrevs_free(table);
 *
 * An entry whose values have sizes that are known is passed in one step.
 */
#ifndef TOPFN_DWARF_ABBREV_H
#define TOPFN_DWARF_ABBREV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/reader.h"
#include "engine/base/vec.h"

struct abbrev_value {
    uint16_t name;    /* DW_AT_... */
    uint16_t form;    /* DW_FORM_... */
    uint8_t size;     /* in bytes; VALUE_VARIES: it tells that itself */
    int64_t constant; /* of DW_FORM_implicit_const */
};

enum { VALUE_VARIES = 0xFF };

struct abbrev {
    uint64_t code;
    uint32_t first, count; /* in `values` */
    uint32_t size; /* of all values, in bytes; ABBREV_VARIES: they tell */
    uint16_t tag;  /* DW_TAG_... */
    bool children;
    bool asked;  /* a unit, function, inlined call or scope */
    bool ranges; /* it says where its code is */
};

#define ABBREV_VARIES UINT32_MAX

struct abbrevs {
    VEC(struct abbrev) all; /* sorted by code */
    bool cut; /* one has more attributes than are read: it and all behind it
                 are missing */
    VEC(struct abbrev_value) values;
};

/* The sizes in a unit that sizes of values depend on. */
struct value_sizes {
    uint16_t version;
    uint8_t address, offset;
};

/* Reads up to the end of the table or the first damage. `used` gets the
 * number of bytes read. */
struct abbrevs *abbrevs_new(struct bytes section, uint64_t offset,
                            struct value_sizes sizes, uint64_t *used);
void abbrevs_free(struct abbrevs *table);

/* The bytes of a value; VALUE_VARIES if it tells its size itself. */
unsigned form_size(struct value_sizes sizes, uint16_t form);

/* Namespaces, classes and the like, which names are qualified by. */
bool is_scope(uint16_t tag);
bool is_unit(uint16_t tag);

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
