#include "engine/attribution/met_samples.h"

struct known_thread {
    uint32_t thread;
    int64_t since, until; /* holds for since <= time < until; never yet
                             while both are 0 */
};

struct meeting {
    struct observations *seen;
    struct lifetimes *lives;
    struct stack_parts *parts;
    struct whole_stacks *pairs;
    struct known_thread *threads; /* by thread key */
    uint8_t *spaces_of_runs;      /* enum run_space, by run */
};

static uint32_t thread_at(struct meeting *m, uint32_t key, int64_t time)
{
    struct known_thread *known = &m->threads[key];
    const struct thread_key *id = &m->seen->thread_keys.data[key];

    if (time >= known->since && time < known->until)
        return known->thread;
    known->since = time;
    known->thread =
        lifetimes_thread(m->lives, id->tid, id->pid, time, &known->until);
    return known->thread;
}

enum run_space { SPACE_UNKNOWN, SPACE_KERNEL, SPACE_MIXED };

/* A kernel part goes on top of stacks of every process; unless it has frames
 * of user mode, which are its process's. */
static bool is_of_kernel(struct meeting *m, uint32_t run)
{
    const struct callchain *chain = &m->seen->callchains.list.data[run];
    uint8_t *space = &m->spaces_of_runs[run];

    if (*space == SPACE_UNKNOWN) {
        *space = SPACE_KERNEL;
        for (uint32_t i = 0; i < chain->count; i++)
            if (callchain_frame(chain, i) < m->seen->kernel_from)
                *space = SPACE_MIXED;
    }
    return *space == SPACE_KERNEL;
}

/* A part that is alone is the outer one. */
static uint32_t pair_of_parts(struct meeting *m, uint32_t outer, uint32_t inner)
{
    if (outer == NO_ID && inner == NO_ID)
        return whole_stacks_add(m->pairs, NO_ID, 0);
    if (outer == NO_ID)
        return whole_stacks_add(m->pairs, inner, NO_ID);
    return whole_stacks_add(m->pairs, outer, inner);
}

/* A pair of parts takes the place of the outer run of sample `i`, and its
 * flags say which it has; a leaf without an outer part takes that place. */
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
    s->outer[i] = pair_of_parts(m, outer, inner);
}

/* The same for nearly all samples: one part, of user mode, that was met
 * before in their process. Of others nothing is done. */
static bool meet_again(struct meeting *m, uint32_t process, size_t i)
{
    struct observed_samples *s = &m->seen->samples;
    uint32_t part, pair;

    if (s->inner[i] || !s->outer[i])
        return false;
    part = stack_parts_again(m->parts, process, s->outer[i], s->time[i]);
    if (part == NO_ID)
        return false;
    pair = whole_stacks_alone(m->pairs, part);
    if (pair == NO_ID)
        return false;
    s->flags[i] |= SAMPLE_USER_PART | SAMPLE_HAS_STACK;
    s->outer[i] = pair;
    return true;
}

enum { AHEAD = 8, FAR = 16 }; /* samples */

/* The sample that comes soon: fetches where its pair is looked up; and of one
 * farther off, its parts. */
static void fetch_soon(const struct meeting *m, size_t i)
{
    const struct observed_samples *s = &m->seen->samples;
    uint32_t outer, inner;

    if (i + FAR >= s->len)
        return;
    stack_parts_soon(m->parts, s->outer[i + FAR]);
    stack_parts_soon(m->parts, s->inner[i + FAR]);
    outer = m->parts->of_run[s->outer[i + AHEAD]].part;
    inner = m->parts->of_run[s->inner[i + AHEAD]].part;
    whole_stacks_soon(m->pairs, outer != NO_ID ? outer : inner,
                      outer != NO_ID ? inner : NO_ID);
}

void meet_samples(struct observations *seen, struct lifetimes *lives,
                  struct stack_parts *parts, struct whole_stacks *pairs)
{
    struct observed_samples *s = &seen->samples;
    struct meeting m = {
        .seen = seen, .lives = lives, .parts = parts, .pairs = pairs};

    m.threads = mem_new(seen->thread_keys.len, sizeof(*m.threads));
    m.spaces_of_runs = mem_new(seen->callchains.list.len, 1);
    for (size_t i = 0; i < s->len; i++) {
        uint32_t thread = thread_at(&m, s->thread_key[i], s->time[i]);
        uint32_t process = seen->profile->threads.data[thread].process;

        fetch_soon(&m, i);
        if (!meet_again(&m, process, i))
            meet_parts(&m, process, i);
        s->thread_key[i] = thread;
    }
    free(m.spaces_of_runs);
    free(m.threads);
    free(s->inner);
    free(s->leaf);
    s->inner = NULL;
    s->leaf = NULL;
    map_release(&pairs->ids);
    vec_release(&pairs->alone);
}
