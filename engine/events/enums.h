/*
 * enums - names of values in the schemas that are built in.
 */
#ifndef TOPFN_EVENTS_ENUMS_H
#define TOPFN_EVENTS_ENUMS_H

#include "engine/events/schema.h"

/* A row of a table of them. */
#define NAMES(list, name, bits)                                                \
    {                                                                          \
        name, list, sizeof(list) / sizeof((list)[0]), bits                     \
    }

extern const struct event_names clr_enums[], kernel_enums[];
extern const size_t clr_enums_count, kernel_enums_count;

/* The enumeration called so; there must be one. `n`: bytes of the name. */
const struct event_names *enum_named(const char *name, size_t n);

#endif
