/*
 * manifest_impl - what was read of a manifest (manifest_read.c), of which
 * manifest.c makes schemas. Texts are in the trace's arena.
 */
#ifndef TOPFN_EVENTS_MANIFEST_IMPL_H
#define TOPFN_EVENTS_MANIFEST_IMPL_H

#include "engine/events/trace_impl.h"

struct named {
    const char *name;
    const char *message;
    uint32_t value;
};

struct template
{
    const char *name;
    VEC(struct event_field) fields;
    VEC(struct event_field) members; /* of structs; `first` counts from 0 */
    VEC(const char *) maps;          /* by field, then by member; or NULL */
    VEC(const char *) member_maps;
    /* Names of fields that counts and lengths refer to, likewise. */
    VEC(const char *) counts;
    VEC(const char *) lengths;
};

struct map_element {
    const char *name;
    bool bits;
    VEC(struct named) list;
    const struct event_names *names; /* made when first asked for */
};

struct event_element {
    uint32_t value, version;
    const char *task, *opcode, *template, *symbol, *message;
};

struct found_manifest {
    struct event_trace *trace;
    uint8_t guid[16];
    const char *provider;
    VEC(struct named) strings; /* message is the text */
    VEC(struct event_element) events;
    VEC(struct template) templates;
    VEC(struct map_element) maps;
};

#endif
