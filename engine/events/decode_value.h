/*
 * decode_value - single values of a payload, for decode.c.
 *
 *     if (decode_size(d, f->type))
 *         decode_number(d, f, v);
 *     else if (decode_is_text(f->type))
 *         decode_text(d, f, v);
 *
 * Each reads the value of a field where the decoder's reader stands. A payload
 * that ends before shows in `d->r.failed`.
 */
#ifndef TOPFN_EVENTS_DECODE_VALUE_H
#define TOPFN_EVENTS_DECODE_VALUE_H

#include "engine/events/schema.h"

/* ---- decode_number.c: what has one size ---- */

/* Of a value of the type; 0: it has no size of its own. */
size_t decode_size(const struct event_decoder *d, uint8_t type);

/* Numbers, GUIDs, times and characters. */
void decode_number(struct event_decoder *d, const struct event_field *f,
                   struct event_value *v);
void decode_pointer(struct event_decoder *d, const struct event_field *f,
                    struct event_value *v);

/* A count or length that an earlier field says; UINT32_MAX: it was not
 * kept. */
uint32_t decode_number_of(const struct event_decoder *d, uint32_t field);

/* ---- decode_text.c: texts and bytes ---- */

bool decode_is_text(uint8_t type);

/* Bytes that a text of the type has at least. */
size_t decode_least_text(uint8_t type);
void decode_text(struct event_decoder *d, const struct event_field *f,
                 struct event_value *v);

/* Several characters or bytes that a count goes with are one text, or bytes.
 * False: the field has elements of another type. */
bool decode_characters(struct event_decoder *d, const struct event_field *f,
                       uint32_t count, struct event_value *v);

/* A SID, and what the kernel logs of a user: nothing, or a TOKEN_USER of two
 * pointers, which say nothing, and the SID. Some logs have a null pointer in
 * front of a SID as well. */
void decode_sid(struct event_decoder *d, struct event_value *v);
void decode_wbem_sid(struct event_decoder *d, struct event_value *v);

void decode_as_text(struct event_value *v, struct bytes text,
                    enum event_encoding encoding);
/* Bytes that stand for something by their format. */
void decode_as_bytes(struct event_value *v, struct bytes bytes);
struct bytes decode_cut_at_nul(struct bytes text, unsigned unit);

#endif
