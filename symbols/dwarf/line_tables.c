/*
 * The tables of DWARF 5, first folders and then files:
 *
 *   u8       format_count
 *   ULEB128  what it is and DW_FORM_..., for each of the formats
 *   ULEB128  count
 *   values, as the formats say, for each of the entries
 *
 * Before, both are lists that an empty name ends: nothing is counted.
 */
#include "symbols/dwarf/line_tables.h"

#include <libdwarf/dwarf.h>

enum { MOST_FORMATS = 16 };

static void skip(struct reader *r, uint64_t n)
{
    if (n > reader_left(r))
        reader_fail(r, ERR_TRUNCATED, "line table");
    else
        reader_skip(r, (size_t)n);
}

static void skip_value(struct reader *r, uint64_t form, unsigned wide)
{
    switch (form) {
    case DW_FORM_string:
        (void)reader_cstr(r);
        break;
    case DW_FORM_line_strp:
    case DW_FORM_strp:
        skip(r, wide);
        break;
    case DW_FORM_udata:
        (void)reader_uleb(r);
        break;
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
        skip(r, form == DW_FORM_data1 ? 1 : form == DW_FORM_data2 ? 2 : 4);
        break;
    case DW_FORM_data8:
    case DW_FORM_data16:
        skip(r, form == DW_FORM_data8 ? 8 : 16);
        break;
    case DW_FORM_block:
        skip(r, reader_uleb(r));
        break;
    default:
        reader_fail(r, ERR_UNSUPPORTED, "form in a line table");
        break;
    }
}

static bool skip_table(struct reader *r, unsigned wide)
{
    uint64_t forms[MOST_FORMATS], count;
    unsigned n = reader_u8(r);

    if (n > MOST_FORMATS)
        return false;
    for (unsigned i = 0; i < n; i++) {
        (void)reader_uleb(r);
        forms[i] = reader_uleb(r);
    }
    count = reader_uleb(r);
    /* Every form takes a byte or more. */
    if (count > reader_left(r) || (count && !n))
        return false;
    while (count-- && !r->failed)
        for (unsigned i = 0; i < n; i++)
            skip_value(r, forms[i], wide);
    return !r->failed;
}

bool line_tables_complete(const struct line_header *header)
{
    struct reader r = reader_of(".debug_line", header->bytes.data,
                                header->bytes.len, 0, NULL);

    if (header->version < 5)
        return true;
    reader_skip(&r, header->tables);
    for (unsigned table = 0; table < 2; table++)
        if (!skip_table(&r, header->wide))
            return false;
    return true;
}
