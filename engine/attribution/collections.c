/*
 * Garbage collections of .NET, from the events of the runtime.
 *
 *     9  GC/SuspendEEStart   u32 reason (version 0: u16), ...
 *     8  GC/SuspendEEStop    all threads stand still
 *     1  GC/Start            u32 number, u32 generation, u32 reason, u32 kind;
 *                            version 0: u32 number, u32 reason. Some runtimes
 *                            write it twice
 *   204  GC/PerHeapHistory   sizes of the generations of one heap (version 3)
 *     2  GC/Stop             u32 number, ...
 *     4  GC/HeapStats        sizes after it, of four generations or five
 *     3  GC/RestartEEStop    threads run again
 *
 * A pause lasts from 9 to 3. One for a collection belongs to the last one that
 * begins in it, a foreground one before a background one; if none does, to
 * the background one that is at work. The thread sampler and debuggers stop
 * threads, too, perhaps at the same time: their 3 is of the thread that wrote
 * their 9, while a collection may end its pause on another thread.
 * (clr-events.md, section 8)
 */
#include "engine/attribution/clr.h"

#include <stdlib.h>

#include "engine/attribution/lifetimes.h"

enum {
    GC_START = 1,
    GC_STOP = 2,
    RESTART_STOP = 3,
    HEAP_STATS = 4,
    SUSPEND_STOP = 8,
    SUSPEND_START = 9,
    HEAP_HISTORY = 204,
};

enum { KIND_BACKGROUND = 1 };

bool clr_is_collection(enum clr_provider provider, uint16_t id)
{
    return provider == CLR_RUNTIME &&
           ((id >= GC_START && id <= HEAP_STATS) || id == SUSPEND_STOP ||
            id == SUSPEND_START || id == HEAP_HISTORY);
}

static uint64_t sum(uint64_t a, uint64_t b)
{
    return a < WEIGHTS_MOST - b ? a + b : WEIGHTS_MOST;
}

/* u64 size and u64 bytes promoted of four generations; the fifth stands behind
 * u64, u64, u32, u32, u32, u16. */
static void read_stats(struct observed_collection *step, struct reader *r)
{
    enum { FIRST = 4, BETWEEN = 30 };

    for (unsigned i = 0; i <= FIRST && reader_left(r) >= 16; i++) {
        step->bytes = sum(step->bytes, reader_u64(r) & WEIGHTS_MOST);
        step->promoted = sum(step->promoted, reader_u64(r) & WEIGHTS_MOST);
        if (i + 1 == FIRST)
            reader_skip(r, BETWEEN);
    }
}

/* u16, six pointers, u32 four... and a count of generations, each of ten
 * pointers whose first is its size before. */
static void read_history(struct observed_collection *step, unsigned width,
                         struct reader *r)
{
    enum { POINTERS = 7, NUMBERS = 6, OF_GENERATION = 10 };
    uint32_t count;

    reader_skip(r, 2 + POINTERS * width + NUMBERS * 4);
    count = reader_u32(r);
    while (count-- && reader_left(r) >= OF_GENERATION * (size_t)width) {
        step->bytes = sum(step->bytes, reader_ptr(r, width) & WEIGHTS_MOST);
        reader_skip(r, (OF_GENERATION - 1) * (size_t)width);
    }
}

/* The thread sampler and debuggers stop threads hundreds of times a second, and
 * each stop begins and ends on one thread. So it is summed up at once, and none
 * of its events is kept. */
static bool is_of_other_stop(struct observations *seen,
                             const struct clr_event *event,
                             struct reader *payload)
{
    enum { FOR_GC = 1, FOR_GC_PREPARATION = 6 };
    uint32_t fresh = mem_next_id(seen->stops.len), id, reason;
    struct observed_stop *stop;

    if (event->id != SUSPEND_START && event->id != SUSPEND_STOP &&
        event->id != RESTART_STOP)
        return false;
    id = map_add(&seen->stop_ids, event->thread, event->pid, fresh);
    if (id == fresh)
        *vec_add(&seen->stops) = (struct observed_stop){0};
    stop = &seen->stops.data[id];
    if (event->id == SUSPEND_START) {
        reason = event->version ? reader_u32(payload) : reader_u16(payload);
        *stop = (struct observed_stop){
            event->time, reason != FOR_GC && reason != FOR_GC_PREPARATION};
    }
    if (event->id != RESTART_STOP || !stop->open)
        return stop->open;
    stop->open = false;
    seen->stop_count++;
    seen->stopped_ns =
        sum(seen->stopped_ns, (uint64_t)event->time - (uint64_t)stop->time);
    return true;
}

void clr_collection_take(struct observations *seen,
                         const struct clr_event *event, struct reader *payload)
{
    struct observed_collection step = {
        .time = event->time,
        .thread = event->thread,
        .pid = event->pid,
        .order = mem_next_id(seen->collections.len),
        .id = (uint8_t)event->id,
    };

    if (event->id == GC_START || event->id == GC_STOP)
        step.number = reader_u32(payload);
    if (event->id == GC_START && event->version)
        step.generation = (uint8_t)reader_u32(payload);
    if (event->id == GC_START) {
        step.reason = (uint8_t)reader_u32(payload);
        step.kind = event->version ? (uint8_t)reader_u32(payload) : 0;
    }
    if (is_of_other_stop(seen, event, payload))
        return;
    if (event->id == HEAP_STATS)
        read_stats(&step, payload);
    if (event->id == HEAP_HISTORY && event->version < 3)
        return;
    if (event->id == HEAP_HISTORY)
        read_history(&step, event->width, payload);
    *vec_add(&seen->collections) = step;
}

static int by_process_and_time(const void *x, const void *y)
{
    const struct observed_collection *a = x, *b = y;

    if (a->pid != b->pid)
        return a->pid < b->pid ? -1 : 1;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* One process, as far as its steps were taken. */
struct joining {
    struct profile *p;
    struct lifetimes *lives;
    size_t first;                             /* of its collections */
    size_t blocking, background, ended;       /* collections; NONE */
    size_t in_pause;                          /* that began in this pause */
    const struct observed_collection *paused; /* for a collection; or NULL */
    bool stand_still;                         /* all threads were reached */
};

#define NONE SIZE_MAX

static struct collection *collection_at(struct joining *j, size_t i)
{
    return i == NONE ? NULL : &j->p->collections.data[i];
}

static void begin_process(struct joining *j)
{
    j->first = j->p->collections.len;
    j->blocking = j->background = j->ended = j->in_pause = NONE;
    j->paused = NULL;
}

static void begin_collection(struct joining *j,
                             const struct observed_collection *step)
{
    size_t i = j->p->collections.len;

    if (i > j->first && j->p->collections.data[i - 1].number == step->number)
        return;
    *vec_add(&j->p->collections) = (struct collection){
        .start = step->time,
        .process = lifetimes_process(j->lives, step->pid, step->time),
        .number = step->number,
        .generation = step->generation,
        .kind = step->kind,
        .reason = step->reason,
        .lasted = COLLECTION_UNKNOWN,
        .paused = COLLECTION_UNKNOWN,
        .longest = COLLECTION_UNKNOWN,
        .before = COLLECTION_UNKNOWN,
        .after = COLLECTION_UNKNOWN,
        .promoted = COLLECTION_UNKNOWN,
    };
    if (step->kind == KIND_BACKGROUND)
        j->background = i;
    else
        j->blocking = i;
    j->stand_still |= j->paused != NULL;
    if (j->paused && (j->in_pause == NONE || step->kind != KIND_BACKGROUND))
        j->in_pause = i;
}

static void end_collection(struct joining *j,
                           const struct observed_collection *step)
{
    size_t *open[] = {&j->blocking, &j->background};

    for (int k = 0; k < 2; k++) {
        struct collection *c = collection_at(j, *open[k]);

        if (!c || c->number != step->number)
            continue;
        c->lasted = (uint64_t)step->time - (uint64_t)c->start;
        j->ended = *open[k];
        *open[k] = NONE;
        return;
    }
}

static void add_to(uint64_t *number, uint64_t n)
{
    *number = *number == COLLECTION_UNKNOWN ? n : sum(*number, n);
}

static void end_pause(struct joining *j, int64_t time)
{
    uint64_t ns = (uint64_t)time - (uint64_t)j->paused->time;
    struct collection *c =
        collection_at(j, j->in_pause == NONE ? j->background : j->in_pause);

    j->paused = NULL;
    j->stand_still = false;
    j->in_pause = NONE;
    if (!c)
        return;
    add_to(&c->paused, ns);
    if (c->longest == COLLECTION_UNKNOWN || ns > c->longest)
        c->longest = ns;
}

/* The one that a heap's history is of: a background one writes it when it has
 * ended. */
static struct collection *at_work(struct joining *j)
{
    if (j->blocking != NONE)
        return collection_at(j, j->blocking);
    return collection_at(j, j->background != NONE ? j->background : j->ended);
}

static void join_step(struct joining *j, const struct observed_collection *step)
{
    struct collection *c;

    switch (step->id) {
    case GC_START:
        begin_collection(j, step);
        break;
    case GC_STOP:
        end_collection(j, step);
        break;
    case SUSPEND_START:
        j->paused = step;
        break;
    case SUSPEND_STOP:
        j->stand_still |= j->paused && j->paused->thread == step->thread;
        break;
    case RESTART_STOP:
        if (j->paused && j->stand_still)
            end_pause(j, step->time);
        break;
    case HEAP_HISTORY: /* one for each heap */
        c = at_work(j);
        if (c)
            add_to(&c->before, step->bytes);
        break;
    case HEAP_STATS:
        c = collection_at(j, j->ended);
        if (c && c->after == COLLECTION_UNKNOWN) {
            c->after = step->bytes;
            c->promoted = step->promoted;
        }
        break;
    }
}

static void state_facts(const struct observations *seen)
{
    struct profile *p = seen->profile;
    uint64_t paused = 0;

    for (size_t i = 0; i < p->collections.len; i++)
        if (p->collections.data[i].paused != COLLECTION_UNKNOWN)
            paused = sum(paused, p->collections.data[i].paused);
    if (p->collections.len) {
        profile_number(p, FACT_COLLECTIONS, p->collections.len, "%zu",
                       p->collections.len);
        profile_number(p, FACT_PAUSED, paused, "%llu ns",
                       (unsigned long long)paused);
    }
    if (seen->stop_count) {
        profile_number(p, "stops for other reasons", seen->stop_count, "%llu",
                       (unsigned long long)seen->stop_count);
        profile_number(p, "stopped for other reasons", seen->stopped_ns,
                       "%llu ns", (unsigned long long)seen->stopped_ns);
    }
}

void clr_collections_state(struct observations *seen, struct lifetimes *lives)
{
    const struct observed_collection *list = seen->collections.data;
    struct joining j = {.p = seen->profile, .lives = lives};

    if (seen->collections.len)
        qsort(seen->collections.data, seen->collections.len, sizeof(*list),
              by_process_and_time);
    for (size_t i = 0; i < seen->collections.len; i++) {
        if (!i || list[i - 1].pid != list[i].pid)
            begin_process(&j);
        join_step(&j, &list[i]);
    }
    state_facts(seen);
}
