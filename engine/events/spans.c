#include "engine/events/spans.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/reader.h"
#include "engine/base/text.h"
#include "engine/events/schema.h"

const struct event_partners event_partners[] = {
    {"DiskIO/ReadInit", "DiskIO/Read", "Irp"},
    {"DiskIO/WriteInit", "DiskIO/Write", "Irp"},
    {"DiskIO/FlushInit", "DiskIO/FlushBuffers", "Irp"},
    {"FileIO/Read", "FileIO/OperationEnd", "IrpPtr"},
    {"FileIO/Write", "FileIO/OperationEnd", "IrpPtr"},
    {NULL, NULL, NULL},
};

/* How names of events begin and end something. */
static const struct {
    const char *begins, *ends;
} endings[] = {{"Start", "Stop"}, {"Begin", "End"}};

enum { ENDINGS = sizeof(endings) / sizeof(*endings) };

/* "Contention/Start", 5, "Stop" -> "Contention/Stop" */
static char *with_ending(const char *event, size_t without, const char *ending)
{
    size_t n = strlen(event) - without, more = strlen(ending) + 1;
    char *text = mem_new(n + more, 1);

    memcpy(text, event, n);
    memcpy(text + n, ending, more);
    return text;
}

/* Which of `endings` the name of an event has; ENDINGS: none. */
static size_t beginning_of(const char *event)
{
    size_t i = 0;

    while (i < ENDINGS && !text_ends(event, endings[i].begins))
        i++;
    return i;
}

char *event_ending(const char *event)
{
    size_t i = beginning_of(event);

    return i < ENDINGS
               ? with_ending(event, strlen(endings[i].begins), endings[i].ends)
               : NULL;
}

uint64_t event_partner_key(const struct event *e)
{
    if (e->activity && !guid_is_zero(e->activity))
        return hash_pair(load_u64(e->activity), load_u64(e->activity + 8));
    return hash_pair(e->tid, e->pid);
}

/* ---- what is open ---- */

uint32_t open_events_begin(struct open_events *open, uint64_t key,
                           uint32_t kind)
{
    uint32_t id = mem_next_id(open->outer.len);

    *vec_add(&open->outer) = map_get(&open->ids, key, kind);
    map_set(&open->ids, key, kind, id);
    return id;
}

uint32_t open_events_last(const struct open_events *open, uint64_t key,
                          uint32_t kind)
{
    uint32_t id = map_get(&open->ids, key, kind);

    return id == MAP_NONE || open->outer.data[id] == id ? MAP_NONE : id;
}

uint32_t open_events_end(struct open_events *open, uint64_t key, uint32_t kind)
{
    uint32_t id = open_events_last(open, key, kind), outer;

    if (id == MAP_NONE)
        return id;
    outer = open->outer.data[id];
    /* The last of a key stays in the map, as its own outer one. */
    open->outer.data[id] = id;
    if (outer != MAP_NONE)
        map_set(&open->ids, key, kind, outer);
    return id;
}

void open_events_release(struct open_events *open)
{
    map_release(&open->ids);
    vec_release(&open->outer);
}

/* ---- kinds ---- */

enum role { NOT_ASKED, NEITHER, BEGINS, ENDS };

/* The part that a kind of events plays in a span. */
struct span_role {
    enum role part;
    uint32_t name;    /* of the span */
    uint32_t partner; /* string: provider and name of the ending */
    const char *key;  /* a field; NULL: none */
};

struct finding {
    struct event_spans *spans;
    struct strings *partners;
    VEC(struct span_role) roles; /* by kind */
    struct open_events open;
};

static uint32_t partner_of(struct finding *f, const struct event_kind *kind,
                           const char *ending)
{
    struct out *text = out_memory();
    uint32_t id;
    size_t n;

    out_fmt(text, "%s/%s", kind->provider, ending);
    out_text(text, &n);
    id = strings_add(f->partners, out_text(text, NULL), n);
    out_close(text, NULL);
    return id;
}

/* NOT_ASKED: no field joins such events. */
static struct span_role role_by_field(struct finding *f,
                                      const struct event_kind *kind)
{
    struct strings *names = f->spans->names;
    const char *name = kind->full_name;

    for (const struct event_partners *p = event_partners; p->event; p++) {
        if (!strcmp(name, p->event))
            return (struct span_role){BEGINS,
                                      strings_add(names, name, strlen(name)),
                                      partner_of(f, kind, p->ending), p->key};
        if (!strcmp(name, p->ending))
            return (struct span_role){ENDS, 0, partner_of(f, kind, name),
                                      p->key};
    }
    return (struct span_role){.part = NOT_ASKED};
}

/* "GC/Start" is a span "GC", "Loader/DomainStart" one "Loader/Domain". DCStart
 * and DCStop only list what is there when the recording starts and stops. */
static struct span_role role_by_name(struct finding *f,
                                     const struct event_kind *kind)
{
    const char *name = kind->full_name;
    char *ending = event_ending(name);
    struct span_role role = {.part = NEITHER};

    if (text_ends(name, "DCStart") || text_ends(name, "DCStop")) {
        free(ending);
        return role;
    }
    if (ending) {
        size_t n = strlen(name) - strlen(endings[beginning_of(name)].begins);

        n -= n && name[n - 1] == '/';
        role.part = BEGINS;
        role.partner = partner_of(f, kind, ending);
        role.name = strings_add(f->spans->names, name, n ? n : strlen(name));
    } else if (text_ends(name, "Stop") || text_ends(name, "End")) {
        role.part = ENDS;
        role.partner = partner_of(f, kind, name);
    }
    free(ending);
    return role;
}

static const struct span_role *role_of(struct finding *f,
                                       const struct event_kind *kind)
{
    struct span_role *role;

    while (f->roles.len <= kind->index)
        *vec_add(&f->roles) = (struct span_role){.part = NOT_ASKED};
    role = &f->roles.data[kind->index];
    if (role->part == NOT_ASKED)
        *role = role_by_field(f, kind);
    if (role->part == NOT_ASKED)
        *role = role_by_name(f, kind);
    return role;
}

/* ---- events ---- */

static uint64_t key_of(const struct event *e, const struct span_role *role)
{
    struct event_decoder d = event_decode(e);
    struct event_value v;

    while (role->key && event_next_field(&d, &v))
        if (ascii_same(v.field->name, role->key))
            return v.u;
    return event_partner_key(e);
}

/* .NET Framework writes GC/Start in two versions each time. */
static bool is_same_start(const struct event_kind *a,
                          const struct event_kind *b)
{
    return a->id == b->id && a->version != b->version;
}

static void begin_span(struct finding *f, const struct event *e,
                       const struct span_role *role)
{
    struct event_span span = {
        .kind = e->kind,
        .name = role->name,
        .pid = e->pid,
        .tid = e->tid,
        .start = e->time,
        .open = true,
        .has_activity = e->activity,
        .place = e->place,
    };

    uint64_t key = key_of(e, role);
    uint32_t last = open_events_last(&f->open, key, role->partner);

    if (last != MAP_NONE &&
        is_same_start(f->spans->list.data[last].kind, e->kind))
        return;
    if (e->activity)
        memcpy(span.activity, e->activity, sizeof(span.activity));
    open_events_begin(&f->open, key, role->partner);
    *vec_add(&f->spans->list) = span;
}

void event_spans_find(struct event_spans *spans, struct event_trace *trace,
                      int (*is_over)(void *context), void *context)
{
    struct event_options options = {.is_over = is_over, .context = context};
    struct event_cursor *c = event_cursor_new(trace, &options);
    struct finding f = {.spans = spans, .partners = strings_new()};
    const struct event *e;

    spans->names = strings_new();
    while ((e = event_next(c))) {
        const struct span_role *role = role_of(&f, e->kind);
        uint32_t id = MAP_NONE;

        if (role->part == BEGINS)
            begin_span(&f, e, role);
        else if (role->part == ENDS)
            id = open_events_end(&f.open, key_of(e, role), role->partner);
        if (id == MAP_NONE)
            continue;
        spans->list.data[id].end = e->time;
        spans->list.data[id].open = false;
    }
    event_cursor_free(c);
    open_events_release(&f.open);
    vec_release(&f.roles);
    strings_free(f.partners);
}

void event_spans_release(struct event_spans *spans)
{
    strings_free(spans->names);
    vec_release(&spans->list);
}
