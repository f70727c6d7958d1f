/*
 * Events of Windows event trace logs, whole ones and those that are still being
 * written.
 */
#include <stdlib.h>

#include "engine/events/etl_events.h"
#include "engine/events/follow.h"
#include "engine/format/etl/guids.h"

enum { GUID_AT = 24, MOST_CPUS = 64 };

/* ---- the survey: what a record tells of others ---- */

/* Threads as they begin, or are listed: payloads of version 0 have thread and
 * process the other way round. */
static void survey_thread(struct event_trace *t, const struct etl_event *e,
                          uint16_t hook)
{
    const uint8_t *p = etl_payload(e);
    bool swapped = !etl_version(e);

    if (hook < 0x0501 || hook > 0x0504 || etl_payload_size(e) < 8)
        return;
    /* At its end a thread is known already, if it ever was. */
    *vec_add(&t->threads) = (struct thread_life){
        .time = e->time,
        .pid = load_u32(p + (swapped ? 4 : 0)),
        .tid = load_u32(p + (swapped ? 0 : 4)),
    };
}

static void survey_record(void *context, struct etl_event *e,
                          const struct etl_buffer *b)
{
    struct event_trace *t = context;
    const uint8_t *guid = e->at + GUID_AT;
    struct etl_items items;

    (void)b;
    if (e->family == FAMILY_KERNEL) {
        survey_thread(t, e, e->hook);
    } else if (e->family == FAMILY_FULL) {
        uint16_t hook = etl_classic_hook(guid, e->at[4]);

        if (hook)
            survey_thread(t, e, hook);
        else
            schemas_take_classic(
                t, guid, e->at[4],
                (struct bytes){etl_payload(e), etl_payload_size(e)});
    } else if (e->family == FAMILY_HEADER && etl_is_manifest_part(e->at) &&
               etl_pass_items(e, &items)) {
        schemas_take_manifest(
            t, guid, load_u32(e->at + 12), load_u32(e->at + 8),
            (struct bytes){etl_payload(e), etl_payload_size(e)});
    }
}

/* ---- a log that is still being written, through a pipe ----
 *
 * Buffers come whole, those of one CPU in order of time, those of several in
 * any order. An event can be given when every CPU has come further. The walk
 * does not wait for an idle CPU longer than WAITING_A_CPU buffers of each CPU
 * take; it gives the earliest event then. Schemas and threads that an
 * event names are known as far as the log has come. */

/* The time that the events of a CPU have reached. */
struct heard {
    uint64_t until; /* the latest event of its last buffer */
    uint16_t cpu;
};

struct etl_following {
    struct etl_index index;
    VEC(struct heard) heard;
    size_t cpus; /* that are waited for */
    bool ended;
    uint8_t *unpacked;
    size_t room;
};

struct etl_following *etl_following_new(const struct etl_recording *r)
{
    struct etl_following *f = mem_new(1, sizeof(*f));
    size_t cpus = r->files[0].cpus;

    f->index = ETL_INDEX;
    f->cpus = cpus < MOST_CPUS ? cpus : MOST_CPUS;
    return f;
}

void etl_following_free(struct etl_following *f)
{
    if (!f)
        return;
    vec_release(&f->heard);
    free(f->unpacked);
    free(f);
}

/* Waits for the first buffer, which says what the log is. */
static void begin_following(struct event_trace *t)
{
    struct entry *entry = &t->entries[0];
    uint32_t size = load_u32(entry->data);

    follow_wait(t->follow, size < LARGEST_BUFFER ? size : LARGEST_BUFFER);
    entry->size = follow_size(t->follow);
}

static struct heard *heard_of(struct etl_following *f, uint16_t cpu)
{
    struct heard *h;

    for (size_t i = 0; i < f->heard.len; i++)
        if (f->heard.data[i].cpu == cpu)
            return &f->heard.data[i];
    h = vec_add(&f->heard);
    *h = (struct heard){0, cpu};
    return h;
}

struct hearing {
    struct event_trace *trace;
    struct heard *heard;
};

static void take_followed_record(void *context, struct etl_event *e,
                                 const struct etl_buffer *b)
{
    struct hearing *h = context;

    if (e->time > h->heard->until)
        h->heard->until = e->time;
    survey_record(h->trace, e, b);
}

/* The last buffer of the list. */
static void listen_to_buffer(struct event_trace *t)
{
    struct etl_trace *s = etl_trace_of(t);
    struct etl_following *f = s->following;
    const struct etl_buffer *b =
        &s->recording.buffers.data[s->recording.buffers.len - 1];
    struct hearing hearing = {t, heard_of(f, b->cpu)};
    size_t threads = t->threads.len;

    etl_each_record_of(&s->recording, b, &f->unpacked, &f->room,
                       take_followed_record, &hearing);
    if (t->threads.len > threads)
        event_sort_threads(t);
}

bool etl_following_step(struct event_trace *t)
{
    struct etl_trace *s = etl_trace_of(t);
    struct etl_following *f = s->following;
    struct etl_file *file = &s->recording.files[0];
    size_t known = s->recording.buffers.len;

    while (s->recording.buffers.len == known) {
        uint64_t wanted;

        /* The file is as long as its buffers that are whole. */
        while (!f->ended &&
               (wanted = etl_index_wanted(&f->index, file)) > file->size) {
            f->ended = !follow_wait(t->follow, wanted);
            file->size = f->ended ? follow_size(t->follow) : wanted;
        }
        if (!etl_index_step(&f->index, &s->recording.buffers, file, 0,
                            t->notes)) {
            f->ended = true;
            return false;
        }
    }
    listen_to_buffer(t);
    return true;
}

bool etl_following_is_ready(const struct etl_following *f, uint64_t time,
                            size_t open)
{
    if (f->ended || open > WAITING_A_CPU * (f->cpus + 1))
        return true;
    if (f->heard.len < f->cpus)
        return false;
    for (size_t i = 0; i < f->heard.len; i++)
        if (f->heard.data[i].until < time)
            return false;
    return true;
}

/* ---- the reader ---- */

static enum err_code follow_trace(struct event_trace *t, struct err *err)
{
    struct etl_trace *s = etl_trace_of(t);

    begin_following(t);
    if (etl_open_headers(&s->recording, t->entries, t->entry_count, t->notes,
                         err))
        return err ? err->code : ERR_CORRUPT;
    s->recording.files[0].size = 0;
    s->following = etl_following_new(&s->recording);
    t->surveyed = true; /* buffer by buffer */
    return ERR_NONE;
}

static enum err_code open_etl_events(struct event_trace *t, struct err *err)
{
    struct etl_trace *s = mem_new(1, sizeof(*s));

    t->state = s;
    if (t->follow)
        return follow_trace(t, err);
    if (etl_open(&s->recording, t->entries, t->entry_count, t->notes, err))
        return err ? err->code : ERR_CORRUPT;
    s->ends = etl_find_ends(&s->recording.buffers);
    return ERR_NONE;
}

static void close_etl_events(struct event_trace *t)
{
    struct etl_trace *s = etl_trace_of(t);

    if (!s)
        return;
    etl_stacks_free(s->stacks);
    etl_following_free(s->following);
    etl_close(&s->recording);
    free(s->ends);
    free(s);
}

static void survey_etl(struct event_trace *t)
{
    etl_each_record(&etl_trace_of(t)->recording, survey_record, t);
}

static void begin_etl_events(struct event_cursor *c)
{
    struct etl_trace *s = etl_trace_of(c->trace);

    etl_walk_begin(c);
    if (c->options.stacks && !s->stacks)
        s->stacks = etl_stacks_new(&s->recording);
}

static bool next_etl_event(struct event_cursor *c)
{
    struct walked *b = etl_walk_next(c);

    if (b)
        etl_set_event(c, b);
    return b;
}

const struct event_reader etl_events = {
    .format = &etl_format,
    .open = open_etl_events,
    .close = close_etl_events,
    .survey = survey_etl,
    .begin = begin_etl_events,
    .next = next_etl_event,
    .end = etl_walk_end,
};
