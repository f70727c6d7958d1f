/*
 * tables - the type system of a .NET image: which types and methods there
 * are, and how they are called. (ECMA-335, II.22)
 *
 *     struct cli_tables t;
 *     if (!cli_tables_open(&t, "app.dll", bytes, size, &err)) {
 *         uint32_t type = cli_owner(&t, method_row);
 *         puts(cli_text(&t, CLI_METHOD, method_row, METHOD_NAME));
 *     }
 *
 * Rows count from 1; a cell of a row that is not there is 0. Nothing is
 * allocated: views of the bytes, which must outlive it.
 */
#ifndef TOPFN_R2R_TABLES_H
#define TOPFN_R2R_TABLES_H

#include "symbols/managed/metadata.h"

enum cli_table {
    CLI_TYPE_REF = 0x01,
    CLI_TYPE = 0x02,
    CLI_METHOD = 0x06,
    CLI_MEMBER_REF = 0x0A,
    CLI_TYPE_SPEC = 0x1B,
    CLI_ASSEMBLY_REF = 0x23,
    CLI_NESTED = 0x29,
    CLI_DOCUMENT = 0x30, /* of portable PDBs, which have no others */
    CLI_METHOD_LINES = 0x31,
    CLI_TABLES = 0x32 /* the rest is not needed, and comes behind */
};

/* Columns of those tables. */
enum {
    TYPE_REF_SCOPE = 0,
    TYPE_REF_NAME,
    TYPE_REF_SPACE,
    TYPE_NAME = 1,
    TYPE_SPACE,
    TYPE_METHODS = 5,
    METHOD_NAME = 3,
    METHOD_SIGNATURE,
    MEMBER_REF_NAME = 1,
    MEMBER_REF_SIGNATURE,
    TYPE_SPEC_SIGNATURE = 0,
    ASSEMBLY_REF_NAME = 6,
    NESTED_TYPE = 0,
    NESTED_IN,
    DOCUMENT_NAME = 0,
    METHOD_LINES_DOCUMENT = 0,
    METHOD_LINES_POINTS
};

enum { CLI_COLUMNS = 9 };

struct cli_columns {
    const uint8_t *data;
    uint32_t rows;
    uint8_t row_size;
    uint8_t at[CLI_COLUMNS], size[CLI_COLUMNS]; /* size 0: no such column */
};

struct cli_tables {
    struct metadata metadata;
    struct cli_columns tables[CLI_TABLES];
};

enum err_code cli_tables_open(struct cli_tables *t, const char *name,
                              const uint8_t *data, size_t size,
                              struct err *err);

uint32_t cli_cell(const struct cli_tables *t, enum cli_table table,
                  uint32_t row, unsigned column);
const char *cli_text(const struct cli_tables *t, enum cli_table table,
                     uint32_t row, unsigned column);
struct reader cli_blob(const struct cli_tables *t, enum cli_table table,
                       uint32_t row, unsigned column);
static inline uint32_t cli_rows(const struct cli_tables *t,
                                enum cli_table table)
{
    return t->tables[table].rows;
}

/* The type that a method belongs to; 0 none. */
uint32_t cli_owner(const struct cli_tables *t, uint32_t method);
/* The type that a type is nested in; 0 none. */
uint32_t cli_enclosing(const struct cli_tables *t, uint32_t type);

#endif
