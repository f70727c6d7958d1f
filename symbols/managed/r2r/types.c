/* Types in signatures (format.md, section 4). */
#include "symbols/managed/r2r/types.h"

/*
 * Names of types by their rows. A nested type's row has its own name only;
 * the namespace is that of the outermost one.
 */

enum { NESTING_MAX = 64, SPEC_COST = 64 };

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

static void type_text_add(struct type_text *text, const char *part)
{
    add_bytes(text, part, strlen(part));
}

static void type_text_number(struct type_text *text, uint32_t number)
{
    char digits[10];
    size_t at = sizeof(digits);

    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    add_bytes(text, digits + at, sizeof(digits) - at);
}

/* Escapes characters that would end the name. */
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

enum {
    TYPE_POINTER = 0x0F,
    TYPE_REFERENCE = 0x10,
    TYPE_VALUE = 0x11,
    TYPE_CLASS = 0x12,
    TYPE_ARGUMENT = 0x13,
    TYPE_ARRAY = 0x14,
    TYPE_FUNCTION = 0x1B,
    TYPE_VECTOR = 0x1D,
    TYPE_METHOD_ARGUMENT = 0x1E,
    TYPE_REQUIRED = 0x1F,
    TYPE_OPTIONAL = 0x20,
    TYPE_AS_IS = 0x3D,
    TYPE_SENTINEL = 0x41,
    TYPE_PINNED = 0x45,
    TYPE_CODES = 0x40
};

/* By code and style. */
static const char *const simple[TYPE_CODES][TYPE_STYLES] = {
    [0x01] = {"System.Void", "void", "void"},
    [0x02] = {"System.Boolean", "bool", "bool"},
    [0x03] = {"System.Char", "wchar", "char"},
    [0x04] = {"System.SByte", "int8", "int8"},
    [0x05] = {"System.Byte", "unsigned int8", "uint8"},
    [0x06] = {"System.Int16", "int16", "int16"},
    [0x07] = {"System.UInt16", "unsigned int16", "uint16"},
    [0x08] = {"System.Int32", "int32", "int32"},
    [0x09] = {"System.UInt32", "unsigned int32", "uint32"},
    [0x0A] = {"System.Int64", "int64", "int64"},
    [0x0B] = {"System.UInt64", "unsigned int64", "uint64"},
    [0x0C] = {"System.Single", "float32", "float32"},
    [0x0D] = {"System.Double", "float64", "float64"},
    [0x0E] = {"System.String", "class System.String", "string"},
    [0x16] = {"System.TypedReference", "refany", "typedref"},
    [0x18] = {"System.IntPtr", "int", "native int"},
    [0x19] = {"System.UIntPtr", "unsigned int", "native uint"},
    [0x1C] = {"System.Object", "class System.Object", "object"},
    [0x3E] = {"System.__Canon", "class System.__Canon", "class System.__Canon"},
};

/* A coded token, with its kind in the low bits. */
static bool read_token(struct type_reader *t, const struct cli_tables *tables,
                       const char *prefix)
{
    uint32_t token = metadata_number(t->r), row = token >> 2;
    enum cli_table table = token & 1 ? CLI_TYPE_REF : CLI_TYPE;

    if (!t->text || t->r->failed)
        return !t->r->failed;
    if (!tables)
        return false;
    if ((token & 3) == 2) {
        /* A type that is described elsewhere. */
        struct reader blob =
            cli_blob(tables, CLI_TYPE_SPEC, row, TYPE_SPEC_SIGNATURE);
        struct type_reader inner = *t;

        if (t->budget &&
            !budget_take(t->budget, SPEC_COST + reader_left(&blob)))
            return false;
        inner.r = &blob;
        inner.own = tables;
        return type_read(&inner, tables);
    }
    if (t->style == TYPES_FULL)
        return type_row_full(t->text, tables, table, row);
    type_text_add(t->text, prefix);
    if (t->style == TYPES_MAP)
        return type_row_map(t->text, tables, table, row);
    return type_row_plain(t->text, tables, table, row);
}

static bool read_suffixed(struct type_reader *t,
                          const struct cli_tables *tables, const char *suffix)
{
    bool done = type_read(t, tables);

    type_text_add(t->text, suffix);
    return done;
}

static bool read_list(struct type_reader *t, const struct cli_tables *tables,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            type_text_add(t->text, ",");
        if (!type_read(t, tables))
            return false;
    }
    return true;
}

/* Arguments are of the image itself, wherever the type is from. */
static bool read_generic(struct type_reader *t, const struct cli_tables *tables)
{
    bool full = t->style == TYPES_FULL;

    if (!type_read(t, tables))
        return false;
    type_text_add(t->text, full ? "[" : "<");
    if (!read_list(t, t->own, metadata_number(t->r)))
        return false;
    type_text_add(t->text, full ? "]" : ">");
    return true;
}

static bool read_array(struct type_reader *t, const struct cli_tables *tables)
{
    bool done = type_read(t, tables);
    uint32_t rank = metadata_number(t->r);

    for (unsigned list = 0; list < 2; list++)
        for (uint32_t n = metadata_number(t->r); n && !t->r->failed; n--)
            metadata_number(t->r);
    type_text_add(t->text, "[");
    for (uint32_t i = 1; i < rank && t->text && !t->text->failed; i++)
        type_text_add(t->text, ",");
    type_text_add(t->text, "]");
    return done;
}

static bool read_numbered(struct type_reader *t, const char *prefix)
{
    uint32_t number = metadata_number(t->r);

    type_text_add(t->text, prefix);
    type_text_number(t->text, number);
    return true;
}

/* "int32 modreq(Name)" */
static bool read_suffix_modifier(struct type_reader *t,
                                 const struct cli_tables *tables,
                                 const char *word)
{
    struct type_reader behind = *t, silent = *t;
    struct reader at = *t->r;

    silent.text = NULL;
    behind.r = &at;
    if (!read_token(&silent, tables, "") || !type_read(t, tables))
        return false;
    type_text_add(t->text, *word == 'r' ? " modreq(" : " modopt(");
    if (!read_token(&behind, tables, ""))
        return false;
    type_text_add(t->text, ")");
    return true;
}

/* Type arguments show what code is made for, not how it is declared. */
static bool read_modified(struct type_reader *t,
                          const struct cli_tables *tables, const char *prefix)
{
    struct type_reader silent = *t;

    if (t->style == TYPES_MAP)
        return read_suffix_modifier(t, tables, prefix);
    if (t->style == TYPES_FULL) {
        silent.text = NULL;
        return read_token(&silent, tables, "") && type_read(t, tables);
    }
    type_text_add(t->text, prefix);
    if (!read_token(t, tables, ""))
        return false;
    type_text_add(t->text, " ");
    return type_read(t, tables);
}

static bool read_result(struct type_reader *t, uint32_t *count,
                        const char *between);
static bool read_arguments(struct type_reader *t, uint32_t count);

static bool read_function(struct type_reader *t)
{
    uint32_t count;

    type_text_add(t->text, "fnptr ");
    return read_result(t, &count, "") && read_arguments(t, count);
}

static bool read_of_module(struct type_reader *t)
{
    uint32_t index = metadata_number(t->r);

    return type_read(t, t->module ? t->module(t->context, index) : NULL);
}

static bool read_code(struct type_reader *t, const struct cli_tables *tables,
                      uint8_t code)
{
    switch (code) {
    case TYPE_VALUE:
        return read_token(
            t, tables, t->style == TYPES_MAP ? "valuetype " : "value class ");
    case TYPE_CLASS:
        return read_token(t, tables, "class ");
    case TYPE_GENERIC:
        return read_generic(t, tables);
    case TYPE_VECTOR:
        return read_suffixed(t, tables, "[]");
    case TYPE_POINTER:
        return read_suffixed(t, tables, "*");
    case TYPE_REFERENCE:
        return read_suffixed(t, tables, "&");
    case TYPE_ARRAY:
        return read_array(t, tables);
    case TYPE_ARGUMENT:
        return read_numbered(t, "!");
    case TYPE_METHOD_ARGUMENT:
        return read_numbered(t, "!!");
    case TYPE_REQUIRED:
        return read_modified(t, tables, "required_modifier ");
    case TYPE_OPTIONAL:
        return read_modified(t, tables, "optional_modifier ");
    case TYPE_FUNCTION:
        return read_function(t);
    case TYPE_OF_MODULE:
        return read_of_module(t);
    case TYPE_AS_IS:
    case TYPE_PINNED:
        return type_read(t, tables);
    }
    return false;
}

bool type_read(struct type_reader *t, const struct cli_tables *tables)
{
    uint8_t code = reader_u8(t->r) & 0x7F;
    bool done;

    if (t->r->failed || t->depth == TYPE_DEPTH || (t->text && t->text->failed))
        return false;
    if (code < TYPE_CODES && simple[code][t->style]) {
        type_text_add(t->text, simple[code][t->style]);
        return true;
    }
    t->depth++;
    done = read_code(t, tables, code);
    t->depth--;
    return done && !t->r->failed;
}

/* ---- methods ---- */

enum { CONVENTION = 0x0F, GENERIC = 0x10, INSTANCE = 0x20 };

static const char *convention_name(uint8_t convention)
{
    static const char *const names[] = {
        "",
        "unmanaged cdecl ",
        "unmanaged stdcall ",
        "unmanaged thiscall ",
        "unmanaged fastcall ",
        "vararg ",
    };

    convention &= CONVENTION;
    return convention < sizeof(names) / sizeof(*names) ? names[convention] : "";
}

/* Up to the type of the result, and how many arguments follow. */
static bool read_result(struct type_reader *t, uint32_t *count,
                        const char *between)
{
    uint8_t flags = reader_u8(t->r);

    if (flags & INSTANCE)
        type_text_add(t->text, "instance ");
    if (flags & GENERIC) {
        type_text_add(t->text, t->style == TYPES_MAP ? "" : "generic ");
        metadata_number(t->r);
    }
    type_text_add(t->text, convention_name(flags));
    *count = metadata_number(t->r);
    if (!type_read(t, t->own))
        return false;
    type_text_add(t->text, between);
    return true;
}

static bool read_arguments(struct type_reader *t, uint32_t count)
{
    type_text_add(t->text, "(");
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            type_text_add(t->text, ",");
        /* Where arguments that no declaration names begin, there is a mark. */
        if (reader_more(t->r) && t->r->base[t->r->pos] == TYPE_SENTINEL) {
            reader_skip(t->r, 1);
            type_text_add(t->text, "...,");
        }
        if (!(type_read(t, t->own)))
            return false;
    }
    type_text_add(t->text, ")");
    return true;
}

bool type_method_signature(struct type_reader *t)
{
    uint32_t count;

    return read_result(t, &count, "  ") && read_arguments(t, count) &&
           !(t->text && t->text->failed);
}
