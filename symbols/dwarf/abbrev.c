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
        return VALUE_VARIES;
    }
}

bool is_scope(uint16_t tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
           tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
           tag == DW_TAG_interface_type || tag == DW_TAG_module;
}

bool is_unit(uint16_t tag)
{
    return tag == DW_TAG_compile_unit || tag == DW_TAG_partial_unit ||
           tag == DW_TAG_type_unit || tag == DW_TAG_skeleton_unit;
}

/* Returns false at an abbreviation with too many attributes: the next one
 * cannot be found then. Flags without a value are skipped, because nothing
 * needs them. */
static bool read_attributes(struct abbrevs *table, struct value_sizes sizes,
                            struct reader *r)
{
    size_t first = table->values.len;

    while (reader_more(r) && table->values.len - first < MOST_ATTRIBUTES) {
        struct abbrev_value v = {0};

        v.name = narrow(reader_uleb(r));
        v.form = narrow(reader_uleb(r));
        if (v.form == DW_FORM_implicit_const)
            v.constant = reader_sleb(r);
        if (r->failed || (!v.name && !v.form))
            return true;
        v.size = (uint8_t)form_size(sizes, v.form);
        if (v.form != DW_FORM_flag_present)
            *vec_add(&table->values) = v;
    }
    return !reader_more(r);
}

static uint32_t size_of(const struct abbrevs *table, const struct abbrev *a)
{
    uint32_t size = 0;

    for (uint32_t i = 0; i < a->count; i++) {
        const struct abbrev_value *v = &table->values.data[a->first + i];

        if (v->size == VALUE_VARIES)
            return ABBREV_VARIES;
        size += v->size;
    }
    return size;
}

/* The caller knows the tag and the children; the rest is read from the
 * attributes. */
static bool read_values(struct abbrevs *table, struct abbrev *a,
                        struct value_sizes sizes, struct reader *r)
{
    a->first = mem_next_id(table->values.len);
    if (!read_attributes(table, sizes, r))
        return false;
    a->count = (uint32_t)table->values.len - a->first;
    a->asked = a->tag == DW_TAG_subprogram ||
               a->tag == DW_TAG_inlined_subroutine || is_scope(a->tag) ||
               is_unit(a->tag);
    a->ranges = false;
    for (uint32_t i = 0; i < a->count; i++) {
        uint16_t name = table->values.data[a->first + i].name;

        a->ranges |= name == DW_AT_low_pc || name == DW_AT_high_pc ||
                     name == DW_AT_ranges;
    }
    a->size = size_of(table, a);
    return true;
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
                            struct value_sizes sizes, uint64_t *used)
{
    struct abbrevs *table = mem_new(1, sizeof(*table));
    struct reader all =
        reader_of(".debug_abbrev", section.data, section.len, 0, NULL);
    struct reader r = reader_at(&all, offset, "abbreviations");
    struct abbrev a = {0};

    while (reader_more(&r) && (a.code = reader_uleb(&r)) != 0) {
        a.tag = narrow(reader_uleb(&r));
        a.children = reader_u8(&r);
        table->cut = !read_values(table, &a, sizes, &r);
        if (table->cut)
            break;
        if (!r.failed)
            *vec_add(&table->all) = a;
    }
    *used = r.failed && offset < section.len ? section.len - offset
            : r.pos > offset                 ? r.pos - offset
                                             : 1;
    sort(table);
    return table;
}

void abbrevs_free(struct abbrevs *table)
{
    if (!table)
        return;
    vec_release(&table->all);
    vec_release(&table->values);
    free(table);
}

const struct abbrev *abbrevs_search(const struct abbrevs *table, uint64_t code)
{
    struct abbrev key = {.code = code};

    if (!table->all.len)
        return NULL;
    return bsearch(&key, table->all.data, table->all.len, sizeof(key), compare);
}
