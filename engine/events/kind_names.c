/*
 * What an event is called where its schema says less than all of it.
 */
#include <stdio.h>
#include <string.h>

#include "engine/events/builtin.h"
#include "engine/events/trace_impl.h"

static const char *format_text(struct arena *arena, const char *format,
                               const char *a, const char *b)
{
    char text[512];

    snprintf(text, sizeof(text), format, a, b);
    return arena_text(arena, (struct bytes){(uint8_t *)text, strlen(text)});
}

static const char *number_text(struct arena *arena, const char *what,
                               unsigned n)
{
    char text[32];

    snprintf(text, sizeof(text), "%s(%u)", what, n);
    return arena_strndup(arena, text, strlen(text));
}

static const char *guid_text(struct arena *arena, const uint8_t *guid)
{
    char text[40];

    event_guid_text(text, guid);
    return arena_strndup(arena, text + 1, 36);
}

static const char *const standard_opcodes[] = {
    "Info",      "Start", "Stop",   "DCStart", "DCStop",
    "Extension", "Reply", "Resume", "Suspend", "Send",
};

enum { RECEIVE = 240 };

static bool is_set(const char *text)
{
    return text && *text;
}

/* What an opcode is called where nobody says it; nettrace files have numbers
 * of their providers' own. */
static const char *opcode_text(struct arena *arena, uint8_t opcode, bool own)
{
    char text[8];

    if (opcode < sizeof(standard_opcodes) / sizeof(standard_opcodes[0]))
        return opcode ? standard_opcodes[opcode] : "";
    if (opcode == RECEIVE)
        return "Receive";
    if (!own)
        return number_text(arena, "Opcode", opcode);
    snprintf(text, sizeof(text), "%u", opcode);
    return arena_strndup(arena, text, strlen(text));
}

/* "GC/Start"; the opcode Info says nothing. */
const char *kind_full_name(struct arena *arena, const char *name,
                           const char *type)
{
    if (!*type || !strcmp(type, "Info") || !strcmp(type, "Header"))
        return name;
    if (!*name)
        return type;
    return format_text(arena, "%s/%s", name, type);
}

/* A name ends in what its opcode says: "RequestStart" is Request/Start. */
static void split_name(struct event_trace *trace, const struct kind_request *r,
                       struct described *d)
{
    static const char *const ends[] = {"", "Start", "Stop"};
    size_t n = is_set(d->name) ? strlen(d->name) : 0;
    uint8_t opcode = r->opcode ? r->opcode : d->opcode;

    if (!r->described && !r->tracelogging.len)
        return;
    for (unsigned i = 1; i <= 2; i++) {
        size_t k = strlen(ends[i]);

        if ((opcode && opcode != i) || n <= k ||
            strcmp(d->name + n - k, ends[i]) != 0)
            continue;
        d->name = arena_strndup(&trace->arena, d->name, n - k);
        d->type_name = ends[i];
        return;
    }
}

static void describe_unknown(struct event_trace *trace,
                             const struct kind_request *r, struct described *d)
{
    struct arena *arena = &trace->arena;

    if (!is_set(d->name)) {
        if (r->is_hook)
            d->name = number_text(arena, "Group", r->hook >> 8);
        else if (is_set(r->name))
            d->name = arena_strndup(arena, r->name, strlen(r->name));
        else if (r->classic)
            d->name = number_text(arena, "Opcode", r->opcode);
        else if (!r->tracelogging.len)
            d->name = number_text(arena, "EventID", r->id);
        else
            d->name = "";
        if (!d->type_name && r->classic && !r->is_hook)
            d->type_name = "";
    }
    if (!d->type_name)
        d->type_name =
            r->is_hook ? number_text(arena, "Opcode", r->hook & 0xFF)
                       : opcode_text(arena, r->opcode ? r->opcode : d->opcode,
                                     r->described);
    if (!is_set(d->provider)) {
        if (r->is_hook)
            d->provider = builtin_providers[0].name;
        else if (is_set(r->provider))
            d->provider =
                arena_strndup(arena, r->provider, strlen(r->provider));
        else
            d->provider = r->guid ? guid_text(arena, r->guid) : "";
    }
}

void kind_complete_names(struct event_trace *trace,
                         const struct kind_request *r, struct described *d)
{
    if (!d->name && is_set(r->name))
        d->name = arena_strndup(&trace->arena, r->name, strlen(r->name));
    if (!d->type_name)
        split_name(trace, r, d);
    describe_unknown(trace, r, d);
}
