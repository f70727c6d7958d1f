/*
 * value_text - values as people read them: "1,140", "16.7", "▂▇▄·".
 *
 *     n = value_columns(&v, width);
 *     value_print(out, &v, width);
 *
 * Only a series has regard to the width: several of its buckets share a
 * character where it has more of them; 0: as wide as it gets.
 */
#ifndef TOPFN_VALUE_TEXT_H
#define TOPFN_VALUE_TEXT_H

#include "report/table/table.h"

void value_print(struct out *out, const struct value *v, size_t width);

/* How many columns that takes. */
size_t value_columns(const struct value *v, size_t width);

#endif
