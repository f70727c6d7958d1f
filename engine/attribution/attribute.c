/*
 * From facts to a profile: every raw address becomes a location, every
 * sample gets its thread and its stack.
 *
 * Work is done per distinct thing: an address of a process is located once, a
 * part of a stack becomes a row of locations once (located_parts.h), a pair
 * of parts a stack (whole_stacks.h). Locations carry the times between which
 * they hold, since memory is reused, and are worked out anew outside them.
 *
 * Samples are gone through twice in order of time: first to meet the threads
 * and parts there are, then, with every process known, for their locations.
 * So what is numbered as it comes is numbered in that order. Where it does
 * not show, threads work side by side.
 */
#include "engine/attribution/attribute.h"

#include "engine/attribution/il_map_match.h"
#include "engine/attribution/located_parts.h"
#include "engine/attribution/whole_stacks.h"

struct known_thread {
    uint32_t thread;
    int64_t since, until; /* holds for since <= time < until; never yet
                             while both are 0 */
};

struct attribution {
    struct observations *seen;
    struct profile *profile;
    struct lifetimes lives;
    struct stack_parts parts;
    struct located_parts located;
    struct whole_stacks whole;
    struct known_thread *threads; /* by thread key */
    uint8_t *spaces_of_runs;      /* enum run_space, by run */
    uint32_t none;                /* row of samples without a stack, or NO_ID */
};

/* Stacks share their roots, so a trace has fewer of them than frames; of four
 * times that many frames it is believed that code changed under them. */
enum { CHANGES_FREE = 3 << 16, CHANGES_A_FRAME = 4 };

static size_t most_changes(const struct observations *seen)
{
    size_t frames = seen->samples.len;

    for (size_t i = 0; i < seen->callchains.list.len; i++)
        frames += seen->callchains.list.data[i].count;
    return CHANGES_FREE + CHANGES_A_FRAME * frames;
}

static uint32_t thread_at(struct attribution *a, uint32_t key, int64_t time)
{
    struct known_thread *known = &a->threads[key];
    const struct thread_key *id = &a->seen->thread_keys.data[key];

    if (time >= known->since && time < known->until)
        return known->thread;
    known->since = time;
    known->thread =
        lifetimes_thread(&a->lives, id->tid, id->pid, time, &known->until);
    return known->thread;
}

enum run_space { SPACE_UNKNOWN, SPACE_KERNEL, SPACE_MIXED };

/* A kernel part goes on top of stacks of every process; unless it has frames
 * of user mode, which are its process's. */
static bool is_of_kernel(struct attribution *a, uint32_t run)
{
    const struct callchain *chain = &a->seen->callchains.list.data[run];
    uint8_t *space = &a->spaces_of_runs[run];

    if (*space == SPACE_UNKNOWN) {
        *space = SPACE_KERNEL;
        for (uint32_t i = 0; i < chain->count; i++)
            if (callchain_frame(chain, i) < a->seen->kernel_from)
                *space = SPACE_MIXED;
    }
    return *space == SPACE_KERNEL;
}

/* Parts take the place of the runs of sample `i`, and its flags say which it
 * has; a leaf without an outer part takes that place. */
static void meet_parts(struct attribution *a, uint32_t process, size_t i)
{
    struct observed_samples *s = &a->seen->samples;
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
    s->outer[i] =
        outer ? stack_parts_add(&a->parts, process, outer, time) : NO_ID;
    if (inner && !leaf && is_of_kernel(a, inner))
        process = NO_ID;
    s->inner[i] =
        inner ? stack_parts_add(&a->parts, process, inner, time) : NO_ID;
}

enum { AHEAD = 8 }; /* samples */

static void fetch_runs_soon(const struct attribution *a, size_t i)
{
    const struct observed_samples *s = &a->seen->samples;

    if (i + AHEAD >= s->len)
        return;
    stack_parts_soon(&a->parts, s->outer[i + AHEAD]);
    stack_parts_soon(&a->parts, s->inner[i + AHEAD]);
}

/* Threads take the place of their keys, and parts that of runs: processes
 * made up for threads nobody described need a space too. */
static void meet_samples(struct attribution *a)
{
    struct observed_samples *s = &a->seen->samples;

    a->threads = mem_new(a->seen->thread_keys.len, sizeof(*a->threads));
    a->spaces_of_runs = mem_new(a->seen->callchains.list.len, 1);
    for (size_t i = 0; i < s->len; i++) {
        uint32_t thread = thread_at(a, s->thread_key[i], s->time[i]);

        fetch_runs_soon(a, i);
        meet_parts(a, a->profile->threads.data[thread].process, i);
        s->thread_key[i] = thread;
    }
    free(a->spaces_of_runs);
    free(a->threads);
    free(s->leaf);
    s->leaf = NULL;
}

/* What stands for the stack of a sample that has none, nor an address. */
static uint32_t row_of_none(struct attribution *a)
{
    struct location none = {
        .module = NO_ID,
        .method = NO_ID,
        .cause = CAUSE_NO_STACK,
    };

    if (a->none == NO_ID)
        a->none = located_parts_extra(&a->located,
                                      profile_location(a->profile, &none));
    return a->none;
}

/* The pair of rows of a sample with these parts. */
static uint32_t whole_at(struct attribution *a, uint32_t outer, uint32_t inner,
                         int64_t time)
{
    if (outer != NO_ID)
        outer = located_parts_row(&a->located, outer, time);
    if (inner != NO_ID)
        inner = located_parts_row(&a->located, inner, time);
    if (outer == NO_ID) {
        outer = inner;
        inner = NO_ID;
    }
    if (outer == NO_ID)
        outer = row_of_none(a);
    return whole_stacks_add(&a->whole, outer, inner);
}

/* The sample that comes soon: fetches where its stack is looked up; and of
 * the one twice as far off, its parts. */
static void fetch_soon(const struct attribution *a, size_t i)
{
    const struct observed_samples *s = &a->seen->samples;
    size_t farther = i + AHEAD + AHEAD;

    if (farther >= s->len)
        return;
    if (s->outer[farther] != NO_ID)
        located_parts_soon(&a->located, s->outer[farther]);
    i += AHEAD;
    if (s->outer[i] != NO_ID)
        whole_stacks_soon(&a->whole,
                          located_parts_last(&a->located, s->outer[i]),
                          s->inner[i] == NO_ID
                              ? NO_ID
                              : located_parts_last(&a->located, s->inner[i]));
}

/* Pairs of rows take the place of outer parts. */
static void locate_samples(struct attribution *a)
{
    struct observed_samples *s = &a->seen->samples;

    for (size_t i = 0; i < s->len; i++) {
        fetch_soon(a, i);
        s->outer[i] = whole_at(a, s->outer[i], s->inner[i], s->time[i]);
    }
    free(s->inner);
    s->inner = NULL;
}

struct columns {
    uint32_t *pairs;        /* by sample; stacks when done */
    const uint32_t *stacks; /* by pair */
    size_t len;
};

enum { SAMPLES_A_TASK = 1 << 16 };

static void name_stacks(void *context, size_t task, unsigned worker)
{
    const struct columns *c = context;
    size_t from = task * SAMPLES_A_TASK, to = from + SAMPLES_A_TASK;

    (void)worker;
    for (size_t i = from; i < to && i < c->len; i++)
        c->pairs[i] = c->stacks[c->pairs[i]];
}

/* The columns become the profile's, so that memory holds millions of samples
 * once: stacks take the place of pairs. */
static void give_samples(struct attribution *a, struct threads *pool)
{
    struct observed_samples *s = &a->seen->samples;
    uint32_t *stacks =
        whole_stacks_make(&a->whole, a->located.rows.data, a->located.rows.len,
                          &a->profile->stacks, pool);
    struct columns c = {s->outer, stacks, s->len};

    threads_run(pool, (s->len + SAMPLES_A_TASK - 1) / SAMPLES_A_TASK,
                name_stacks, &c);
    free(stacks);
    profile_take_samples(a->profile, &(struct samples){
                                         .len = s->len,
                                         .cap = s->cap,
                                         .time = s->time,
                                         .thread = s->thread_key,
                                         .stack = s->outer,
                                         .weight = s->weight,
                                         .period = s->period,
                                         .cpu = s->cpu,
                                         .flags = s->flags,
                                     });
    *s = (struct observed_samples){0};
}

static void attribute_samples(struct attribution *a, struct threads *pool)
{
    struct address_spaces spaces;
    struct locator locator;
    size_t most = most_changes(a->seen);

    stack_parts_init(&a->parts, a->seen);
    meet_samples(a);
    stack_parts_number(&a->parts, pool);
    address_spaces_build(&spaces, a->seen, &a->lives);
    locator_init(&locator, &spaces);
    located_parts_init(&a->located, &a->parts, &locator, most, pool);
    locate_samples(a);
    located_parts_settle(&a->located, pool);
    give_samples(a, pool);
    match_il_maps(a->seen, locator.names.method_ids);
    locator_release(&locator);
    address_spaces_release(&spaces);
    stack_parts_release(&a->parts);
}

static void warn_of_cut(const struct observations *seen, struct profile *p)
{
    p->quality.cut_stacks += seen->callchains.cut;
    if (seen->callchains.cut)
        profile_warn(
            p, "stacks deeper than %u frames, cut to the innermost: %llu",
            STACK_PART_DEEPEST, (unsigned long long)seen->callchains.cut);
}

static void warn_of_changes(const struct attribution *a)
{
    if (a->located.kept)
        profile_warn(a->profile,
                     "code changed under too many stacks: for %llu "
                     "samples the names may be of earlier code",
                     (unsigned long long)a->located.kept);
}

void attribute(struct observations *seen, unsigned threads)
{
    struct threads *pool = threads_new(threads);
    struct attribution a = {
        .seen = seen, .profile = seen->profile, .none = NO_ID};

    map_release(&seen->callchains.ids); /* no more runs come */
    warn_of_cut(seen, a.profile);
    lifetimes_build(&a.lives, seen);
    attribute_samples(&a, pool);
    warn_of_changes(&a);
    located_parts_release(&a.located);
    lifetimes_release(&a.lives);
    threads_free(pool);
}
