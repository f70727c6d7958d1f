#include "engine/attribution/met_samples.h"

struct known_thread {
    uint32_t thread, process;
    int64_t since, until; /* holds for since <= time < until; never yet
                             while both are 0 */
};

struct meeting {
    struct observations *seen;
    struct lifetimes *lives;
    struct stack_parts *parts;
    struct met_samples *met;
    struct known_thread *threads; /* by thread key */
    uint8_t *spaces_of_runs;      /* enum run_space, by run */
};

static const struct known_thread *thread_at(struct meeting *m, uint32_t key,
                                            int64_t time)
{
    struct known_thread *known = &m->threads[key];
    const struct thread_key *id = &m->seen->thread_keys.data[key];

    if (time >= known->since && time < known->until)
        return known;
    known->since = time;
    known->thread =
        lifetimes_thread(m->lives, id->tid, id->pid, time, &known->until);
    known->process = lifetimes_memory(
        m->lives, m->seen->profile->threads.data[known->thread].process);
    return known;
}

enum run_space { SPACE_UNKNOWN, SPACE_KERNEL, SPACE_MIXED };

/* A kernel part goes on top of stacks of every process; unless it has frames
 * of user mode, which are its process's. */
static bool is_of_kernel(struct meeting *m, uint32_t run)
{
    const struct callchain *chain = &m->seen->callchains.list.data[run];
    uint8_t *space = &m->spaces_of_runs[run];

    if (stack_parts_met_in_kernel(m->parts, run))
        return true;
    if (*space == SPACE_UNKNOWN) {
        *space = SPACE_KERNEL;
        for (uint32_t i = 0; i < chain->count; i++)
            if (callchain_frame(chain, i) < m->seen->kernel_from)
                *space = SPACE_MIXED;
    }
    return *space == SPACE_KERNEL;
}

/* Parts take the place of the runs of sample `i`, and its flags say which it
 * has; a leaf without an outer part takes that place, and so does any part that
 * is alone. */
static void meet_parts(struct meeting *m, uint32_t process, size_t i)
{
    struct observed_samples *s = &m->seen->samples;
    int64_t time = s->time[i];
    uint32_t outer = s->outer[i], inner = s->inner[i];
    bool leaf = s->leaf[i] && inner;

    if (!outer && leaf) {
        outer = inner;
        inner = 0;
    } else if (outer) {
        s->flags[i] |= SAMPLE_USER_PART | SAMPLE_HAS_STACK;
    }
    if (inner && !leaf)
        s->flags[i] |= SAMPLE_KERNEL_PART | SAMPLE_HAS_STACK;
    outer = outer ? stack_parts_add(m->parts, process, outer, time) : NO_ID;
    if (inner && !leaf && is_of_kernel(m, inner))
        process = NO_ID;
    inner = inner ? stack_parts_add(m->parts, process, inner, time) : NO_ID;
    s->outer[i] = outer != NO_ID ? outer : inner;
    s->inner[i] = outer != NO_ID ? inner : NO_ID;
    if (s->outer[i] == NO_ID && m->met->parts_before_none == NO_ID)
        m->met->parts_before_none = (uint32_t)m->parts->list.len;
}

enum { AHEAD = 8, FAR = 16 }; /* samples */

static void meet_some(struct meeting *m, size_t from, size_t to)
{
    struct observed_samples *s = &m->seen->samples;

    for (size_t i = from; i < to; i++) {
        const struct known_thread *known =
            thread_at(m, s->thread_key[i], s->time[i]);

        if (i + FAR < s->len) {
            stack_parts_soon(m->parts, s->outer[i + FAR]);
            stack_parts_soon(m->parts, s->inner[i + FAR]);
        }
        meet_parts(m, known->process, i);
        s->thread_key[i] = known->thread;
    }
}

enum { SAMPLES_A_TASK = 1 << 15 };

static size_t end_of_task(const struct observed_samples *s, size_t from)
{
    return s->len - from < SAMPLES_A_TASK ? s->len : from + SAMPLES_A_TASK;
}

/* What only the adding of pairs needed. */
static void end_pairing(struct met_samples *met)
{
    if (met->parts_before_none != NO_ID)
        met->none = pair_ids_add(&met->pairs, NO_ID, NO_ID);
    pair_ids_end(&met->pairs);
    free(met->samples->inner);
    met->samples->inner = NULL;
}

/* A pair takes the place of the outer part. */
static void pair_some(struct met_samples *met, size_t from)
{
    const struct observed_samples *s = met->samples;
    size_t to = end_of_task(s, from);

    for (size_t i = from; i < to; i++) {
        if (i + AHEAD < to)
            pair_ids_soon(&met->pairs, s->outer[i + AHEAD],
                          s->inner[i + AHEAD]);
        s->outer[i] = pair_ids_add(&met->pairs, s->outer[i], s->inner[i]);
    }
    if (to == s->len)
        end_pairing(met);
}

static void go_on(void *context, size_t task, unsigned worker)
{
    (void)worker;
    pair_some(context, task * SAMPLES_A_TASK);
}

void meet_samples(struct met_samples *met, struct observations *seen,
                  struct lifetimes *lives, struct stack_parts *parts,
                  struct threads *pool)
{
    struct observed_samples *s = &seen->samples;
    struct meeting m = {.seen = seen,
                        .lives = lives,
                        .parts = parts,
                        .met = met};
    size_t from, to = 0;

    *met = (struct met_samples){.samples = s,
                                .series = {.run = go_on, .context = met},
                                .parts_before_none = NO_ID};
    m.threads = mem_new(seen->thread_keys.len, sizeof(*m.threads));
    m.spaces_of_runs = mem_new(seen->callchains.list.len, 1);
    do {
        from = to;
        to = end_of_task(s, from);
        meet_some(&m, from, to);
        threads_beside(pool, &met->series, 1);
    } while (to < s->len);
    free(m.spaces_of_runs);
    free(m.threads);
    free(s->leaf);
    s->leaf = NULL;
}

void met_samples_finish(struct met_samples *met, struct threads *pool)
{
    threads_finish(pool, &met->series);
}

struct samples met_samples_columns(const struct met_samples *met)
{
    const struct observed_samples *s = met->samples;

    return (struct samples){
        .len = s->len,
        .cap = s->cap,
        .time = s->time,
        .thread = s->thread_key,
        .stack = s->outer,
        .weight = s->weight,
        .period = s->period,
        .cpu = s->cpu,
        .flags = s->flags,
    };
}
