/*
 * events - the events of a stream one by one, for the tests here.
 *
 *     struct nettrace_writer *w = nettrace_writer_new(6, true);
 *     ...
 *     events_read(w);
 *     ck_assert_uint_eq(got.count, 2);
 *     ck_assert_uint_eq(got.events[1].time, 7);
 *     events_end(w);
 */
#ifndef TOPFN_TESTS_NETTRACE_EVENTS_H
#define TOPFN_TESTS_NETTRACE_EVENTS_H

#include "engine/events/events.h"
#include "tests/engine/format/nettrace/stream.h"

enum { MOST_EVENTS = 40 };

static struct {
    struct nt_event events[MOST_EVENTS];
    struct nt_labels labels[MOST_EVENTS]; /* all 0: it has none */
    uint32_t kinds[MOST_EVENTS];
    size_t count, barriers;
    bool unwanted;     /* to be set before: blocks are left out */
    uint64_t min, max; /* of the last block */
    enum err_code code;
    struct err err;
    struct nt_file file;
} got;

static inline bool get_event(void *context, struct nt_file *f, uint32_t kind,
                             const struct nt_event *e)
{
    const struct nt_labels *l = nt_labels_of(f, e);

    (void)context;
    ck_assert_uint_lt(got.count, MOST_EVENTS);
    got.kinds[got.count] = kind;
    if (l)
        got.labels[got.count] = *l;
    got.events[got.count++] = *e;
    return true;
}

static inline void get_barrier(void *context, struct nt_file *f)
{
    (void)context;
    (void)f;
    got.barriers++;
}

static inline bool is_wanted(void *context, const struct nt_file *f,
                             uint64_t min, uint64_t max)
{
    (void)context;
    (void)f;
    got.min = min;
    got.max = max;
    return !got.unwanted;
}

/* What the writer has written so far. */
static inline void events_read(struct nettrace_writer *w)
{
    static const struct nt_sink sink = {
        .event = get_event, .barrier = get_barrier, .wants = is_wanted};
    static struct read_options options;
    static struct nt_recording recording;
    struct profile *p = profile_new();
    struct entry entry = {.name = "test"};
    bool unwanted = got.unwanted;
    size_t pos = 0;

    nettrace_end_block(w);
    memset(&got, 0, sizeof(got));
    got.unwanted = unwanted;
    recording = (struct nt_recording){.seen = observations_new(p),
                                      .sink = &sink,
                                      .profile = p,
                                      .strings = p->strings,
                                      .options = &options};
    recording.seen->naming = event_naming_new();
    entry.data = w->out.data;
    entry.size = w->out.len;
    got.code = nt_open(&got.file, &recording, &entry, &pos, &got.err);
    while (!got.code && nt_step(&got.file, &pos))
        continue;
}

static inline void events_end(struct nettrace_writer *w)
{
    struct nt_recording *r = got.file.recording;

    nt_close(&got.file);
    event_naming_free(r->seen->naming);
    observations_free(r->seen);
    profile_free(r->profile);
    nettrace_writer_free(w);
}

#endif
