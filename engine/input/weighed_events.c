#include "engine/input/weighed_events.h"

#include <stdlib.h>
#include <string.h>

#include "engine/attribution/clr.h"
#include "engine/base/text.h"
#include "engine/events/schema.h"
#include "engine/events/spans.h"
#include "engine/input/trace_events.h"

/* ---- what events weigh ---- */

enum weighing { BY_COUNT, BY_FIELD, BY_TIME, BY_ALLOCATION };

/* Events that can be asked for by a short name, or by their own. */
struct usual_weight {
    const char *name;   /* of --event */
    const char *event;
    const char *ending; /* the event that ends it; NULL: none */
    const char *key;    /* a field that both share; NULL: activity or thread */
    const char *bytes;  /* a field of either; NULL: none */
    const char *lasted; /* a field of the ending: its ns; NULL: none */
    enum weighing weighing;
    bool ours; /* readers do not know the name */
};

static const struct usual_weight usual_weights[] = {
    {"allocation", "GC/AllocationTick", NULL, NULL, "", NULL, BY_ALLOCATION,
     false},
    {"allocation", "AllocationSampling/AllocationSampled", NULL, NULL, "", NULL,
     BY_ALLOCATION, false},
    {"contention", "Contention/Start", "Contention/Stop", NULL, NULL,
     "DurationNs", BY_TIME, false},
    {"wait", "WaitHandleWait/Start", "WaitHandleWait/Stop", NULL, NULL, NULL,
     BY_TIME, true},
    {"exception", "Exception/Start", NULL, NULL, NULL, NULL, BY_COUNT, false},
    {"disk-io", "DiskIO/ReadInit", "DiskIO/Read", "Irp", "TransferSize", NULL,
     BY_FIELD, false},
    {"disk-io", "DiskIO/WriteInit", "DiskIO/Write", "Irp", "TransferSize", NULL,
     BY_FIELD, false},
    {"file-io", "FileIO/Read", "FileIO/OperationEnd", "IrpPtr", "IoSize", NULL,
     BY_FIELD, true},
    {"file-io", "FileIO/Write", "FileIO/OperationEnd", "IrpPtr", "IoSize", NULL,
     BY_FIELD, true},
};

enum { USUAL = sizeof(usual_weights) / sizeof(*usual_weights) };

static const struct usual_weight *find_usual(const char *name)
{
    for (size_t i = 0; name && i < USUAL; i++)
        if (ascii_same(usual_weights[i].name, name) ||
            ascii_same(usual_weights[i].event, name))
            return &usual_weights[i];
    return NULL;
}

/* Under its own name an event counts 1. */
static enum weighing usual_weighing(const struct usual_weight *usual,
                                    const char *event)
{
    return usual && usual->name && ascii_same(usual->name, event)
               ? usual->weighing
               : BY_COUNT;
}

bool weighed_events_asked(const struct read_options *options)
{
    const struct usual_weight *usual = find_usual(options->event);

    return options->weight || options->value ||
           (usual && usual->ending &&
            usual_weighing(usual, options->event) != BY_COUNT);
}

/* ---- one walk ---- */

/* An event that has not ended yet. */
struct pending {
    struct observed_sample sample;
    int64_t from;
    uint64_t weight; /* a field of the event that begins; 0: it has none */
};

enum { FIELDS_TOLD = 16 };

enum role { NOT_ASKED, NEITHER, BEGINS, ENDS };

struct weighed_events {
    struct event_trace *trace;
    const struct read_options *options;
    struct other_samples samples;
    enum weighing weighing;
    const char *field;
    struct usual_weight named; /* of an event that is not in the table */
    char *ending;              /* that one's */
    VEC(uint8_t) roles;        /* enum role, by kind */
    VEC(struct pending) pending; /* by number in `open` */
    struct open_events open;     /* by key, and whether it is a field */
    struct map known;            /* of event_sample */
    bool joined;            /* weights take two events */
    uint64_t met, ended, weighed, valued, left_out;
    const char *fields[FIELDS_TOLD]; /* of the first event, for a message */
    size_t field_count;
};

/* The rows of the table that are asked for; NULL behind the last. */
static const struct usual_weight *rule_at(const struct weighed_events *w,
                                          size_t i)
{
    const char *event = w->options->event;

    if (w->named.event)
        return i ? NULL : &w->named;
    for (size_t k = 0; k < USUAL; k++)
        if ((ascii_same(usual_weights[k].name, event) ||
             ascii_same(usual_weights[k].event, event)) &&
            !i--)
            return &usual_weights[k];
    return NULL;
}

static bool kind_is(const struct event_kind *kind, const char *name)
{
    size_t n = strlen(kind->provider);

    return name && (ascii_same(kind->full_name, name) ||
                    (ascii_same_n(kind->provider, name, n) && name[n] == '/' &&
                     ascii_same(kind->full_name, name + n + 1)));
}

static const struct usual_weight *rule_of(const struct weighed_events *w,
                                          const struct event_kind *kind,
                                          enum role *role)
{
    const struct usual_weight *rule;

    for (size_t i = 0; (rule = rule_at(w, i)); i++) {
        *role = kind_is(kind, rule->event)    ? BEGINS
                : kind_is(kind, rule->ending) ? ENDS
                                              : NEITHER;
        if (*role != NEITHER)
            return rule;
    }
    return NULL;
}

/* The values of an event's fields that are asked for. */
struct said {
    uint64_t key, weight, lasted;
    uint32_t value; /* string */
    bool has_key;
};

static uint64_t whole(const struct event_value *v)
{
    const double most = 4e18; /* and fits */

    if (v->kind == FIELD_DOUBLE)
        return v->d > 0 ? (uint64_t)(v->d < most ? v->d : most) : 0;
    if (v->kind == FIELD_INT)
        return v->i > 0 ? (uint64_t)v->i : 0;
    if (v->kind != FIELD_UINT && v->kind != FIELD_ADDRESS &&
        v->kind != FIELD_BOOL)
        return 0;
    return v->u < WEIGHTS_MOST ? v->u : WEIGHTS_MOST;
}

static uint32_t text_of(struct strings *strings, struct event_decoder *d,
                        const struct event_value *v)
{
    struct out *text = out_memory();
    uint32_t id;

    event_value_text(text, d, v);
    id = strings_add(strings, out_text(text, NULL),
                     strlen(out_text(text, NULL)));
    out_close(text, NULL);
    return id;
}

static struct said read_said(struct weighed_events *w, struct profile *p,
                             const struct event *e,
                             const struct usual_weight *rule)
{
    struct event_decoder d = event_decode(e);
    bool first = !w->field_count;
    struct said said = {0};
    struct event_value v;

    while (event_next_field(&d, &v)) {
        const char *name = v.field->name;

        if (first && w->field_count < FIELDS_TOLD)
            w->fields[w->field_count++] = name;
        if (rule->key && ascii_same(name, rule->key)) {
            said.key = whole(&v);
            said.has_key = true;
        }
        if (rule->lasted && ascii_same(name, rule->lasted))
            said.lasted = whole(&v);
        if (w->weighing == BY_FIELD && ascii_same(name, w->field)) {
            said.weight = whole(&v);
            w->weighed++;
        }
        if (w->options->value && ascii_same(name, w->options->value)) {
            said.value = text_of(p->strings, &d, &v);
            w->valued++;
        }
    }
    if (w->weighing == BY_ALLOCATION) {
        struct reader r = reader_of("", e->payload, e->size, 0, NULL);

        said.weight = clr_allocation_bytes(e->kind->id, e->kind->version,
                                           e->pointer_size, &r);
    }
    return said;
}

static uint64_t key_of(const struct event *e, const struct said *said)
{
    return said->has_key ? said->key : event_partner_key(e);
}

static void begin_event(struct weighed_events *w, struct observations *seen,
                        const struct event *e, const struct said *said)
{
    struct observed_sample sample = event_sample(seen, &w->known, e);

    sample.value = said->value;
    if (!w->joined) {
        sample.weight = w->weighing == BY_COUNT ? 1 : said->weight;
        if (sample.weight)
            observe_sample(seen, &sample);
        else
            w->left_out++;
        return;
    }
    open_events_begin(&w->open, key_of(e, said), said->has_key);
    *vec_add(&w->pending) = (struct pending){sample, e->time, said->weight};
}

static void end_event(struct weighed_events *w, struct observations *seen,
                      const struct event *e, const struct said *said)
{
    struct pending *began;
    uint32_t id = open_events_end(&w->open, key_of(e, said), said->has_key);

    if (id == MAP_NONE)
        return;
    began = &w->pending.data[id];
    w->ended++;
    if (w->weighing == BY_TIME)
        began->sample.weight =
            said->lasted ? said->lasted : (uint64_t)(e->time - began->from);
    else if (w->weighing == BY_FIELD)
        began->sample.weight = said->weight ? said->weight : began->weight;
    if (!began->sample.value)
        began->sample.value = said->value;
    if (began->sample.weight)
        observe_sample(seen, &began->sample);
    else
        w->left_out++;
}

static void observe(void *context, struct observations *seen)
{
    struct weighed_events *w = context;
    struct event_options options = {.stacks = true};
    struct event_cursor *c = event_cursor_new(w->trace, &options);
    const struct event *e;

    while ((e = event_next(c))) {
        const struct usual_weight *rule;
        enum role role = NEITHER;
        struct said said;

        while (w->roles.len <= e->kind->index)
            *vec_add(&w->roles) = NOT_ASKED;
        if (w->roles.data[e->kind->index] == NEITHER)
            continue;
        rule = rule_of(w, e->kind, &role);
        w->roles.data[e->kind->index] = (uint8_t)role;
        if (!rule)
            continue;
        w->met += role == BEGINS;
        said = read_said(w, seen->profile, e, rule);
        if (role == BEGINS)
            begin_event(w, seen, e, &said);
        else if (w->joined)
            end_event(w, seen, e, &said);
    }
    event_cursor_free(c);
}

struct weighed_events *weighed_events_new(struct event_trace *trace,
                                          const struct read_options *options)
{
    struct weighed_events *w = mem_new(1, sizeof(*w));
    const struct usual_weight *usual = find_usual(options->event);
    const char *weight = options->weight;

    w->trace = trace;
    w->options = options;
    w->samples = (struct other_samples){observe, w};
    if (!usual) {
        w->ending = event_ending(options->event);
        w->named =
            (struct usual_weight){.event = options->event, .ending = w->ending};
        usual = &w->named;
    }
    w->weighing = usual_weighing(usual, options->event);
    w->field = usual->bytes;
    if (weight && ascii_same(weight, "count")) {
        w->weighing = BY_COUNT;
    } else if (weight && ascii_same(weight, "time")) {
        w->weighing = BY_TIME;
    } else if (weight && ascii_same(weight, "bytes") && usual->bytes) {
        w->weighing = usual->weighing;
    } else if (weight) {
        w->weighing = BY_FIELD;
        w->field = weight;
    }
    w->joined =
        w->weighing == BY_TIME || (w->weighing == BY_FIELD && usual->ending);
    return w;
}

const struct other_samples *weighed_events_samples(
    const struct weighed_events *w)
{
    return &w->samples;
}

const char *weighed_events_read(const struct weighed_events *w)
{
    const struct usual_weight *usual = find_usual(w->options->event);

    return usual && usual->ours && ascii_same(usual->name, w->options->event)
               ? NULL
               : w->options->event;
}

static enum err_code refuse_field(const struct weighed_events *w,
                                  const char *option, const char *field,
                                  const char *path, struct err *err)
{
    struct out *there = out_memory();

    for (size_t i = 0; i < w->field_count; i++)
        out_fmt(there, "%s%s", i ? ", " : "", w->fields[i]);
    err_set(err, ERR_NOT_FOUND, "%s: --%s %s: %s has no such field; it has %s",
            path, option, field, w->options->event,
            w->field_count ? out_text(there, NULL) : "none");
    out_close(there, NULL);
    return ERR_NOT_FOUND;
}

/* By the ending of its name, which is all that says it. */
static const char *unit_of_field(const char *field)
{
    static const char *const bytes[] = {"Size",   "Bytes",    "ByteCount",
                                        "Amount", "Amount64", "Length"};

    for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++)
        if (text_ends(field, bytes[i]))
            return "bytes";
    if (text_ends(field, "Ns"))
        return "nanoseconds";
    return text_ends(field, "MSec") || text_ends(field, "Ms") ? "milliseconds"
                                                              : field;
}

/* ---- values as the outermost frames ---- */

/* The location of a value in the module "[TypeName]", which all are in. */
static uint32_t value_location(struct profile *p, uint32_t module,
                               uint32_t value)
{
    struct location l = {.address = value, .module = module, .method = NO_ID};
    struct function f = {.module = p->modules.data[module].name,
                         .name = value ? value
                                       : strings_addf(p->strings, "[none]")};
    uint32_t known = mem_next_id(p->locations.len);
    uint32_t id = profile_location(p, &l);
    struct frame frame = {0};

    if (id < known)
        return id;
    frame.function = profile_function(p, &f);
    profile_set_frames(p, id, &frame, 1);
    return id;
}

/* The frames of a stack below another one. */
static uint32_t stack_below(struct profile *p, uint32_t root, uint32_t stack)
{
    VEC(uint32_t) locations = {0};

    for (; stack; stack = p->stacks.data[stack].parent)
        *vec_add(&locations) = p->stacks.data[stack].location;
    while (locations.len)
        root = profile_stack(p, root, locations.data[--locations.len]);
    vec_release(&locations);
    return root;
}

void begin_with_values(struct profile *p, const char *field)
{
    uint32_t named = strings_addf(p->strings, "[%s]", field);
    uint32_t module = profile_managed_module(p, strings_get(p->strings, named));
    struct samples *s = &p->samples;
    struct map known = {0}; /* (stack, value) -> stack */

    for (size_t i = 0; i < s->len; i++) {
        uint32_t value = s->value ? s->value[i] : 0;
        uint32_t stack = map_get(&known, s->stack[i], value);

        if (stack == MAP_NONE) {
            uint32_t location = value_location(p, module, value);

            stack = stack_below(p, profile_stack(p, 0, location), s->stack[i]);
            map_set(&known, s->stack[i], value, stack);
        }
        s->stack[i] = stack;
    }
    map_release(&known);
}

/* ---- all of it ---- */

static void state_metric(const struct weighed_events *w, struct profile *p)
{
    const char *event = w->options->event;

    if (w->weighing == BY_ALLOCATION)
        profile_set_metric(p, METRIC_ALLOCATED);
    else if (w->weighing == BY_TIME && !w->named.event)
        profile_set_metric(p, METRIC_WAIT_TIME);
    else
        profile_set_metric_word(p, event);
    if (w->weighing == BY_TIME)
        profile_set_unit(p, "nanoseconds", 0);
    else if (w->weighing == BY_FIELD)
        profile_set_unit(p, unit_of_field(w->field), 0);
    else if (w->weighing == BY_COUNT)
        profile_set_unit(p, "", 0);
    p->trace.interval_ns = 0;
    if (w->joined && w->pending.len > w->ended)
        profile_warn(p,
                     "%s: %llu of %llu have no end in the recording and are "
                     "left out",
                     event, (unsigned long long)(w->pending.len - w->ended),
                     (unsigned long long)w->pending.len);
    if (w->left_out)
        profile_warn(p, "%s: %llu with a weight of 0 are left out", event,
                     (unsigned long long)w->left_out);
}

enum err_code weighed_events_end(struct weighed_events *w, struct profile *p,
                                 const char *path, struct err *err)
{
    enum err_code code = ERR_NONE;

    if (p && !w->met)
        code = err_set(err, ERR_NOT_FOUND, "%s: no events \"%s\"", path,
                       w->options->event);
    else if (p && w->weighing == BY_FIELD && !w->weighed)
        code = refuse_field(w, "weight", w->field, path, err);
    else if (p && w->options->value && !w->valued)
        code = refuse_field(w, "by", w->options->value, path, err);
    else if (p && w->weighing == BY_TIME && !w->ended)
        code = err_set(err, ERR_UNSUPPORTED,
                       "%s: no event ends %s, so it has no time; --weight "
                       "count counts it",
                       path, w->options->event);
    else if (p)
        state_metric(w, p);
    open_events_release(&w->open);
    vec_release(&w->pending);
    map_release(&w->known);
    vec_release(&w->roles);
    free(w->ending);
    free(w);
    return code;
}
