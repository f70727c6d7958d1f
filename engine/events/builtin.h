/*
 * builtin - events whose schemas no trace brings along, and the names of their
 * values. The build makes these tables of builtin_events.txt and
 * builtin_enums.txt; schema_text.c reads the texts of the fields.
 */
#ifndef TOPFN_EVENTS_BUILTIN_H
#define TOPFN_EVENTS_BUILTIN_H

#include "engine/events/schema.h"

/* The id of a row that is for every event of its provider. */
#define BUILTIN_ANY_ID UINT16_MAX

struct builtin_event {
    uint16_t id;     /* manifest events; else the opcode, or the kernel hook */
    uint8_t version; /* the layout of this version and of later ones */
    const char *name, *type_name; /* NULL: as the trace calls it */
    const char *fields; /* NULL: not known */
};

struct builtin_provider {
    const char *guid; /* of the provider or the class; NULL: by name */
    const char *name;
    bool classic;
    const struct builtin_event *events;
    size_t count;
};

/* The first one is the kernel, whose events are known by hooks. */
extern const struct builtin_provider builtin_providers[];
extern const size_t builtin_provider_count;
extern const struct event_names builtin_enums[];
extern const size_t builtin_enum_count;

#endif
