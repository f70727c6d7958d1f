/*
 * proto - messages of Protocol Buffers, written.
 *
 *     struct proto line = {0}, location = {0};
 *     proto_u64(&line, 1, function_id);
 *     proto_u64(&location, 1, id);
 *     proto_message(&location, 4, &line);    // empties `line`
 *     out_bytes(out, (const char *)location.bytes.data, location.bytes.len);
 *     proto_release(&location);
 *     proto_release(&line);
 *
 * A message is built in memory before it is written, as its length stands in
 * front of it; one that is emptied keeps its memory. This is all of the wire
 * format that an export needs. A library would want the whole profile as a
 * tree of messages before it writes the first byte.
 */
#ifndef TOPFN_PROTO_H
#define TOPFN_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/vec.h"

struct proto {
    VEC(uint8_t) bytes;
};

/* A field of 0 is left out, as readers take it for that. */
void proto_u64(struct proto *message, uint32_t field, uint64_t value);

/* One that is there even if it is empty or 0: elements of lists, and fields
 * whose being there says something. */
void proto_element(struct proto *message, uint32_t field, const void *bytes,
                   size_t n);
void proto_number(struct proto *message, uint32_t field, uint64_t value);

/* A field of eight bytes, for times. */
void proto_fixed64(struct proto *message, uint32_t field, uint64_t value);

/* The bare numbers, for packed lists. */
void proto_varint(struct proto *message, uint64_t value);
void proto_eight(struct proto *message, uint64_t value);

/* An element that is a message, or a packed list; empties `part`. */
void proto_message(struct proto *message, uint32_t field, struct proto *part);

void proto_release(struct proto *message);

#endif
