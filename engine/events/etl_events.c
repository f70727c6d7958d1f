/*
 * Events of Windows event trace logs.
 */
#include <stdlib.h>

#include "engine/events/etl_following.h"
#include "engine/events/etl_stacks.h"
#include "engine/format/etl/guids.h"

enum { GUID_AT = 24 };

static enum err_code follow_trace(struct event_trace *t, struct err *err)
{
    struct etl_trace *s = etl_trace_of(t);

    etl_following_begin(t);
    if (etl_open_headers(&s->recording, t->entries,
                         t->entry_count, t->notes, err))
        return err ? err->code : ERR_CORRUPT;
    s->recording.files[0].size = 0;
    s->following = etl_following_new(&s->recording);
    t->surveyed = true; /* buffer by buffer */
    return ERR_NONE;
}

static enum err_code open_trace(struct event_trace *t, struct err *err)
{
    struct etl_trace *s = mem_new(1, sizeof(*s));

    t->state = s;
    if (t->follow)
        return follow_trace(t, err);
    if (etl_open(&s->recording, t->entries,
                 t->entry_count, t->notes, err))
        return err ? err->code : ERR_CORRUPT;
    s->ends = etl_find_ends(&s->recording.buffers);
    return ERR_NONE;
}

static void close_trace(struct event_trace *t)
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

/* ---- the survey ---- */

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

void etl_survey_record(void *context, struct etl_event *e,
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
    } else if (e->family == FAMILY_HEADER &&
               etl_is_manifest_part(e->at) &&
               etl_pass_items(e, &items)) {
        schemas_take_manifest(
            t, guid, load_u32(e->at + 12), load_u32(e->at + 8),
            (struct bytes){etl_payload(e), etl_payload_size(e)});
    }
}

static void survey(struct event_trace *t)
{
    etl_each_record(&etl_trace_of(t)->recording, etl_survey_record, t);
}

/* ---- the reader ---- */

static void begin(struct event_cursor *c)
{
    struct etl_trace *s = etl_trace_of(c->trace);

    etl_walk_begin(c);
    if (c->options.stacks && !s->stacks)
        s->stacks = etl_stacks_new(&s->recording);
}

static bool next(struct event_cursor *c)
{
    struct walked *b = etl_walk_next(c);

    if (b)
        etl_set_event(c, b);
    return b;
}

const struct event_reader etl_events = {
    .format = &etl_format,
    .open = open_trace,
    .close = close_trace,
    .survey = survey,
    .begin = begin,
    .next = next,
    .end = etl_walk_end,
};
