/*
 * Tables follow each other without gaps, so the size of every row in front
 * of one that is needed must be known. A column is a number, an index of a
 * heap, of a table, or "coded": of one of several tables, which a few low
 * bits tell. Indices have 2 bytes, or 4 when 2 could not reach all rows.
 */
#include "symbols/managed/r2r/tables.h"

#include "engine/base/bisect.h"

/* One letter a column: 2 and 4 bytes, a string, GUID or blob; a capital is a
 * coded index; '#' and two digits an index of that table. */
static const char *const schemas[CLI_TABLES] = {
    [0x00] = "2sggg",    [0x01] = "Rss",    [0x02] = "4ssT#04#06",
    [0x03] = "#04",      [0x04] = "2sb",    [0x05] = "#06",
    [0x06] = "422sb#08", [0x07] = "#08",    [0x08] = "22s",
    [0x09] = "#02T",     [0x0A] = "Psb",    [0x0B] = "2Cb",
    [0x0C] = "AYb",      [0x0D] = "Fb",     [0x0E] = "2Db",
    [0x0F] = "24#02",    [0x10] = "4#04",   [0x11] = "b",
    [0x12] = "#02#14",   [0x13] = "#14",    [0x14] = "2sT",
    [0x15] = "#02#17",   [0x16] = "#17",    [0x17] = "2sb",
    [0x18] = "2#06S",    [0x19] = "#02MM",  [0x1A] = "s",
    [0x1B] = "b",        [0x1C] = "2Ws#1A", [0x1D] = "4#04",
    [0x1E] = "44",       [0x1F] = "4",      [0x20] = "422224bss",
    [0x21] = "4",        [0x22] = "444",    [0x23] = "22224bssb",
    [0x24] = "4#23",     [0x25] = "444#23", [0x26] = "4sb",
    [0x27] = "44ssI",    [0x28] = "44sI",   [0x29] = "#02#02",
    [0x30] = "bgbg",   [0x31] = "#30b",
};

static const struct coded {
    char letter;
    uint8_t bits; /* of the tag */
    uint8_t count;
    uint8_t tables[22];
} codeds[] = {
    {'T', 2, 3, {0x02, 0x01, 0x1B}},
    {'C', 2, 3, {0x04, 0x08, 0x17}},
    {'A', 5, 22, {0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0A, 0x00,
                  0x0E, 0x17, 0x14, 0x11, 0x1A, 0x1B, 0x20, 0x23,
                  0x26, 0x27, 0x28, 0x2A, 0x2C, 0x2B}},
    {'Y', 3, 2, {0x06, 0x0A}},
    {'F', 1, 2, {0x04, 0x08}},
    {'D', 2, 3, {0x02, 0x06, 0x20}},
    {'P', 3, 5, {0x02, 0x01, 0x1A, 0x06, 0x1B}},
    {'S', 1, 2, {0x14, 0x17}},
    {'M', 1, 2, {0x06, 0x0A}},
    {'W', 1, 2, {0x04, 0x06}},
    {'I', 2, 3, {0x26, 0x23, 0x27}},
    {'R', 2, 4, {0x00, 0x1A, 0x23, 0x01}},
};

enum { ROWS_MAX = 0xFFFFFF };

static unsigned wide_if(bool wide)
{
    return wide ? 4 : 2;
}

static unsigned hex(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'A' + 10);
}

/* Moves behind the column. */
static unsigned column_size(const char **schema,
                            const struct metadata_rows *rows)
{
    const char *at = *schema;
    const struct coded *c;
    uint32_t most;

    *schema = at + (*at == '#' ? 3 : 1);
    switch (*at) {
    case '2':
        return 2;
    case '4':
        return 4;
    case 's':
        return wide_if(rows->wide & WIDE_STRINGS);
    case 'g':
        return wide_if(rows->wide & WIDE_GUIDS);
    case 'b':
        return wide_if(rows->wide & WIDE_BLOBS);
    case '#':
        return wide_if(rows->rows[hex(at[1]) << 4 | hex(at[2])] > 0xFFFF);
    }
    c = codeds;
    most = 0;
    while (c->letter != (*at))
        c++;
    for (unsigned i = 0; i < c->count; i++)
        if (rows->rows[c->tables[i]] > most)
            most = rows->rows[c->tables[i]];
    return wide_if(most >= 1u << (16 - c->bits));
}

static void lay_out(struct cli_columns *c, const char *schema,
                    const struct metadata_rows *rows)
{
    for (unsigned i = 0; *schema; i++) {
        c->at[i] = c->row_size;
        c->size[i] = (uint8_t)column_size(&schema, rows);
        c->row_size = (uint8_t)(c->row_size + c->size[i]);
    }
}

/* A table that is cut off keeps the rows that are there. */
static void take_table(struct cli_columns *c, uint32_t rows, struct reader *r)
{
    size_t most = reader_left(r) / c->row_size;
    bool whole = rows <= ROWS_MAX && rows <= most;

    c->rows = whole ? rows : (uint32_t)(most < ROWS_MAX ? most : ROWS_MAX);
    c->data = reader_bytes(r, (size_t)c->rows * c->row_size).data;
    if (!whole)
        reader_fail(r, ERR_TRUNCATED, "metadata table");
}

enum err_code cli_tables_open(struct cli_tables *t, const char *name,
                              const uint8_t *data, size_t size, struct err *err)
{
    struct err own = {0};
    struct metadata_rows rows;
    struct reader r;

    *t = (struct cli_tables){.tables = {{0}}};
    err = err ? err : &own;
    if (metadata_open(&t->metadata, name, data, size, err))
        return err->code;
    r = metadata_read_rows(&t->metadata, &rows, err);
    if (r.failed)
        return err->code;
    r.err = NULL;
    for (unsigned i = 0; i < CLI_TABLES; i++) {
        if (!schemas[i] && rows.rows[i])
            break; /* what comes behind is not needed, of an image */
        if (!schemas[i])
            continue;
        lay_out(&t->tables[i], schemas[i], &rows);
        if (!r.failed && rows.rows[i])
            take_table(&t->tables[i], rows.rows[i], &r);
    }
    return ERR_NONE;
}

uint32_t cli_cell(const struct cli_tables *t, enum cli_table table,
                  uint32_t row, unsigned column)
{
    const struct cli_columns *c = &t->tables[table];
    const uint8_t *at;

    if (!row || row > c->rows)
        return 0;
    at = c->data + (size_t)(row - 1) * c->row_size + c->at[column];
    return load_index(at, c->size[column]);
}

const char *cli_text(const struct cli_tables *t, enum cli_table table,
                     uint32_t row, unsigned column)
{
    return metadata_string(&t->metadata, cli_cell(t, table, row, column));
}

struct reader cli_blob(const struct cli_tables *t, enum cli_table table,
                       uint32_t row, unsigned column)
{
    return metadata_blob(&t->metadata, cli_cell(t, table, row, column));
}

/* The last type whose methods begin at or before. */
uint32_t cli_owner(const struct cli_tables *t, uint32_t method)
{
    uint32_t i;

    if (!method || method > cli_rows(t, CLI_METHOD))
        return 0;
    BISECT(i, cli_rows(t, CLI_TYPE),
           cli_cell(t, CLI_TYPE, i + 1, TYPE_METHODS) <= method);
    return i;
}

/* The table is sorted by the nested type. */
uint32_t cli_enclosing(const struct cli_tables *t, uint32_t type)
{
    uint32_t i;

    BISECT(i, cli_rows(t, CLI_NESTED),
           cli_cell(t, CLI_NESTED, i + 1, NESTED_TYPE) < type);
    return cli_cell(t, CLI_NESTED, i + 1, NESTED_TYPE) == type
               ? cli_cell(t, CLI_NESTED, i + 1, NESTED_IN)
               : 0;
}
