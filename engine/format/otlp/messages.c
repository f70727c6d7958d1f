#include "engine/format/otlp/messages.h"

#include <string.h>

#include "engine/format/otlp/json.h"
#include "engine/model/profile.h"

/* States a fact of the header once, however many messages have it. */
static void state_fact(struct otlp_file *f, uint32_t name, uint32_t value)
{
    enum { FACTS_MOST = 32, VALUE_SHOWN = 200 };
    uint32_t fresh = (uint32_t)f->facts.used;

    if (name && value && fresh < FACTS_MOST &&
        map_add(&f->facts, name, value, fresh) == fresh)
        profile_fact(f->p, strings_get(f->p->strings, name), "%.*s",
                     VALUE_SHOWN, strings_get(f->p->strings, value));
}

void otlp_apply_attribute(struct otlp_labels *l, const struct otlp_attribute *a)
{
    switch (a->kind) {
    case OTLP_PID:
        l->ids.pid = named_id(a->number);
        break;
    case OTLP_TID:
        l->ids.tid = named_id(a->number);
        break;
    case OTLP_PROCESS:
        l->ids.process = a->text;
        break;
    case OTLP_THREAD:
        l->ids.thread = a->text;
        break;
    case OTLP_PROCESS_PATH:
        l->path = a->base;
        break;
    case OTLP_SERVICE:
        l->service = a->text;
        break;
    }
}

/* The message that is noted. */
static struct otlp_dictionary *last_tables(struct otlp_file *f)
{
    return &f->batches.data[f->batches.len - 1].tables;
}

static struct otlp_labels read_resource(struct otlp_file *f, struct reader r)
{
    struct otlp_labels l = {.ids = {.pid = NO_PID, .tid = NO_PID}};
    struct wire_field field;

    while (wire_next(&r, &field)) {
        struct otlp_attribute a;

        if (field.number != 1 || !field.is_message)
            continue;
        a = otlp_own_attribute(last_tables(f), field.message);
        otlp_apply_attribute(&l, &a);
        if (!strcmp(strings_get(f->p->strings, a.key), "host.name"))
            f->p->trace.machine = a.text;
        else
            state_fact(f, a.key, a.text);
    }
    return l;
}

/* The instrumentation scope: "go.opentelemetry.io/ebpf-profiler 0.1". */
static void read_scope(struct otlp_file *f, struct reader r)
{
    enum { NAME = 1, VERSION };
    struct bytes name = {0}, version = {0};
    struct wire_field field;
    struct strings *strings = f->p->strings;
    struct out *text;
    const char *whole;
    size_t n;

    while (wire_next(&r, &field)) {
        struct bytes bytes = {field.message.base, field.message.len};

        if (field.number == NAME && field.is_message)
            name = bytes;
        else if (field.number == VERSION && field.is_message)
            version = bytes;
    }
    text = out_memory();
    out_bytes(text, (const char *)name.data, name.len);
    if (name.len && version.len)
        out_char(text, ' ');
    out_bytes(text, (const char *)version.data, version.len);
    whole = out_text(text, &n);
    state_fact(f, strings_add(strings, "producer", strlen("producer")),
               strings_add(strings, whole, n));
    out_close(text, NULL);
}

/* The numbers that a sample has in one of the fields whose numbers changed. */
struct sample_numbers {
    size_t count;
    uint64_t most;
    bool list; /* packed: no single number is */
};

/* True if a sample may be of the layout that has these fields: attributes and a
 * link that the tables have, and a value for all or each of the times. */
static bool sample_fits(const struct otlp_dictionary *d, size_t times,
                        const struct sample_numbers *values,
                        const struct sample_numbers *attributes,
                        const struct sample_numbers *link)
{
    size_t links = d->links ? d->links : 1;

    return !link->list && link->most < links &&
           (!attributes->count || attributes->most < d->attributes.rows.len) &&
           (times ? values->count <= 1 || values->count == times
                  : values->count > 0);
}

/* Lists of one number are packed or not. */
static void vote_for_layout(struct otlp_file *f, struct reader sample)
{
    struct sample_numbers fields[TIMESTAMPS] = {0};
    const struct otlp_dictionary *d = last_tables(f);
    struct wire_field field;
    bool of_1_8, of_1_10;
    size_t times = 0;
    uint64_t n;

    while (wire_next(&sample, &field)) {
        f->unknown_fields |= field.number > TIMESTAMPS;
        if (field.number == TIMESTAMPS)
            times += field.is_message ? field.message.len / 8 : 1;
        if (field.number >= TIMESTAMPS)
            continue;
        fields[field.number].list |= field.is_message;
        for (struct sample_numbers *of = &fields[field.number];
             wire_number(&field, &n); of->count++)
            of->most = n > of->most ? n : of->most;
    }
    of_1_8 = sample_fits(d, times, &fields[VALUES_1_8], &fields[ATTRIBUTES_1_8],
                         &fields[LINK_1_8]);
    of_1_10 = sample_fits(d, times, &fields[VALUES_1_10],
                          &fields[ATTRIBUTES_1_10], &fields[LINK_1_10]);
    f->votes.of_1_8 += of_1_8 && !of_1_10;
    f->votes.of_1_10 += of_1_10 && !of_1_8;
}

static void note_profile(struct otlp_file *f, struct reader r,
                         const struct otlp_labels *labels)
{
    enum { TYPE = 1, SAMPLES, TIME, DURATION, PERIOD_TYPE, PERIOD };
    struct otlp_profile profile = {.bytes = {r.base, r.len},
                                   .batch = f->batches.len - 1,
                                   .labels = *labels};
    struct wire_field field;
    uint64_t samples = 0;

    while (wire_next(&r, &field)) {
        if (field.number == TYPE && field.is_message)
            profile.type = otlp_read_type(field.message);
        else if (field.number == SAMPLES && field.is_message && ++samples &&
                 !f->of_json)
            vote_for_layout(f, field.message);
        else if (field.number == TIME && field.is_message)
            f->is_old = true; /* there it was a table or a list */
        else if (field.number == TIME)
            profile.time = field.value;
        else if (field.number == DURATION)
            profile.duration = field.value;
        else if (field.number == PERIOD_TYPE && field.is_message)
            profile.period_type = otlp_read_type(field.message);
        else if (field.number == PERIOD)
            profile.period = field.value;
    }
    if (r.failed)
        f->p->quality.malformed++;
    profile.used = samples > 0;
    if (budget_take(&f->profiles_left, 1))
        *vec_add(&f->profiles) = profile;
}

/* Its attributes may stand behind its profiles. */
static void note_resource(struct otlp_file *f, struct reader r)
{
    enum { RESOURCE = 1, SCOPE_PROFILES, SCOPE = 1, PROFILES };
    struct reader again = r, scope;
    struct otlp_labels labels = {.ids = {.pid = NO_PID, .tid = NO_PID}};
    struct wire_field field;

    while (wire_next(&r, &field))
        if (field.number == RESOURCE && field.is_message)
            labels = read_resource(f, field.message);
    while (wire_next(&again, &field)) {
        if (field.number != SCOPE_PROFILES || !field.is_message)
            continue;
        scope = field.message;
        while (wire_next(&scope, &field)) {
            if (field.number == SCOPE && field.is_message)
                read_scope(f, field.message);
            else if (field.number == PROFILES && field.is_message)
                note_profile(f, field.message, &labels);
        }
        again.failed |= scope.failed;
    }
    if (again.failed)
        f->p->quality.malformed++;
}

/* ---- messages ---- */

/* Notes the profiles of a message, whose dictionary may stand behind them. The
 * file takes `wire`, which has the bytes of `r` if it was JSON. */
static void note_message(struct otlp_file *f, struct reader r,
                         struct proto wire)
{
    enum { RESOURCE_PROFILES = 1, DICTIONARY };
    size_t before = f->profiles.len;
    struct reader again = r;
    struct wire_field field;

    *vec_add(&f->batches) =
        (struct otlp_batch){.wire = wire, .tables = {.code = &f->code}};
    while (wire_next(&r, &field))
        if (field.number == DICTIONARY && field.is_message)
            otlp_dictionary_note(last_tables(f), field.message);
    if (r.failed)
        profile_skip(f->p, f->name, r.offset + r.pos, r.len - r.pos, "damaged");
    f->is_cut |= r.failed;
    f->unknown_fields |= last_tables(f)->unknown_fields;
    while (wire_next(&again, &field))
        if (field.number == RESOURCE_PROFILES && field.is_message)
            note_resource(f, field.message);
    if (f->profiles.len > before)
        return;
    otlp_dictionary_release(last_tables(f));
    proto_release(&wire);
    f->batches.len--;
}

/* One message, or several behind their sizes. */
static void note_wire(struct otlp_file *f, const struct entry *e)
{
    static const struct proto no_json;
    struct reader r = reader_of(f->name, e->data, e->size, 0, NULL);

    if (!otlp_is_sized(e->data, e->size))
        note_message(f, r, no_json);
    else
        while (reader_more(&r))
            note_message(f, otlp_next_sized(&r), no_json);
}

/* The end of a JSON text that begins at `at`: a collector writes one a line,
 * others one of many lines. */
static size_t end_of_json(const struct entry *e, size_t at)
{
    while (++at < e->size)
        if (e->data[at] == '{' && e->data[at - 1] == '\n')
            return at;
    return e->size;
}

/* Texts behind a damaged one are not read. */
static void note_json(struct otlp_file *f, const struct entry *e,
                      struct err *err)
{
    size_t end, whole;

    f->of_json = true;
    for (size_t at = 0; at < e->size; at = end) {
        struct proto wire = {0};
        struct json_text *json;

        end = end_of_json(e, at);
        json = json_read(f->name, e->data + at, end - at, &whole, err);
        if (!json)
            return;
        entry_forget(e, at, end - at);
        f->is_old |= otlp_json_is_old(json_root(json));
        otlp_json_to_wire(json_root(json), &wire);
        json_close(json);
        note_message(
            f, reader_of(f->name, wire.bytes.data, wire.bytes.len, 0, NULL),
            wire);
        if (!err->code)
            continue;
        profile_skip(f->p, f->name, at + whole, e->size - at - whole,
                     "damaged");
        return;
    }
}

void otlp_note_file(struct otlp_file *f, const struct entry *e, struct err *err)
{
    enum { PROFILES_FREE = 100000, BYTES_EACH = 512 };

    f->profiles_left = budget_of(e->size / BYTES_EACH, 1, PROFILES_FREE);
    if (otlp_is_json(e->data, e->size))
        note_json(f, e, err);
    else
        note_wire(f, e);
    if (f->profiles_left.cut)
        profile_warn(f->p, "more profiles than a file of this size may have: "
                           "the rest is left out");
}
