/*
 * types_impl - names of the rows that signatures refer to, for types.c.
 */
#ifndef TOPFN_R2R_TYPES_IMPL_H
#define TOPFN_R2R_TYPES_IMPL_H

#include "symbols/managed/r2r/types.h"

void type_text_number(struct type_text *text, uint32_t number);

/* A row of CLI_TYPE or CLI_TYPE_REF; false when there is no such row. */
bool type_row_full(struct type_text *text, const struct cli_tables *tables,
                   enum cli_table table, uint32_t row); /* A.Outer+Inner */
bool type_row_map(struct type_text *text, const struct cli_tables *tables,
                  enum cli_table table, uint32_t row); /* [App]A.Outer/Inner */
bool type_row_plain(struct type_text *text, const struct cli_tables *tables,
                    enum cli_table table, uint32_t row); /* A.Inner */

#endif
