#include "engine/attribution/thread_time.h"

#include <stdlib.h>

#include "engine/attribution/wakers.h"
#include "engine/base/keysort.h"
#include "engine/base/text.h"

/* Long intervals are cut at multiples of 1/200 of the recording, so that
 * timelines and filters of time see them where they are. The cuts of a whole
 * recording have a budget, which its rows give. */
enum {
    CUTS = 200,
    LEAST_PIECE = 1000 /* ns */,
    CUTS_FREE = 1 << 16,
    CUTS_PER_ROW = 4
};

static const uint8_t all_states = 1 << THREAD_RUNNING | 1 << THREAD_READY |
                                  1 << THREAD_BLOCKED | 1 << THREAD_UNKNOWN;

/* Blocked time, with the threads that ended it. */
enum { WAKERS = 1 << THREAD_STATES | 1 << THREAD_BLOCKED };

uint8_t thread_time_states(const char *event)
{
    if (!event)
        return 0;
    if (ascii_same(event, "wakers"))
        return WAKERS;
    if (ascii_same(event, "thread-time"))
        return all_states;
    for (unsigned state = THREAD_RUNNING; state <= THREAD_BLOCKED; state++)
        if (ascii_same(event, thread_state_name((enum thread_state)state)))
            return (uint8_t)(1 << state);
    return 0;
}

enum { NO_ROW = UINT32_MAX };

/* One life of a thread. */
struct track {
    uint32_t tid;
    uint32_t key;   /* observe_thread_key; NO_ID: its process is not told yet */
    uint32_t row;   /* whose stack has the time since `since`; or NO_ROW */
    uint16_t cpu;   /* where it came in last; or NO_CPU */
    uint8_t wait;   /* what it has done since then */
    bool met;       /* something happened in it */
    bool ended;     /* what it does from now on is not of its life */
    int64_t since;  /* all before is given out */
    int64_t woken;  /* blocked until then and ready since; TIME_MAX: no */
    int64_t end;    /* as a record tells; TIME_MAX: none did yet */
    uint32_t waker; /* number of the wakeup at `woken`; 0: none */
    uint32_t last_waker; /* of the one that ended the wait before */
};

/* The begin or end of a thread, beside the rows. */
struct life_fact {
    int64_t time;
    uint32_t tid;
    bool begins;
};

/* A row that was made before its thread's process was told. */
struct homeless {
    uint32_t made, track;
};

struct division {
    struct observations *seen;
    struct samples rows; /* in order of time */
    struct samples made;
    VEC(struct homeless) homeless;
    struct map known; /* tids that have rows of their own */
    VEC(struct track) tracks;
    struct map track_ids; /* tid -> the newest life */
    struct map on_cpu;    /* processor -> tid of the thread that runs there */
    VEC(struct life_fact) facts;
    int64_t slice;
    uint64_t cuts; /* that may still be made */
    uint64_t sums[THREAD_STATES];
    uint64_t switches, waits;
};

/* ---- what comes out ---- */

static void add_piece(struct division *d, const struct track *t, int64_t from,
                      int64_t to, unsigned wait, uint32_t row)
{
    struct observed_sample made = {.cpu = NO_CPU};

    if (row != NO_ROW)
        made = observed_samples_get(&d->rows, row);
    made.time = from;
    made.thread_key = t->key;
    if (t->key == NO_ID)
        *vec_add(&d->homeless) = (struct homeless){
            mem_next_id(d->made.len), (uint32_t)(t - d->tracks.data)};
    made.weight = (uint64_t)to - (uint64_t)from;
    made.period = thread_wait_at(wait).state == THREAD_BLOCKED
                      ? wakeup_ended(t->waker)
                      : 0;
    made.flags |= wait << SAMPLE_WAIT_SHIFT;
    if (thread_wait_at(wait).state != THREAD_RUNNING)
        made.cpu = NO_CPU;
    observed_samples_add(&d->made, &made);
}

/* The time up to `until` was spent so. */
static void give_time(struct division *d, struct track *t, int64_t until,
                      unsigned wait, uint32_t row)
{
    enum thread_state state = thread_wait_at(wait).state;

    if (until <= t->since)
        return;
    d->sums[state] += (uint64_t)until - (uint64_t)t->since;
    while (d->seen->thread_states >> state & 1 && t->since < until) {
        int64_t next = until;

        if (d->cuts && t->since >= 0 &&
            until - t->since > d->slice - t->since % d->slice) {
            next = t->since + d->slice - t->since % d->slice;
            d->cuts--;
        }
        add_piece(d, t, t->since, next, wait, row);
        t->since = next;
    }
    t->since = until;
}

/* Ends what the thread did since its last change. `row` may have the stack that
 * belongs to that time where the change before had none. */
static void end_state(struct division *d, struct track *t, int64_t until,
                      uint32_t row)
{
    if (t->row == NO_ROW && t->wait != WAIT_UNKNOWN)
        t->row = row;
    if (t->woken < until) {
        give_time(d, t, t->woken, t->wait, t->row);
        t->last_waker = t->waker;
        t->wait = WAIT_WOKEN;
    }
    give_time(d, t, until, t->wait, t->row);
    t->woken = TIME_MAX;
    t->waker = 0;
}

static void set_state(struct track *t, unsigned wait, uint32_t row)
{
    t->wait = (uint8_t)wait;
    t->row = row;
}

static bool is_running(const struct track *t)
{
    return t->wait == WAIT_RUNNING || t->wait == WAIT_NOT_SAMPLED;
}

/* ---- lives ---- */

static struct track *begin_life(struct division *d, uint32_t tid, int64_t time,
                                unsigned wait)
{
    struct track *t = vec_add(&d->tracks);

    *t = (struct track){.tid = tid,
                        .key = NO_ID,
                        .row = NO_ROW,
                        .cpu = NO_CPU,
                        .wait = (uint8_t)wait,
                        .since = time,
                        .woken = TIME_MAX,
                        .end = TIME_MAX};
    map_set(&d->track_ids, tid, 0, (uint32_t)(t - d->tracks.data));
    return t;
}

/* The life of the thread in which something happens now; NULL: it is the idle
 * thread, one that has no id any more (NO_ID), or its life has ended. `comes`:
 * the thread runs, which it does in a new life if it had ended: no record told
 * that the id was used again. */
static struct track *track_of(struct division *d, uint32_t tid, int64_t time,
                              bool comes)
{
    struct track *t;
    uint32_t id;

    if (!tid || tid == NO_ID)
        return NULL;
    id = map_get(&d->track_ids, tid, 0);
    if (id == MAP_NONE)
        t = begin_life(d, tid, 0, WAIT_UNKNOWN);
    else if (d->tracks.data[id].ended && comes)
        t = begin_life(d, tid, time, WAIT_UNKNOWN);
    else
        t = &d->tracks.data[id];
    t->met = true;
    return t->ended ? NULL : t;
}

/* A recording of one process tells that other threads come in, and never that
 * they go out: threads without a row of their own are left out. */
static struct track *known_track(struct division *d, uint32_t tid, int64_t time,
                                 bool comes)
{
    return map_get(&d->known, tid, 0) == MAP_NONE
               ? NULL
               : track_of(d, tid, time, comes);
}

static void end_life(struct division *d, struct track *t, int64_t time)
{
    if (is_running(t) && d->seen->late_switches)
        set_state(t, WAIT_UNKNOWN, NO_ROW); /* it may have gone out again */
    if (!t->ended && t->met)
        end_state(d, t, time, NO_ROW);
    t->ended = true;
}

/* The last switch-out of a thread comes behind the record of its end. */
static void take_fact(struct division *d, const struct life_fact *fact)
{
    uint32_t id = map_get(&d->track_ids, fact->tid, 0);
    struct track *t = id == MAP_NONE ? NULL : &d->tracks.data[id];

    if (!fact->begins) {
        if (t && t->end == TIME_MAX)
            t->end = fact->time;
        return;
    }
    if (t)
        end_life(d, t, t->end < fact->time ? t->end : fact->time);
    begin_life(d, fact->tid, fact->time,
               d->switches ? WAIT_WOKEN : WAIT_UNKNOWN);
}

/* ---- happenings ---- */

/* The thread runs on this processor. If another one still does, its switch-out
 * is missing in the recording: what it did since its last happening is
 * unknown. */
static void take_cpu(struct division *d, struct track *t, int64_t time,
                     uint16_t cpu)
{
    uint32_t before, id;
    struct track *other;

    t->cpu = cpu;
    if (cpu == NO_CPU)
        return;
    before = map_get(&d->on_cpu, cpu, 0);
    map_set(&d->on_cpu, cpu, 0, t->tid);
    if (before == MAP_NONE || before == t->tid)
        return;
    id = map_get(&d->track_ids, before, 0);
    other = id == MAP_NONE ? NULL : &d->tracks.data[id];
    if (!other || other->ended || other->cpu != cpu || !is_running(other))
        return;
    set_state(other, WAIT_UNKNOWN, NO_ROW);
    end_state(d, other, time, NO_ROW);
}

static void take_sample(struct division *d, struct track *t, int64_t time,
                        uint32_t row)
{
    if (is_running(t)) {
        set_state(t, WAIT_RUNNING, row);
        end_state(d, t, time, row);
        return;
    }
    t->woken = TIME_MAX;
    t->wait = WAIT_UNKNOWN; /* it came in unseen */
    end_state(d, t, time, NO_ROW);
    set_state(t, WAIT_RUNNING, row);
}

static bool has_stack(const struct division *d, uint32_t row)
{
    return row != NO_ROW && (d->rows.stack[row] || d->rows.inner[row]);
}

/* The kernel and a tracepoint may both tell of one switch: the second has no
 * stack, and may know more than that the thread went out. */
static void take_out(struct division *d, struct track *t, int64_t time,
                     unsigned wait, uint32_t row)
{
    if (!is_running(t) && t->wait != WAIT_UNKNOWN) {
        if (!has_stack(d, row)) {
            if (t->wait == WAIT_BLOCKED)
                t->wait = (uint8_t)wait;
            return;
        }
        t->woken = TIME_MAX;
        t->wait = WAIT_UNKNOWN;
    }
    end_state(d, t, time, row);
    set_state(t, wait, row);
    t->ended = wait == WAIT_EXIT || t->end <= time;
}

static void take_in(struct division *d, struct track *t, int64_t time,
                    uint32_t row)
{
    if (is_running(t))
        return;
    end_state(d, t, time, row);
    set_state(t, WAIT_NOT_SAMPLED, NO_ROW);
}

/* A wakeup does not end time that is unknown: the thread may run. */
static void take_wakeup(struct division *d, struct track *t, int64_t time,
                        uint32_t row, bool interrupt)
{
    struct observations *seen = d->seen;
    uint32_t tid = seen->thread_keys.data[d->rows.thread[row]].tid, waker;
    struct observed_wakeup wakeup = {.time = time, .interrupt = interrupt};
    struct observed_sample made;

    if (thread_wait_at(t->wait).state != THREAD_BLOCKED || t->woken != TIME_MAX)
        return;
    t->woken = time;
    if (!(seen->thread_states >> THREAD_STATES & 1))
        return;
    waker = interrupt ? MAP_NONE : map_get(&d->track_ids, tid, 0);
    if (waker != MAP_NONE && d->tracks.data[waker].last_waker) {
        uint32_t before = d->tracks.data[waker].last_waker;

        if (seen->wakeups.data[before - 1].time > t->since)
            wakeup.before = before;
    }
    *vec_add(&seen->wakeups) = wakeup;
    t->waker = mem_next_id(seen->wakeups.len);
    made = observed_samples_get(&d->rows, row);
    made.period = wakeup_itself(t->waker);
    observed_samples_add(&d->made, &made);
}

static bool is_wait(enum thread_happening kind)
{
    return kind == HAPPENED_WAIT_BEGIN || kind == HAPPENED_WAIT_END;
}

/* A wait within another one is part of it: a lock waits by a handle. */
static void take_wait(struct division *d, struct track *t, int64_t time,
                      unsigned wait, bool begins, uint32_t row)
{
    if (t->wait != (begins ? WAIT_UNKNOWN : wait))
        return;
    end_state(d, t, time, NO_ROW);
    set_state(t, begins ? wait : WAIT_UNKNOWN, begins ? row : NO_ROW);
}

static void take_row(struct division *d, uint32_t row)
{
    uint32_t key = d->rows.thread[row], other;
    const struct thread_key *thread = &d->seen->thread_keys.data[key];
    uint64_t what = d->rows.period ? d->rows.period[row] : 0;
    enum thread_happening kind = (enum thread_happening)(what & 0xFF);
    unsigned wait = what >> 8 & 0xFF;
    int64_t time = d->rows.time[row];
    struct track *t;

    other = (uint32_t)(what >> 32);
    if (is_wait(kind) == (d->switches > 0))
        return;
    if (kind == HAPPENED_WAKEUP || kind == HAPPENED_INTERRUPT) {
        t = known_track(d, other, time, false);
        if (t)
            take_wakeup(d, t, time, row, kind == HAPPENED_INTERRUPT);
        return;
    }
    if (kind == HAPPENED_SWITCH_FROM) {
        t = track_of(d, other, time, false);
        if (t)
            take_out(d, t, time, wait, NO_ROW);
    }
    t = track_of(d, thread->tid, time,
                 kind != HAPPENED_SWITCH_TO && !is_wait(kind));
    if (t && thread->pid != NO_PID)
        t->key = key;
    if (t && !is_wait(kind))
        take_cpu(d, t, time, d->rows.cpu[row]);
    if (t && kind == HAPPENED_SAMPLE)
        take_sample(d, t, time, row);
    else if (t && is_wait(kind))
        take_wait(d, t, time, wait, kind == HAPPENED_WAIT_BEGIN, row);
    else if (t && kind == HAPPENED_SWITCH_TO)
        take_out(d, t, time, wait, row);
    else if (t)
        take_in(d, t, time, row);
    if (kind != HAPPENED_SWITCH_TO)
        return;
    t = known_track(d, other, time, true);
    if (t) {
        take_cpu(d, t, time, d->rows.cpu[row]);
        take_in(d, t, time, NO_ROW);
    }
}

/* ---- all of it ---- */

static void list_facts(struct division *d)
{
    const struct observations *seen = d->seen;
    struct keyed *order = mem_new(seen->threads.len, sizeof(*order));
    size_t n = 0;

    for (size_t i = 0; i < seen->threads.len; i++) {
        const struct observed_thread *t = &seen->threads.data[i];

        if (t->event == SEEN_BEGIN || t->event == SEEN_END)
            order[n++] = (struct keyed){(uint64_t)t->time - (uint64_t)TIME_MIN,
                                        mem_next_id(i)};
    }
    keysort(order, n);
    for (size_t i = 0; i < n; i++) {
        const struct observed_thread *t = &seen->threads.data[order[i].value];

        *vec_add(&d->facts) =
            (struct life_fact){t->time, t->tid, t->event == SEEN_BEGIN};
    }
    free(order);
}

/* Counts the switches of the recording, and the waits that count where it has
 * none. */
static void count_switches(struct division *d)
{
    for (size_t i = 0; d->rows.period && i < d->rows.len; i++) {
        enum thread_happening kind =
            (enum thread_happening)(d->rows.period[i] & 0xFF);

        d->switches +=
            kind == HAPPENED_SWITCH_TO || kind == HAPPENED_SWITCH_FROM;
        d->waits += is_wait(kind);
    }
}

static void walk_rows(struct division *d, int64_t end)
{
    size_t fact = 0;

    for (uint32_t i = 0; i < d->rows.len; i++) {
        while (fact < d->facts.len &&
               d->facts.data[fact].time <= d->rows.time[i])
            take_fact(d, &d->facts.data[fact++]);
        take_row(d, i);
    }
    while (fact < d->facts.len)
        take_fact(d, &d->facts.data[fact++]);
    for (size_t i = 0; i < d->tracks.len; i++) {
        struct track *t = &d->tracks.data[i];

        end_life(d, t, t->end < end ? t->end : end);
    }
}

static void find_homes(struct division *d)
{
    for (size_t i = 0; i < d->homeless.len; i++) {
        const struct track *t = &d->tracks.data[d->homeless.data[i].track];

        d->made.thread[d->homeless.data[i].made] =
            t->key != NO_ID ? t->key
                            : observe_thread_key(d->seen, t->tid, NO_PID);
    }
}

static void state_sum(struct profile *p, const char *name, uint64_t ns)
{
    profile_number(p, name, ns, "%llu ns", (unsigned long long)ns);
}

/* States the sums, which make up the lifetimes. */
static void state_sums(const struct division *d)
{
    struct profile *p = d->seen->profile;
    uint64_t whole = 0;

    for (unsigned s = THREAD_RUNNING; s < THREAD_STATES; s++)
        whole += d->sums[s];
    state_sum(p, FACT_LIFETIMES, whole);
    for (unsigned s = THREAD_RUNNING; s < THREAD_STATES; s++)
        state_sum(p, thread_state_name((enum thread_state)s), d->sums[s]);
}

static void state_metric(struct profile *p, uint8_t states)
{
    enum metric_id metric = METRIC_LIFETIME;

    if (states == 1 << THREAD_RUNNING)
        metric = METRIC_RUNNING_TIME;
    else if (states == 1 << THREAD_READY)
        metric = METRIC_READY_TIME;
    else if (states == 1 << THREAD_BLOCKED)
        metric = METRIC_BLOCKED_TIME;
    else if (states == WAKERS)
        metric = METRIC_WAKER_TIME;
    profile_set_metric(p, metric);
    p->trace.interval_ns = 0;
}

enum err_code thread_time_divide(struct observations *seen, const char *name,
                                 struct err *err)
{
    struct profile *p = seen->profile;
    struct division d = {.seen = seen};
    int64_t end = p->trace.duration_ns;

    if (seen->untimed)
        return err_set(err, ERR_NOT_FOUND,
                       "%s: thread time needs the times of events, and the "
                       "recording has none",
                       name);
    samples_sort(&seen->samples, TIME_MIN);
    d.rows = seen->samples;
    seen->samples = (struct samples){0};
    if (d.rows.len && d.rows.time[d.rows.len - 1] > end)
        end = d.rows.time[d.rows.len - 1];
    d.slice = end / CUTS > LEAST_PIECE ? end / CUTS : LEAST_PIECE;
    d.cuts = CUTS_FREE + CUTS_PER_ROW * (uint64_t)d.rows.len;
    for (size_t i = 0; i < seen->thread_keys.len; i++)
        map_set(&d.known, seen->thread_keys.data[i].tid, 0, 1);
    count_switches(&d);
    list_facts(&d);
    walk_rows(&d, end);
    find_homes(&d);
    seen->samples = d.made;
    samples_sort(&seen->samples, TIME_MIN);
    state_metric(p, seen->thread_states);
    state_sums(&d);
    samples_release(&d.rows);
    vec_release(&d.tracks);
    vec_release(&d.facts);
    vec_release(&d.homeless);
    map_release(&d.track_ids);
    map_release(&d.known);
    map_release(&d.on_cpu);
    if (d.switches || d.waits)
        return ERR_NONE;
    return err_set(err, ERR_NOT_FOUND,
                   "%s: no context switches, from which the time of threads "
                   "is worked out; topfn help formats says how to record them",
                   name);
}
