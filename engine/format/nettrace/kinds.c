/*
 * Metadata: the event kind that a number stands for.
 *
 * engine/events reads the fields. The runtime's events declare none although
 * they have payloads, and the Linux recorder's declare them wrongly: a profile
 * decodes events by (provider, id or name), never by the fields. (format.md,
 * sections 3.3, 5.6 and 5.8)
 */
#include <stdio.h>
#include <string.h>

#include "engine/format/nettrace/nettrace.h"
#include "engine/base/out.h"
#include "engine/base/text.h"

/* ---- what kinds are used for ---- */

static const char runtime[] = "Microsoft-Windows-DotNETRuntime";
static const char rundown[] = "Microsoft-Windows-DotNETRuntimeRundown";
static const char sampler[] = "Microsoft-DotNETCore-SampleProfiler";

/* Events that can be asked for by a short name. */
static const struct choice {
    const char *event;
    const char *provider;
    enum metric_id metric;
    uint32_t id;      /* 0: by name */
    const char *name; /* NULL: by id */
} choices[] = {
    {"thread", sampler, METRIC_THREAD_SAMPLES, 0, NULL},
    {"cpu", "Universal.Events", METRIC_CPU_SAMPLES, 0, "cpu"},
    {"cswitch", "Universal.Events", METRIC_CONTEXT_SWITCHES, 0, "cswitch"},
    {"page-fault", "Universal.Events", METRIC_PAGE_FAULTS, 0,
     "soft_page_fault"},
    {"page-fault", "Universal.Events", METRIC_PAGE_FAULTS, 0,
     "hard_page_fault"},
    {"soft_page_fault", "Universal.Events", METRIC_PAGE_FAULTS, 0,
     "soft_page_fault"},
    {"hard_page_fault", "Universal.Events", METRIC_PAGE_FAULTS, 0,
     "hard_page_fault"},
    {"allocation", runtime, METRIC_ALLOCATED, 10, NULL},
    {"allocation", runtime, METRIC_ALLOCATED, 303, NULL},
    {"exception", runtime, METRIC_EXCEPTIONS, 80, NULL},
    {"contention", runtime, METRIC_CONTENTIONS, 81, NULL},
};

enum { CHOICES = sizeof(choices) / sizeof(choices[0]) };
_Static_assert((int)CHOICES == (int)NT_CHOICES, "a count for each choice");

static bool is_chosen(const struct choice *c, const char *provider,
                      const char *name, uint32_t id)
{
    return !strcmp(c->provider, provider) &&
           (c->name ? !strcmp(c->name, name) : c->id == id);
}

/* As raw events are called. */
static const char *kind_name(const struct nt_file *f, const struct nt_kind *k)
{
    const struct nt_recording *rec = f->recording;
    struct event_naming *naming = rec->seen->naming;
    struct kind_request request = {
        .guid = k->guid,
        .provider = strings_get(rec->strings, k->provider),
        .name = strings_get(rec->strings, k->name),
        .id = nt_kind_id(k),
        .version = (uint8_t)k->version,
        .opcode = k->opcode,
        .level = k->level,
        .keywords = k->keywords,
        .described = true,
        .v6 = f->version == 6,
        .fields = k->fields,
    };

    /* cppcheck-suppress returnDanglingLifetime; names are the naming's own */
    return naming->name(naming, &request);
}

/* "GCAllocationTick" is "GC/AllocationTick". */
static bool same_but_slashes(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == '/')
            a++;
        while (*b == '/')
            b++;
        if (ascii_fold(*a) != ascii_fold(*b))
            return false;
        if (!*a)
            return true;
    }
}

/* By its own name, as it is counted, with its provider or without, or by
 * number. */
static bool kind_is_called(struct nt_file *f, const struct nt_kind *k,
                           const char *wanted)
{
    struct nt_recording *rec = f->recording;
    const char *provider = strings_get(rec->strings, k->provider);
    const char *name = kind_name(f, k) + strlen(provider) + 1;
    size_t n = strlen(provider);
    char number[16];

    snprintf(number, sizeof(number), "%u", k->event_id);
    if (ascii_same_n(wanted, provider, n) && wanted[n] == '/') {
        wanted += n + 1;
        if (!strcmp(wanted, number))
            return true;
    }
    return same_but_slashes(name, wanted) ||
           ascii_same(strings_get(rec->strings, k->name), wanted);
}

static enum nt_role role_of(const char *provider, const char *name, uint32_t id)
{
    static const struct {
        const char *provider;
        const char *name; /* NULL: by id */
        uint32_t id;
        enum nt_role role;
    } known[] = {
        {"Universal.Events", "cpu", 0, NT_ROLE_SAMPLE},
        {"Universal.Events", "cswitch", 0, NT_ROLE_SWITCH},
        {runtime, NULL, 81, NT_ROLE_LOCK},
        {runtime, NULL, 91, NT_ROLE_LOCK_END},
        {runtime, NULL, 301, NT_ROLE_HANDLE},
        {runtime, NULL, 302, NT_ROLE_HANDLE_END},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (!strcmp(known[i].provider, provider) &&
            (known[i].name ? !strcmp(known[i].name, name) : known[i].id == id))
            return known[i].role;
    return NT_ROLE_NONE;
}

/* True if these events were asked for, by a short name or their own; the
 * metric is called so then. */
static bool kind_is_wanted(struct nt_file *f, struct nt_kind *k)
{
    struct nt_recording *rec = f->recording;
    const char *wanted = rec->options->event;
    const char *provider = strings_get(rec->strings, k->provider);
    const char *name = strings_get(rec->strings, k->name);
    enum metric_id metric = METRIC_EVENTS;

    if (!wanted)
        return false;
    if (rec->seen->thread_states) {
        k->role = (uint8_t)role_of(provider, name, k->event_id);
        rec->chosen = true; /* thread_time_divide says if there are none */
        return k->role != NT_ROLE_NONE;
    }
    for (size_t i = 0; i < CHOICES; i++)
        if (ascii_same(choices[i].event, wanted) &&
            is_chosen(&choices[i], provider, name, k->event_id))
            metric = choices[i].metric;
    if (metric == METRIC_EVENTS && !kind_is_called(f, k, wanted))
        return false;
    k->in_bytes = metric == METRIC_ALLOCATED;
    rec->chosen = true;
    rec->chosen_metric = metric;
    return true;
}

static void use_clr(struct nt_kind *k, enum clr_provider provider)
{
    enum { DC_START_COMPLETE = 145, DC_END_COMPLETE };

    k->clr = (uint8_t)provider;
    if (k->event_id > UINT16_MAX)
        return;
    k->use = (uint8_t)clr_event_use(provider, (uint16_t)k->event_id);
    if (provider == CLR_RUNDOWN && (k->event_id == DC_START_COMPLETE ||
                                    k->event_id == DC_END_COMPLETE))
        k->use = NT_RUNDOWN_END;
}

static void use_kind(struct nt_file *f, struct nt_kind *k)
{
    struct nt_recording *rec = f->recording;
    const char *provider = strings_get(rec->strings, k->provider);
    const char *name = strings_get(rec->strings, k->name);

    k->source = NT_OTHER_EVENT;
    rec->machine_wide |= !strncmp(provider, "Universal.", 10);
    if (!strcmp(provider, sampler) && !k->event_id) {
        k->source = NT_THREAD_SAMPLE;
        rec->runtime = true;
    } else if (!strcmp(provider, "Universal.Events") && !strcmp(name, "cpu")) {
        k->source = NT_CPU_SAMPLE;
    } else if (!strcmp(provider, runtime)) {
        use_clr(k, CLR_RUNTIME);
    } else if (!strcmp(provider, rundown)) {
        use_clr(k, CLR_RUNDOWN);
    } else if (!strcmp(provider, "Universal.System")) {
        k->use = NT_UNIVERSAL;
    } else if (!strcmp(provider, "Microsoft-DotNETCore-EventPipe") &&
               k->event_id == 1) {
        k->use = NT_PROCESS_INFO;
    }
    if (rec->options->thread_weights)
        k->sampled = nt_is_point(rec, k);
    else if (rec->options->event)
        k->sampled = kind_is_wanted(f, k);
    else
        k->sampled = k->source != NT_OTHER_EVENT;
}

/* A number that is taken gets its newest meaning. */
static void add_kind(struct nt_file *f, uint32_t id, struct nt_kind *kind,
                     uint64_t offset)
{
    if (map_get(&f->kind_ids, id, 0) != NO_ID)
        nt_damage(f, offset, 0, "event kind defined twice");
    use_kind(f, kind);
    map_set(&f->kind_ids, id, 0, (uint32_t)f->kinds.len);
    *vec_add(&f->kinds) = *kind;
}

void nt_forget_kinds(struct nt_file *f)
{
    map_release(&f->kind_ids);
}

/* ---- v3 to v5 ---- */

static uint32_t utf16_string(struct nt_file *f, struct reader *r)
{
    struct bytes b = reader_utf16(r);

    return strings_add_utf16(f->recording->strings, b.data, b.len / 2);
}

void nt_read_kind(struct nt_file *f, struct reader *r)
{
    struct nt_kind k = {0};
    uint32_t id = reader_u32(r);

    k.provider = utf16_string(f, r);
    k.event_id = reader_u32(r);
    k.name = utf16_string(f, r);
    k.keywords = reader_u64(r);
    k.version = reader_u32(r);
    if (reader_left(r) >= 4)
        k.level = (uint8_t)reader_u32(r);
    k.fields = (struct bytes){r->base + r->pos, reader_left(r)};
    if (r->failed)
        nt_damage(f, r->offset, r->len, "metadata truncated");
    else
        add_kind(f, id, &k, r->offset);
}

/* ---- v6 ---- */

static uint32_t utf8_string(struct nt_file *f, struct reader *r)
{
    struct bytes b = nt_string(r);

    return strings_add(f->recording->strings, (const char *)b.data, b.len);
}

bool nt_read_optional(struct reader *r, struct nt_optional *o)
{
    *o = (struct nt_optional){.kind = reader_u8(r)};
    switch (o->kind) {
    case NT_OPTIONAL_OPCODE:
    case NT_OPTIONAL_LEVEL:
    case NT_OPTIONAL_VERSION:
        o->number = reader_u8(r);
        break;
    case NT_OPTIONAL_KEYWORDS:
        o->number = reader_u64(r);
        break;
    case NT_OPTIONAL_PAIR:
        o->key = nt_string(r);
        o->value = nt_string(r);
        break;
    case NT_OPTIONAL_MESSAGE:
    case NT_OPTIONAL_DESCRIPTION:
        o->value = nt_string(r);
        break;
    case NT_OPTIONAL_GUID:
        o->value.data = reader_take(r, 16);
        break;
    default:
        return false;
    }
    return !r->failed;
}

static void read_optional(struct reader *r, struct nt_kind *k)
{
    struct nt_optional o;

    while (reader_more(r) && nt_read_optional(r, &o)) {
        switch (o.kind) {
        case NT_OPTIONAL_OPCODE:
            k->opcode = (uint8_t)o.number;
            break;
        case NT_OPTIONAL_KEYWORDS:
            k->keywords = o.number;
            break;
        case NT_OPTIONAL_GUID:
            k->guid = o.value.data;
            break;
        case NT_OPTIONAL_LEVEL:
            k->level = (uint8_t)o.number;
            break;
        case NT_OPTIONAL_VERSION:
            k->version = (uint8_t)o.number;
            break;
        }
    }
}

static void read_row(struct nt_file *f, struct reader *r)
{
    struct nt_kind k = {0};
    uint32_t id = nt_varint32(r), fields;
    struct reader optional;

    k.provider = utf8_string(f, r);
    k.event_id = nt_varint32(r);
    k.name = utf8_string(f, r);
    if (r->failed) {
        nt_damage(f, r->offset, r->len, "metadata truncated");
        return;
    }
    /* Damage from here on spoils the details, not the kind. */
    k.fields.data = r->base + r->pos;
    fields = reader_u16(r);
    while (fields-- && reader_more(r))
        reader_skip(r, reader_u16(r));
    k.fields.len = (size_t)(r->base + r->pos - k.fields.data);
    optional = reader_sub(r, reader_u16(r), "optional metadata");
    k.optional = (struct bytes){optional.base, optional.len};
    read_optional(&optional, &k);
    add_kind(f, id, &k, r->offset);
}

void nt_read_kinds_v6(struct nt_file *f, struct reader *r)
{
    reader_skip(r, reader_u16(r));
    while (reader_more(r)) {
        struct reader row = reader_sub(r, reader_u16(r), "metadata row");

        row.err = NULL;
        if (!row.failed)
            read_row(f, &row);
    }
}

/* ---- counts ---- */

static void note_choices(struct nt_recording *rec, const struct nt_kind *k)
{
    const char *provider = strings_get(rec->strings, k->provider);
    const char *name = strings_get(rec->strings, k->name);

    for (size_t i = 0; i < CHOICES; i++)
        if (is_chosen(&choices[i], provider, name, k->event_id))
            rec->choices[i] += k->count;
}

/* Tells the profile which other events could be counted as samples. */
static void state_others(const struct nt_recording *rec)
{
    enum metric_id chosen = rec->profile->trace.metric.id;
    struct out *text = out_memory();

    if (chosen == METRIC_THREAD_TIME)
        chosen = METRIC_THREAD_SAMPLES;
    for (size_t i = 0, next; i < CHOICES; i = next) {
        uint64_t count = 0;

        /* An event that has two names is listed by the first. */
        for (next = i; next < CHOICES &&
                       choices[next].metric == choices[i].metric;
             next++)
            if (!strcmp(choices[next].event, choices[i].event))
                count += rec->choices[next];
        if (count && choices[i].metric != chosen)
            out_also(text, choices[i].event, count);
    }
    profile_also_recorded(rec->profile, text);
    out_close(text, NULL);
}

const char *nt_describe_choices(struct nt_recording *rec)
{
    struct out *text = out_memory();
    const char *last = "", *all;
    uint32_t id;
    size_t n;

    for (size_t i = 0; i < CHOICES; i++) {
        if (!rec->choices[i] || !strcmp(choices[i].event, last))
            continue;
        out_str(text, *last ? ", " : "");
        out_str(text, last = choices[i].event);
    }
    all = out_text(text, &n);
    id = strings_add(rec->strings, all, n);
    out_close(text, NULL);
    state_others(rec);
    return strings_get(rec->strings, id);
}

/* Not by profile_count_event, which looks a name up by searching: there may
 * be as many kinds as the file has room for. */
void nt_count_kinds(struct nt_file *f)
{
    struct nt_recording *rec = f->recording;
    struct trace_info *trace = &rec->profile->trace;

    for (size_t i = 0; i < f->kinds.len; i++) {
        const struct nt_kind *k = &f->kinds.data[i];
        uint32_t fresh = (uint32_t)trace->event_counts.len, name, at;
        const char *text;

        if (!k->count)
            continue;
        note_choices(rec, k);
        text = kind_name(f, k);
        name = strings_add(rec->strings, text, strlen(text));
        at = map_add(&rec->count_ids, name, 0, fresh);
        if (at == fresh)
            *vec_add(&trace->event_counts) = (struct event_count){name, 0};
        trace->event_counts.data[at].count += k->count;
        trace->events += k->count;
    }
}
