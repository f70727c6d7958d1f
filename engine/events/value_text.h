/*
 * value_text - single values as text, for value.c.
 */
#ifndef TOPFN_EVENTS_VALUE_TEXT_H
#define TOPFN_EVENTS_VALUE_TEXT_H

#include "engine/events/schema.h"

/* Of any value but a group: see event_value_text. */
void event_scalar_text(struct out *out, const struct event_value *v);

/* Whether the number is one that people read in hex: addresses, flags. */
bool event_value_is_hex(const struct event_value *v);

#endif
