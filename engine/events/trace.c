#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/events/follow.h"
#include "engine/events/trace_impl.h"
#include "engine/format/etl/guids.h"
#include "engine/format/etl/hooks.h"

static const struct event_reader *const readers[] = {
    &etl_events,
    &nettrace_events,
};

/* ---- opening ---- */

static const struct event_reader *
reader_of_format(const struct trace_format *format)
{
    for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
        if (readers[i]->format == format)
            return readers[i];
    return NULL;
}

struct event_trace *event_trace_of(const struct trace_format *format,
                                   const struct entry *entries, size_t count,
                                   struct err *err)
{
    struct event_trace *t = mem_new(1, sizeof(*t));
    uint64_t size = 0;

    t->notes = profile_new();
    t->entries = mem_new(count, sizeof(*entries));
    memcpy(t->entries, entries, count * sizeof(*entries));
    t->entry_count = count;
    for (size_t i = 0; i < count; i++)
        size += entries[i].size;
    t->texts = budget_of(size, 4, EVENT_TEXTS_FREE);
    t->descriptions = budget_of(0, 0, EVENT_DESCRIPTIONS);
    t->reader = reader_of_format(format);
    if (!t->reader)
        err_set(err, ERR_UNSUPPORTED,
                "%s: is %s, which holds samples but no raw events",
                entries->name, format->name);
    else if (!t->reader->open(t, err))
        return t;
    event_trace_close(t);
    return NULL;
}

void event_trace_own(struct event_trace *t, void (*release)(void *owner),
                     void *owner)
{
    t->release = release;
    t->owner = owner;
}

/* The reader that is surest of the bytes. */
static const struct event_reader *reader_of_bytes(const struct entry *e)
{
    const struct event_reader *maybe = NULL;

    for (size_t i = 0; e->size && i < sizeof(readers) / sizeof(*readers); i++) {
        enum format_probe answer = readers[i]->format->probe(e->data, e->size);

        if (answer == PROBE_YES)
            return readers[i];
        if (answer == PROBE_MAYBE)
            maybe = readers[i];
    }
    return maybe;
}

struct event_trace *event_trace_follow(const char *path,
                                       void (*idle)(void *context),
                                       void *context, struct err *err)
{
    enum { TO_TELL = 128 };
    struct event_trace *t = mem_new(1, sizeof(*t));
    struct entry *entry = t->entries = mem_new(1, sizeof(*entry));

    t->notes = profile_new();
    t->texts = budget_of(0, 0, EVENT_TEXTS_FREE);
    t->descriptions = budget_of(0, 0, EVENT_DESCRIPTIONS);
    t->entry_count = 1;
    *entry = (struct entry){.name = path, .inner = "", .kind = ENTRY_TRACE};
    t->follow = follow_open(path, idle, context, err);
    if (t->follow) {
        follow_wait(t->follow, TO_TELL);
        entry->data = follow_bytes(t->follow);
        entry->size = follow_size(t->follow);
        t->reader = reader_of_bytes(entry);
    }
    if (t->follow && !t->reader)
        err_set(err, ERR_UNSUPPORTED,
                "%s: --follow reads only Windows logs (.etl) and .NET traces "
                "(.nettrace, .netperf) that are not packed",
                path);
    else if (t->follow && !t->reader->open(t, err))
        return t;
    event_trace_close(t);
    return NULL;
}

void event_trace_forget(struct event_trace *t)
{
    schemas_release(t);
    vec_release(&t->kinds);
    map_release(&t->kind_keys.ids);
    vec_release(&t->kind_keys.list);
    map_release(&t->hook_kinds);
    map_release(&t->key_kinds);
    vec_release(&t->threads);
    vec_release(&t->processes);
    t->named = false;
    arena_release(&t->arena);
    profile_free(t->notes);
}

void event_trace_close(struct event_trace *t)
{
    if (!t)
        return;
    if (t->reader)
        t->reader->close(t);
    event_trace_forget(t);
    follow_close(t->follow);
    free(t->entries);
    if (t->release)
        t->release(t->owner);
    free(t);
}

void *event_trace_owner(const struct event_trace *t)
{
    return t->owner;
}

const char *event_trace_format(const struct event_trace *t)
{
    return t->reader->format->name;
}

int64_t event_trace_start(const struct event_trace *t)
{
    return t->notes->trace.start_unix_ns;
}

uint64_t event_trace_size(const struct event_trace *t)
{
    uint64_t size = 0;

    for (size_t i = 0; i < t->entry_count; i++)
        size += t->entries[i].size;
    return size;
}

const char *event_trace_file(const struct event_trace *t, uint16_t file)
{
    return t->entries[file].name;
}

const struct profile *event_trace_notes(const struct event_trace *t)
{
    return t->notes;
}

/* ---- by name ---- */

/* Writes the id in the form that readers of profiles know. */
static void put_id(struct out *out, const struct event_kind *k)
{
    uint16_t hook = k->classic ? etl_classic_hook(k->class_guid, k->opcode) : 0;
    char guid[40], name[ETL_NAME_SIZE];
    uint8_t class[16];

    /* The log's own header is hook 0. */
    if (hook || (k->classic && etl_hook_class(0, class) &&
                 !memcmp(class, k->class_guid, sizeof(class)))) {
        etl_hook_name(hook, name);
        out_str(out, name);
        return;
    }
    event_guid_text(guid, k->classic ? k->class_guid : k->guid);
    out_fmt(out, "%.36s%c%u", guid + 1, k->classic ? '#' : '/',
            k->classic ? k->opcode : k->id);
    if (k->schema && k->schema->source == SCHEMA_TRACE_LOGGING)
        out_fmt(out, "!%s!%s", k->name, k->type_name);
}

static bool has_line(const char *lines, const char *line, size_t n)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");

        if (length == n && !memcmp(lines, line, n))
            return true;
        lines += length + (lines[length] == '\n');
    }
    return false;
}

/* Lines of such ids, each once; providers rarely share a name. */
static void add_id(struct out *ids, const struct event_kind *k)
{
    enum { ROOM = 4096 };
    struct out *id = out_memory();
    const char *text, *lines;
    size_t n, size;

    put_id(id, k);
    text = out_text(id, &n);
    lines = out_text(ids, &size);
    if (size + n < ROOM && !has_line(lines, text, n)) {
        out_str(ids, size ? "\n" : "");
        out_bytes(ids, text, n);
    }
    out_close(id, NULL);
}

static bool kind_is_called(const struct event_kind *k, const char *name)
{
    size_t n = strlen(k->provider);

    return ascii_same(k->full_name, name) ||
           (ascii_same_n(k->provider, name, n) && name[n] == '/' &&
            ascii_same(k->full_name, name + n + 1));
}

char *event_id_in_trace(struct event_trace *t, const char *name)
{
    const struct event_options all = {.unordered = true, .no_subjects = true};
    struct event_cursor *c = event_cursor_new(t, &all);
    struct out *id = out_memory();
    const char *text;
    char *copy;
    size_t n;

    while (event_next(c))
        continue;
    event_cursor_free(c);
    for (size_t i = 0; i < t->kinds.len; i++)
        if (kind_is_called(&t->kinds.data[i]->kind, name))
            add_id(id, &t->kinds.data[i]->kind);
    text = out_text(id, &n);
    copy = n ? text_copy(text, n) : NULL;
    out_close(id, NULL);
    return copy;
}

/* ---- what the survey finds ---- */

static int compare_lives(const void *a, const void *b)
{
    const struct thread_life *x = a, *y = b;

    if (x->tid != y->tid)
        return x->tid < y->tid ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->pid > y->pid) - (x->pid < y->pid);
}

void event_sort_threads(struct event_trace *t)
{
    vec_sort(&t->threads, compare_lives);
}

void event_survey(struct event_trace *t)
{
    if (t->surveyed)
        return;
    t->surveyed = true;
    if (t->reader->survey)
        t->reader->survey(t);
    event_sort_threads(t);
}

/* The last life of the thread that was known by then; of a thread that is
 * told of later, the first. */
uint32_t event_thread_pid(const struct event_trace *t, uint32_t tid,
                          uint64_t time)
{
    size_t low = 0, high = t->threads.len;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        const struct thread_life *l = &t->threads.data[mid];

        if (l->tid < tid || (l->tid == tid && l->time <= time))
            low = mid + 1;
        else
            high = mid;
    }
    if (low && t->threads.data[low - 1].tid == tid)
        return t->threads.data[low - 1].pid;
    if (low < t->threads.len && t->threads.data[low].tid == tid)
        return t->threads.data[low].pid;
    return EVENT_UNKNOWN;
}

/* ---- filters ---- */

static bool is_one_of(const struct event_texts *texts, const char *a,
                      const char *b, const char *c)
{
    if (!texts->count)
        return true;
    for (size_t i = 0; i < texts->count; i++)
        if (glob_match(texts->list[i], a) || glob_match(texts->list[i], b) ||
            (c && glob_match(texts->list[i], c)))
            return true;
    return false;
}

static bool has_guid(const struct event_texts *texts, const uint8_t *guid)
{
    uint8_t wanted[16];

    for (size_t i = 0; i < texts->count; i++)
        if (guid_parse(wanted, texts->list[i]) &&
            !memcmp(wanted, guid, sizeof(wanted)))
            return true;
    return false;
}

bool event_kind_passes(const struct event_options *o,
                       const struct event_kind *k)
{
    char id[16];
    unsigned number = k->classic ? k->opcode : k->id;
    size_t n = sizeof(id);

    id[--n] = '\0';
    do
        id[--n] = (char)('0' + number % 10);
    while (number /= 10);
    if (!is_one_of(&o->providers, k->provider, k->provider, NULL) &&
        !has_guid(&o->providers, k->guid) &&
        !has_guid(&o->providers, k->class_guid))
        return false;
    return is_one_of(&o->events, k->full_name, k->name, id + n);
}

/* Asked once for every kind. */
static bool kind_passes(struct event_cursor *c, const struct event_kind *k)
{
    enum { NOT_ASKED, YES, NO };

    while (c->wanted.len <= k->index)
        *vec_add(&c->wanted) = NOT_ASKED;
    if (c->wanted.data[k->index] == NOT_ASKED)
        c->wanted.data[k->index] = event_kind_passes(&c->options, k) ? YES : NO;
    return c->wanted.data[k->index] == YES;
}

static bool has_number(const struct event_numbers *numbers, uint32_t n)
{
    if (!numbers->count)
        return true;
    for (size_t i = 0; i < numbers->count; i++)
        if (numbers->list[i] == n)
            return true;
    return false;
}

static bool passes(struct event_cursor *c)
{
    const struct event_options *o = &c->options;
    const struct event *e = &c->event;

    if (o->timed && (e->time < o->from || e->time >= o->to))
        return false;
    return kind_passes(c, e->kind) && has_number(&o->pids, e->pid) &&
           has_number(&o->tids, e->tid) &&
           (!o->level || e->level <= o->level) &&
           (!o->keywords || e->keywords & o->keywords);
}

/* ---- cursors ---- */

struct event_cursor *event_cursor_new(struct event_trace *trace,
                                      const struct event_options *options)
{
    struct event_cursor *c = mem_new(1, sizeof(*c));

    c->trace = trace;
    c->options = *options;
    /* One walk over the whole tells what is wrong with the trace. */
    c->notes = trace->noted || options->timed ? profile_new() : trace->notes;
    if (c->notes == trace->notes)
        trace->noted = true;
    trace->reader->begin(c);
    return c;
}

void event_cursor_free(struct event_cursor *c)
{
    if (!c)
        return;
    c->trace->reader->end(c);
    if (c->notes != c->trace->notes)
        profile_free(c->notes);
    vec_release(&c->wanted);
    free(c);
}

static bool is_over(const struct event_cursor *c)
{
    enum { LOOK_EVERY = 1 << 12 /* events */ };

    return c->options.is_over && c->effort.events % LOOK_EVERY == 0 &&
           c->options.is_over(c->options.context);
}

const struct event *event_next(struct event_cursor *c)
{
    while (c->trace->reader->next(c)) {
        c->number++;
        c->effort.events++;
        if (is_over(c))
            return NULL;
        c->event.number = c->uncounted ? 0 : c->number;
        if (!passes(c))
            continue;
        c->effort.events_passed++;
        return &c->event;
    }
    return NULL;
}

struct event_effort event_cursor_effort(const struct event_cursor *c)
{
    return c->effort;
}
