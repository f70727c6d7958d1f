/*
 * builtin - events whose schemas no trace brings along: of the Windows kernel,
 * the .NET runtime and a few others. A table for each; what the fields' texts
 * mean is told in schema_text.c. Names are those that PerfView shows.
 */
#ifndef TOPFN_EVENTS_BUILTIN_H
#define TOPFN_EVENTS_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a row that is for every event of its provider. */
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

extern const struct builtin_provider kernel_classes_builtin,
    clr_runtime_builtin, clr_rundown_builtin, clr_private_builtin,
    other_builtin[];
extern const size_t other_builtin_count;

#endif
