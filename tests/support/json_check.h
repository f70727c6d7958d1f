/*
 * json_check - whether text is JSON (RFC 8259), to the letter.
 */
#ifndef TOPFN_JSON_CHECK_H
#define TOPFN_JSON_CHECK_H

#include <stdbool.h>

/* One value, with nothing but white space around it. */
bool is_json(const char *text);

#endif
