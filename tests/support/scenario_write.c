/*
 * Turns a checked script into events in order of time.  Everything becomes an
 * item (a time, a rank and what to write); items are sorted once and written,
 * so the stack cache sees them as a kernel would.
 */
#include "tests/support/scenario_emit.h"

#include <stdlib.h>

static void add(struct callchain *r, int64_t at, enum kind kind, int phase,
                size_t index)
{
    size_t order = r->items.count;

    *VEC_ADD(&r->items) = (struct item){ .at = at, .kind = kind,
                                         .phase = phase, .index = index,
                                         .order = order };
    if (at > r->stop)
        r->stop = at;
}

static int by_time(const void *x, const void *y)
{
    const struct item *a = x, *b = y;

    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static void add_shots(struct callchain *r)
{
    struct scenario *s = r->s;

    for (size_t i = 0; i < s->shots.count; i++) {
        const struct shot *h = &s->shots.items[i];
        int64_t user = h->at + (h->kernel >= 0 ? USER_DELAY : KERNEL_DELAY);
        add(r, h->at, SHOT, 0, i);
        if (h->kernel >= 0)
            add(r, h->at + KERNEL_DELAY, KERNEL_PART, 0, i);
        if (h->user >= 0 && !h->shared)
            add(r, h->late != NEVER ? h->late : user, USER_PART, 0, i);
    }
    for (size_t i = 0; i < s->idles.count; i++)
        add(r, s->idles.items[i].at, IDLE, 0, i);
    for (size_t i = 0; i < s->evictions.count; i++)
        add(r, s->evictions.items[i], EVICT, 0, i);
}

/* Start or DCStart, then End; what is alive at the stop comes later. */
static void add_life(struct callchain *r, enum kind kind, size_t index,
                     int64_t start, int64_t end, bool dcend_only)
{
    if (start != FROM_START)
        add(r, start, kind, ETL_START, index);
    else if (!dcend_only)
        add(r, 0, kind, ETL_DC_START, index);
    if (end != NEVER)
        add(r, end, kind, ETL_END, index);
}

static void add_method_life(struct callchain *r, size_t index)
{
    const struct method *m = &r->s->methods.items[index];

    if (m->load != FROM_START)
        add(r, m->load, METHOD, ETL_METHOD_LOAD, index);
    else if (m->dcstart)
        add(r, 0, METHOD, ETL_METHOD_DC_START, index);
    if (m->unload != NEVER)
        add(r, m->unload, METHOD, ETL_METHOD_UNLOAD, index);
}

static void add_lives(struct callchain *r)
{
    struct scenario *s = r->s;

    for (size_t i = 0; i < s->processes.count; i++) {
        const struct process *p = &s->processes.items[i];
        add_life(r, PROCESS, i, p->start, p->end, p->dcend_only);
    }
    for (size_t i = 0; i < s->threads.count; i++) {
        const struct thread *t = &s->threads.items[i];
        add_life(r, THREAD, i, t->start, t->end, t->dcend_only);
    }
    for (size_t i = 0; i < s->images.count; i++) {
        const struct image *m = &s->images.items[i];
        add_life(r, IMAGE, i, m->load, m->unload, m->dcend_only);
    }
    for (size_t i = 0; i < s->methods.count; i++)
        add_method_life(r, i);
}

static void write_all(struct callchain *r)
{
    struct scenario *s = r->s;
    uint32_t interval = (uint32_t)(s->interval / 100);

    etl_interval(r->w, emit_at(r, 0, 0), 73, interval);
    for (size_t i = 0; i < r->items.count; i++)
        emit_item(r, &r->items.items[i]);
    emit_keys(r, r->stop, ETL_KEY_RUNDOWN);
    emit_rundown(r);
    etl_volume_mapping(r->w, emit_at(r, 0, r->stop),
                       "\\Device\\HarddiskVolume2\\", "C:\\");
    etl_interval(r->w, emit_at(r, 0, r->stop), 74, interval);
}

static bool count_all(struct scenario *s, struct answer *answer)
{
    if (s->error)
        return false;
    for (size_t i = 0; i < s->shots.count; i++)
        if (!scenario_count(s, &s->shots.items[i], answer))
            return false;
    answer_idle(answer, s->idles.count);
    answer_lost(answer, s->options.events_lost, s->options.buffers_lost);
    return true;
}

bool scenario_write(struct scenario *s, FILE *file, struct answer *answer)
{
    struct callchain r = {.s = s};
    bool ok;

    if (!count_all(s, answer))
        return false;
    r.slots = calloc(s->key_slots, sizeof(*r.slots));
    if (!r.slots)
        abort();
    add_lives(&r);
    add_shots(&r);
    if (r.items.count) /* else there is no address to give */
        qsort(r.items.items, r.items.count, sizeof(*r.items.items), by_time);
    r.stop = s->stop != NEVER && s->stop > r.stop ? s->stop
                                                  : r.stop + 10000000;
    r.w = etl_writer_new(&s->options, file);
    write_all(&r);
    ok = etl_writer_finish(r.w);
    if (!ok)
        scenario_fail(s, 0, "the trace could not be written");
    etl_writer_free(r.w);
    free(r.slots);
    free(r.items.items);
    return ok;
}
