#include "engine/events/etl_following.h"

#include <stdlib.h>

#include "engine/events/follow.h"

enum { MOST_CPUS = 64 };

/* How far a CPU has come. */
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

void etl_following_begin(struct event_trace *t)
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

static void take_record(void *context, struct etl_event *e,
                        const struct etl_buffer *b)
{
    struct hearing *h = context;

    if (e->time > h->heard->until)
        h->heard->until = e->time;
    etl_survey_record(h->trace, e, b);
}

/* The last buffer of the list. */
static void listen(struct event_trace *t)
{
    struct etl_trace *s = etl_trace_of(t);
    struct etl_following *f = s->following;
    const struct etl_buffer *b =
        &s->recording.buffers.data[s->recording.buffers.len - 1];
    struct hearing hearing = {t, heard_of(f, b->cpu)};
    size_t threads = t->threads.len;

    etl_each_record_of(&s->recording, b, &f->unpacked, &f->room, take_record,
                       &hearing);
    if (t->threads.len > threads)
        event_sort_threads(t);
}

/* The file is as long as its buffers that are whole. */
static void await(struct event_trace *t, struct etl_file *file,
                  struct etl_following *f)
{
    uint64_t wanted;

    while (!f->ended &&
           (wanted = etl_index_wanted(&f->index, file)) > file->size) {
        f->ended = !follow_wait(t->follow, wanted);
        file->size = f->ended ? follow_size(t->follow) : wanted;
    }
}

bool etl_following_step(struct event_trace *t)
{
    struct etl_trace *s = etl_trace_of(t);
    struct etl_following *f = s->following;
    struct etl_file *file = &s->recording.files[0];
    size_t known = s->recording.buffers.len;

    while (s->recording.buffers.len == known) {
        await(t, file, f);
        if (!etl_index_step(&f->index, &s->recording.buffers, file, 0,
                            t->notes)) {
            f->ended = true;
            return false;
        }
    }
    listen(t);
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
