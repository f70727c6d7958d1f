#include "engine/attribution/wakers.h"

#include <stdlib.h>
#include <string.h>

#include "engine/model/labels.h"
#include "engine/model/waits.h"

/* Frames that chains may add, so that they stay in proportion to what was
 * recorded; and wakers of one wait at most. */
enum { FRAMES_FREE = 1 << 20, FRAMES_A_ROW = 64, WAKERS_MOST = 16 };

struct wakers {
    struct observations *seen;
    struct profile *p;
    uint32_t *stack, *thread; /* by wakeup */
    uint32_t *location; /* by thread: its frame "woken by"; or NO_ID. The last
                           one is that of interrupts. */
    uint32_t module;
    struct map chains; /* (stack, wakeup) -> both joined */
    uint64_t frames;   /* that may still be added */
    uint64_t cycles, cut;
};

/* The function "woken by NAME" of a thread. */
static struct function waker_function(const struct wakers *w,
                                      const struct thread *t)
{
    struct profile *p = w->p;
    const char *process = process_label(p, t->process);
    const char *name = strings_get(p->strings, t->name);
    struct function f = {.module =
                             strings_add(p->strings, process, strlen(process))};

    if (!*name)
        name = strings_get(p->strings, p->processes.data[t->process].name);
    f.name = *name ? strings_addf(p->strings, "woken by %s", name)
                   : strings_addf(p->strings, "woken by thread %u", t->tid);
    return f;
}

/* `thread` is as many as there are threads for an interrupt. */
static uint32_t woken_by(struct wakers *w, uint32_t thread)
{
    struct profile *p = w->p;
    struct location l = {
        .address = thread,
        .module = w->module,
        .method = NO_ID,
    };
    struct function f = {.module = strings_add(p->strings, "[kernel]", 8)};
    struct frame frame = {0};

    if (w->location[thread] != NO_ID)
        return w->location[thread];
    if (thread < p->threads.len && p->threads.data[thread].tid)
        f = waker_function(w, &p->threads.data[thread]);
    else
        f.name = strings_add(p->strings, WOKEN_BY_INTERRUPT,
                             strlen(WOKEN_BY_INTERRUPT));
    w->location[thread] = profile_location(p, &l);
    frame.function = profile_function(p, &f);
    profile_set_frames(p, w->location[thread], &frame, 1);
    return w->location[thread];
}

/* The frames of the second stack behind the first: those of the kernel alone
 * if an interrupt is the waker, whose thread has nothing to do with it. */
static uint32_t put_behind(struct wakers *w, uint32_t stack, uint32_t other,
                           bool interrupt)
{
    VEC(uint32_t) locations = {0};

    for (; other; other = w->p->stacks.data[other].parent) {
        uint32_t location = w->p->stacks.data[other].location;

        if (interrupt && w->p->locations.data[location].kind != CODE_KERNEL)
            break;
        *vec_add(&locations) = location;
    }
    w->frames -= w->frames < locations.len ? w->frames : locations.len;
    while (locations.len)
        stack = profile_stack(w->p, stack, locations.data[--locations.len]);
    vec_release(&locations);
    return stack;
}

static uint32_t join_chain(struct wakers *w, uint32_t stack, uint32_t thread,
                           uint32_t wakeup)
{
    uint32_t met[WAKERS_MOST + 1] = {thread};

    for (unsigned n = 1; wakeup; n++) {
        bool interrupt = w->seen->wakeups.data[wakeup - 1].interrupt;
        uint32_t waker =
            interrupt ? mem_next_id(w->p->threads.len) : w->thread[wakeup];
        bool cycle = false;

        for (unsigned i = 0; i < n; i++)
            cycle |= met[i] == waker;
        w->cycles += cycle;
        if (cycle)
            break;
        if (n > WAKERS_MOST || !w->frames) {
            w->cut++;
            break;
        }
        met[n] = waker;
        stack = profile_stack(w->p, stack, woken_by(w, waker));
        stack = put_behind(w, stack, w->stack[wakeup], interrupt);
        wakeup = w->seen->wakeups.data[wakeup - 1].before;
    }
    return stack;
}

static void join_rows(struct wakers *w)
{
    struct samples *s = &w->seen->samples;
    uint32_t *kept = mem_new(s->len, sizeof(*kept));
    size_t n = 0;

    for (uint32_t i = 0; i < s->len; i++) {
        uint32_t wakeup = (uint32_t)(s->period[i] >> 1), joined;

        if (s->period[i] & 1)
            continue;
        kept[n++] = i;
        if (!wakeup)
            continue;
        joined = map_get(&w->chains, s->stack[i], wakeup);
        if (joined == MAP_NONE) {
            joined = join_chain(w, s->stack[i], s->thread[i], wakeup);
            map_set(&w->chains, s->stack[i], wakeup, joined);
        }
        s->stack[i] = joined;
    }
    samples_reorder(s, kept, n);
    free(kept);
}

void wakers_join(struct observations *seen)
{
    struct profile *p = seen->profile;
    struct samples *s = &seen->samples;
    struct wakers w = {
        .seen = seen,
        .p = p,
        .frames = FRAMES_FREE + FRAMES_A_ROW * (uint64_t)s->len,
    };

    if (!seen->wakeups.len || !s->period)
        return;
    w.module = profile_managed_module(p, WAKERS_MODULE);
    w.stack = mem_new(seen->wakeups.len + 1, sizeof(*w.stack));
    w.thread = mem_new(seen->wakeups.len + 1, sizeof(*w.thread));
    w.location = mem_new(p->threads.len + 1, sizeof(*w.location));
    for (size_t i = 0; i <= p->threads.len; i++)
        w.location[i] = NO_ID;
    for (size_t i = 0; i < s->len; i++)
        if (s->period[i] & 1) {
            w.stack[s->period[i] >> 1] = s->stack[i];
            w.thread[s->period[i] >> 1] = s->thread[i];
        }
    join_rows(&w);
    free(s->period);
    s->period = NULL;
    if (w.cycles)
        profile_warn(p,
                     "chains of wakers that end at a thread which is in them "
                     "already: %llu",
                     (unsigned long long)w.cycles);
    if (w.cut)
        profile_warn(p,
                     "chains of wakers that are cut because they are long: "
                     "%llu",
                     (unsigned long long)w.cut);
    free(w.stack);
    free(w.thread);
    free(w.location);
    map_release(&w.chains);
}
