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
 *     uint16 n, {sid user, binary.7(16) address} peers[#0], uint32:Colors c
 *
 * Behind a type's dot is the number of its format, behind its colon the
 * enumeration; "(16)" or "(#0)" is a length, "[3]", "[#0]", "[u16]", "[u32]" or
 * "[]" a count, '#' the number of the field that says it. */
char *schema_text(const struct event_schema *schema);

#endif
