/*
 * enums - names of values in the schemas that are built in.
 */
#ifndef TOPFN_EVENTS_ENUMS_H
#define TOPFN_EVENTS_ENUMS_H

#include "engine/events/schema.h"

/* The enumeration called so; there must be one. `n`: bytes of the name. */
const struct event_names *enum_named(const char *name, size_t n);

#endif
