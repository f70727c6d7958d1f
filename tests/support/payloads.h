/*
 * payloads - payloads of events written in hex, and what is decoded of them.
 *
 *     uint8_t bytes[PAYLOAD_ROOM];
 *     size_t n = payload_of_hex("0100 ff", bytes);
 *     struct event_decoder d = event_decode_bytes(schema, bytes, n, 8);
 *     char *text = decoded_text(&d); // "n=1 flag=255"
 *
 * Texts are the caller's, to be freed.
 */
#ifndef TOPFN_TESTS_PAYLOADS_H
#define TOPFN_TESTS_PAYLOADS_H

#include "engine/events/schema.h"

enum { PAYLOAD_ROOM = 1024 };

/* Blanks may stand between bytes. */
size_t payload_of_hex(const char *hex, uint8_t *bytes);

/* "name=value", blanks between; then "! why at 3, 2 bytes left" where the
 * schema does not fit. */
char *decoded_text(struct event_decoder *d);

/* A schema as text, its fields in the order of the event:
 *
 *     u16 n, {sid user, bin.socket(16) address} peers[#0], u32 c:Colors
 *
 * as schemas that are built in are written (schema_text.c), but for a field
 * that says a count or length, which stands as '#' and its number. */
char *schema_text(const struct event_schema *schema);

#endif
