/*
 * Nettrace and netperf files as sources of events: opening them, and what they
 * describe. nettrace_walk.h has how they are walked.
 */
#include <stdlib.h>

#include "engine/events/follow.h"
#include "engine/events/nettrace_walk.h"

enum { HEADER_V6 = 20, DESCRIPTION = 128 };

struct nettrace_trace {
    int64_t zero; /* ns since 1970 of time 0 */
};

static void prepare(struct event_cursor *c, struct nettrace_walk *w,
                    uint32_t index)
{
    const struct nettrace_trace *s = c->trace->state;

    w->cursor = c;
    w->index = index;
    w->ready = INT64_MIN;
    w->sink = nettrace_walk_sink(w);
    w->recording = (struct nt_recording){
        .sink = &w->sink,
        .profile = c->notes,
        .strings = c->notes->strings,
        .options = &w->options,
        .zero_unix_ns = s ? s->zero : 0,
        .last_unload = TIME_MIN,
    };
}

/* Up to v5 header and description are always as long; in v6 the first block
 * says how long it is. */
static void await_description(struct follow *f)
{
    const uint8_t *bytes = follow_bytes(f);

    follow_wait(f, DESCRIPTION);
    if (follow_size(f) >= HEADER_V6 + 4 && !load_u32(bytes + 8))
        follow_wait(f, HEADER_V6 + 4 +
                           (load_u32(bytes + HEADER_V6) & 0xFFFFFF));
}

static bool open_walk(struct event_cursor *c, struct nettrace_walk *w,
                      uint32_t index, struct err *err)
{
    const struct nettrace_trace *s = c->trace->state;
    struct entry *entry = &c->trace->entries[index];

    prepare(c, w, index);
    if (c->trace->follow) {
        await_description(c->trace->follow);
        entry->size = follow_size(c->trace->follow);
    }
    w->opened = !nt_open(&w->file, &w->recording, entry, &w->pos, err);
    w->file.err = NULL;
    if (w->file.start_unix_ns && s)
        w->file.shift = w->file.start_unix_ns - s->zero;
    return w->opened;
}

static void close_walk(struct nettrace_walk *w)
{
    /* Nobody knows the end of what was not read to it. */
    if (w->opened && !w->done)
        w->file.complete = true;
    if (w->opened)
        nt_close(&w->file);
    vec_release(&w->heap);
    vec_release(&w->kinds);
    vec_release(&w->stacks);
    map_release(&w->recording.count_ids);
}

/* Every file has to tell what it is; the earliest start is time 0. */
static enum err_code open_trace(struct event_trace *t, struct err *err)
{
    struct nettrace_trace *s = mem_new(1, sizeof(*s));
    struct event_cursor probe = {.trace = t, .notes = profile_new()};
    struct err local = {0};

    for (size_t i = 0; i < t->entry_count && !local.code; i++) {
        struct nettrace_walk w = {0};

        if (open_walk(&probe, &w, (uint32_t)i, &local) &&
            w.file.start_unix_ns &&
            (!s->zero || w.file.start_unix_ns < s->zero))
            s->zero = w.file.start_unix_ns;
        close_walk(&w);
    }
    profile_free(probe.notes);
    t->state = s;
    t->notes->trace.start_unix_ns = s->zero;
    return local.code ? err_set(err, local.code, "%s", local.message)
                      : ERR_NONE;
}

static void close_trace(struct event_trace *t)
{
    free(t->state);
}

static void ignore_event(void *context, struct nt_file *f, uint32_t kind,
                         const struct nt_event *e)
{
    (void)context, (void)f, (void)kind, (void)e;
}

static void ignore_barrier(void *context, struct nt_file *f)
{
    (void)context, (void)f;
}

static bool ignore_block(void *context, const struct nt_file *f, uint64_t min,
                         uint64_t max)
{
    (void)context, (void)f, (void)min, (void)max;
    return false;
}

/* Metadata alone: every kind that the files describe becomes known. */
static void survey(struct event_trace *t)
{
    struct event_cursor probe = {.trace = t, .notes = profile_new()};

    for (size_t i = 0; i < t->entry_count; i++) {
        struct nettrace_walk w = {0};

        if (open_walk(&probe, &w, (uint32_t)i, NULL)) {
            w.sink = (struct nt_sink){&w, ignore_event, ignore_barrier,
                                      ignore_block};
            while (nt_step(&w.file, &w.pos))
                continue;
            for (uint32_t k = 0; k < w.file.kinds.len; k++)
                nettrace_walk_kind(&w, &(struct waiting){.kind = k});
        }
        close_walk(&w);
    }
    profile_free(probe.notes);
}

static void begin(struct event_cursor *c)
{
    struct nettrace_walks *all = mem_new(1, sizeof(*all));

    all->count = c->trace->entry_count;
    all->list = mem_new(all->count, sizeof(*all->list));
    c->state = all;
    for (size_t i = 0; i < all->count; i++)
        open_walk(c, &all->list[i], (uint32_t)i, NULL);
}

static void end(struct event_cursor *c)
{
    struct nettrace_walks *all = c->state;

    for (size_t i = 0; i < all->count; i++)
        close_walk(&all->list[i]);
    vec_release(&all->stack);
    free(all->list);
    free(all);
}

const struct event_reader nettrace_events = {
    .format = &nettrace_format,
    .open = open_trace,
    .close = close_trace,
    .survey = survey,
    .begin = begin,
    .next = nettrace_walk_next,
    .end = end,
};
