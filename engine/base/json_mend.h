/*
 * json_mend - the part of a JSON text before its damage, made whole.
 *
 *     size_t n = text_of_mended, used;
 *     char *text = json_mend(data, size, &n, &used);
 *
 * The part ends with the last value that another follows, or with the last
 * bracket, before `size`; brackets that are open there are closed. `used` is
 * how many of its bytes are of the text.
 */
#ifndef TOPFN_JSON_MEND_H
#define TOPFN_JSON_MEND_H

#include <stddef.h>

/* For free(); NULL: nothing of it is whole. One pass, without recursion. */
char *json_mend(const char *data, size_t size, size_t *n, size_t *used);

#endif
