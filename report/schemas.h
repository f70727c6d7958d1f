/*
 * schemas - what the JSON of every report looks like, as JSON Schema.
 *
 *     if (schema_write("top", out)) ...
 *
 * A report's members are one text in schemas.c:
 *
 *     samples:i module:s? rows:[{name:s line?:i}] trace:@trace
 *
 * i is an integer, n a number, s a text, b true or false, * an object of any
 * members, @name a shape that several have. A "?" behind a value: it may be null; behind a name: it may
 * be missing. "~" stands for a blank in a name. A new member goes here, too:
 * a test compares every expected output with its schema, both ways.
 */
#ifndef TOPFN_SCHEMAS_H
#define TOPFN_SCHEMAS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/out.h"

/* The names there are; NULL behind the last. */
const char *schema_name(size_t i);

/* False: there is none of this name, and nothing was written. */
bool schema_write(const char *name, struct out *out);

#endif
