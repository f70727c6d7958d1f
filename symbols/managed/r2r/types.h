/*
 * types - names of types from signatures.
 *
 *     struct type_text text = {.len = 0};
 *     struct type_reader t = {.r = &blob, .text = &text,
 *                             .style = TYPES_FULL, .own = tables};
 *     if (type_read(&t, tables))
 *         use(text.data, text.len);
 *
 * Signatures nest without end in broken files: depth and text are limited,
 * and what goes beyond has no name.
 */
#ifndef TOPFN_R2R_TYPES_H
#define TOPFN_R2R_TYPES_H

#include "engine/base/budget.h"
#include "symbols/managed/r2r/tables.h"

/* Values of the first byte of a type (types.c has the others). */
enum { TYPE_GENERIC = 0x15, TYPE_OF_MODULE = 0x3F };

enum { TYPE_TEXT_MAX = 4096, TYPE_DEPTH = 32 };

struct type_text {
    char data[TYPE_TEXT_MAX]; /* not terminated */
    size_t len;
    bool failed; /* too long */
};

enum type_style {
    TYPES_FULL, /* System.Int32, Outer+Inner[System.Byte[]]: type arguments */
    /* Arguments of methods, as the runtime writes them: */
    TYPES_EVENT, /* unsigned int8, class Inner<...>: in its events */
    TYPES_MAP,   /* uint8, class [App]Outer/Inner<...>: in perf maps */
    TYPE_STYLES
};

struct type_reader {
    struct reader *r;
    struct type_text *text; /* NULL: only to get behind it */
    enum type_style style;
    const struct cli_tables *own; /* of the image that has the signature */
    /* The tables that a module index of a signature means; NULL unknown. */
    const struct cli_tables *(*module)(const void *context, uint32_t index);
    const void *context;
    struct budget *budget; /* of types that tokens describe; or NULL */
    unsigned depth;
};

/* One type, whose tokens are rows of `tables` (NULL: unknown, which is a
 * failure unless it is only skipped). False when it is malformed. */
bool type_read(struct type_reader *t, const struct cli_tables *tables);

/* Outer+Inner with namespaces; both false when there is no such type. */
bool type_full_name(struct type_text *text, const struct cli_tables *tables,
                    uint32_t type_row);

/* The whole signature of a method: "instance void  (int32,class System.X)". */
bool type_method_signature(struct type_reader *t);

/*
 * names of the rows that signatures refer to, for types.c.
 */

/* A row of CLI_TYPE or CLI_TYPE_REF; false when there is no such row. */
bool type_row_full(struct type_text *text, const struct cli_tables *tables,
                   enum cli_table table, uint32_t row); /* A.Outer+Inner */
bool type_row_map(struct type_text *text, const struct cli_tables *tables,
                  enum cli_table table, uint32_t row); /* [App]A.Outer/Inner */
bool type_row_plain(struct type_text *text, const struct cli_tables *tables,
                    enum cli_table table, uint32_t row); /* A.Inner */

#endif
