#include "symbols/dwarf/abbrev.h"

#include <libdwarf/dwarf.h>
#include <stdlib.h>

/* Attributes that take no bytes cost steps for every entry: no compiler writes
 * this many into one abbreviation. */
enum { MOST_ATTRIBUTES = 256 };

/* Numbers beyond 16 bits are no attribute, form or tag that we know. */
static uint16_t narrow(uint64_t value)
{
    return value > UINT16_MAX ? UINT16_MAX : (uint16_t)value;
}

unsigned form_size(struct value_sizes sizes, uint16_t form)
{
    switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
        return 0;
    case DW_FORM_data1:
    case DW_FORM_ref1:
    case DW_FORM_flag:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
        return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
        return 2;
    case DW_FORM_strx3:
    case DW_FORM_addrx3:
        return 3;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4:
    case DW_FORM_ref_sup4:
        return 4;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup8:
        return 8;
    case DW_FORM_addr:
        return sizes.address;
    case DW_FORM_ref_addr:
        return sizes.version == 2 ? sizes.address : sizes.offset;
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_sec_offset:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
        return sizes.offset;
    default:
        return 0xFF;
    }
}

static uint32_t usual_size(const struct abbrevs *table, const struct abbrev *a)
{
    static const struct value_sizes usual = {5, 8, 4};
    uint32_t size = 0;

    for (uint32_t i = 0; i < a->count; i++) {
        unsigned n =
            form_size(usual, table->attributes.data[a->first + i].form);

        if (n == 0xFF)
            return ABBREV_VARIES;
        size += n;
    }
    return size;
}

/* False at one that has too many: what follows cannot be told. Flags that are
 * there by being named are nothing that is asked for. */
static bool read_attributes(struct abbrevs *table, struct reader *r)
{
    size_t first = table->attributes.len;

    while (reader_more(r) && table->attributes.len - first < MOST_ATTRIBUTES) {
        struct abbrev_attribute a = {0};

        a.name = narrow(reader_uleb(r));
        a.form = narrow(reader_uleb(r));
        if (a.form == DW_FORM_implicit_const)
            a.constant = reader_sleb(r);
        if (r->failed || (!a.name && !a.form))
            return true;
        if (a.form != DW_FORM_flag_present)
            *vec_add(&table->attributes) = a;
    }
    return r->failed;
}

static int compare(const void *x, const void *y)
{
    const struct abbrev *a = x, *b = y;

    return a->code < b->code ? -1 : a->code > b->code;
}

static void sort(struct abbrevs *table)
{
    for (size_t i = 1; i < table->all.len; i++)
        if (table->all.data[i - 1].code > table->all.data[i].code) {
            qsort(table->all.data, table->all.len, sizeof(struct abbrev),
                  compare);
            return;
        }
}

struct abbrevs *abbrevs_new(struct bytes section, uint64_t offset,
                            uint64_t *used)
{
    struct abbrevs *table = mem_new(1, sizeof(*table));
    struct reader all =
        reader_of(".debug_abbrev", section.data, section.len, 0, NULL);
    struct reader r = reader_at(&all, offset, "abbreviations");
    struct abbrev a = {0};

    while (reader_more(&r) && (a.code = reader_uleb(&r)) != 0) {
        a.tag = narrow(reader_uleb(&r));
        a.children = reader_u8(&r);
        a.first = mem_next_id(table->attributes.len);
        table->cut = !read_attributes(table, &r);
        if (table->cut)
            break;
        a.count = (uint32_t)(table->attributes.len - a.first);
        a.size = usual_size(table, &a);
        if (!r.failed)
            *vec_add(&table->all) = a;
    }
    *used = r.pos > offset ? r.pos - offset : 1;
    sort(table);
    return table;
}

void abbrevs_free(struct abbrevs *table)
{
    if (!table)
        return;
    vec_release(&table->all);
    vec_release(&table->attributes);
    free(table);
}

const struct abbrev *abbrevs_search(const struct abbrevs *table, uint64_t code)
{
    struct abbrev key = {.code = code};

    if (!table->all.len)
        return NULL;
    return bsearch(&key, table->all.data, table->all.len, sizeof(key), compare);
}
