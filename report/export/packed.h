/*
 * packed - an output whose bytes are packed by gzip on their way.
 *
 *     struct packed *gz = packed_new(out);
 *     packed_bytes(gz, data, n);
 *     packed_end(gz);            // `out` has it all then
 *
 * The same bytes for the same input: neither name nor time are in it. Nothing
 * fails: what `out` cannot take shows when it is closed.
 */
#ifndef TOPFN_PACKED_H
#define TOPFN_PACKED_H

#include "engine/base/out.h"

struct packed;

struct packed *packed_new(struct out *out);
void packed_bytes(struct packed *packed, const void *bytes, size_t n);

/* Writes what is left and frees. */
void packed_end(struct packed *packed);

#endif
