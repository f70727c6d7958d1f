/*
 * Names of types by their rows. A nested type's row has its own name only;
 * the namespace is that of the outermost one.
 */
#include "symbols/managed/r2r/types_impl.h"

enum { NESTING_MAX = 64 };

static void add_bytes(struct type_text *text, const char *part, size_t n)
{
    if (!text || text->failed)
        return;
    text->failed = n > sizeof(text->data) - text->len;
    if (text->failed)
        return;
    memcpy(text->data + text->len, part, n);
    text->len += n;
}

void type_text_add(struct type_text *text, const char *part)
{
    add_bytes(text, part, strlen(part));
}

void type_text_number(struct type_text *text, uint32_t number)
{
    char digits[10];
    size_t at = sizeof(digits);

    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    add_bytes(text, digits + at, sizeof(digits) - at);
}

/* What would end the name is marked. */
static void add_escaped(struct type_text *text, const char *name)
{
    while (*name) {
        size_t n = strcspn(name, ",[]&*+\\");

        add_bytes(text, name, n);
        name += n;
        if (!*name)
            return;
        add_bytes(text, "\\", 1);
        add_bytes(text, name++, 1);
    }
}

static void add_name(struct type_text *text, const char *space,
                     const char *name, bool escaped)
{
    if (*space) {
        type_text_add(text, space);
        type_text_add(text, ".");
    }
    if (escaped)
        add_escaped(text, name);
    else
        type_text_add(text, name);
}

struct nesting {
    enum cli_table table;
    uint32_t rows[NESTING_MAX]; /* innermost first */
    unsigned depth;
};

/* The type a reference is nested in; 0 none. */
static uint32_t reference_scope(const struct cli_tables *t, uint32_t row)
{
    uint32_t scope = cli_cell(t, CLI_TYPE_REF, row, TYPE_REF_SCOPE);

    return (scope & 3) == 3 ? scope >> 2 : 0;
}

static bool find_nesting(struct nesting *n, const struct cli_tables *t,
                         uint32_t row)
{
    if (!row || row > cli_rows(t, n->table))
        return false;
    for (n->depth = 0; row; n->depth++) {
        if (n->depth == NESTING_MAX)
            return false;
        n->rows[n->depth] = row;
        row = n->table == CLI_TYPE ? cli_enclosing(t, row)
                                   : reference_scope(t, row);
    }
    return true;
}

/* Names have the same place in both tables. */
static void add_row(struct type_text *text, const struct cli_tables *t,
                    enum cli_table table, uint32_t row, bool escaped)
{
    add_name(text, cli_text(t, table, row, TYPE_SPACE),
             cli_text(t, table, row, TYPE_NAME), escaped);
}

bool type_row_full(struct type_text *text, const struct cli_tables *t,
                   enum cli_table table, uint32_t row)
{
    struct nesting n = {.table = table};

    if (!find_nesting(&n, t, row))
        return false;
    while (n.depth--) {
        add_row(text, t, table, n.rows[n.depth], true);
        if (n.depth)
            type_text_add(text, "+");
    }
    return true;
}

/* "[System.Runtime]" in front of what another assembly has. */
static void add_assembly(struct type_text *text, const struct cli_tables *t,
                         uint32_t reference)
{
    uint32_t scope = cli_cell(t, CLI_TYPE_REF, reference, TYPE_REF_SCOPE);

    if ((scope & 3) != 2)
        return;
    type_text_add(text, "[");
    type_text_add(text,
                  cli_text(t, CLI_ASSEMBLY_REF, scope >> 2, ASSEMBLY_REF_NAME));
    type_text_add(text, "]");
}

bool type_row_map(struct type_text *text, const struct cli_tables *t,
                  enum cli_table table, uint32_t row)
{
    struct nesting n = {.table = table};

    if (!find_nesting(&n, t, row))
        return false;
    if (table == CLI_TYPE_REF)
        add_assembly(text, t, n.rows[n.depth - 1]);
    while (n.depth--) {
        add_row(text, t, table, n.rows[n.depth], false);
        if (n.depth)
            type_text_add(text, "/");
    }
    return true;
}

bool type_full_name(struct type_text *text, const struct cli_tables *tables,
                    uint32_t type_row)
{
    return type_row_full(text, tables, CLI_TYPE, type_row);
}

bool type_row_plain(struct type_text *text, const struct cli_tables *tables,
                    enum cli_table table, uint32_t row)
{
    add_row(text, tables, table, row, false);
    return row && row <= cli_rows(tables, table);
}
