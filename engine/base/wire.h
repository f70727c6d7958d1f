/*
 * wire - messages of Protocol Buffers, read.
 *
 *     struct wire_field f;
 *     while (wire_next(&r, &f))
 *         if (f.number == 3 && f.is_message)
 *             read_mapping(&f.message);
 *
 * Bytes are a reader of their own that cannot see past them. After damage
 * the reader has failed and there are no more fields.
 */
#ifndef TOPFN_WIRE_H
#define TOPFN_WIRE_H

#include "engine/base/reader.h"

struct wire_field {
    uint32_t number;
    bool is_message;       /* or bytes, or packed numbers */
    uint64_t value;        /* else */
    struct reader message; /* if so */
};

bool wire_next(struct reader *r, struct wire_field *field);

/* The next of a list of numbers, packed or alone; false behind the last. For
 * a field of its own that is not a list, the value once. */
bool wire_number(struct wire_field *field, uint64_t *value);

/* Reads a message of single numbers: values[n] becomes the last one of field
 * n, for all fields below `count`. Others stay as they are. */
void wire_numbers(struct reader message, uint64_t *values, size_t count);

#endif
