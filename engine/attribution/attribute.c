/*
 * From facts to a profile: every raw address becomes a location, every
 * sample gets its thread and its stack.
 *
 * Work is done per distinct thing. A run of addresses is resolved once per
 * process (once at all in kernel space), and so is an address (locate.h,
 * outer_parts.h); both answers carry the times between which they hold, since
 * memory is reused, and are worked out anew outside them.
 *
 * Samples are gone through twice in order of time: first to meet the threads
 * and runs there are, then, with every process known, for their stacks. So
 * what is numbered as it comes is numbered in that order.
 */
#include "engine/attribution/attribute.h"

#include "engine/attribution/il_map_match.h"
#include "engine/attribution/locate.h"
#include "engine/attribution/outer_parts.h"

/* A kernel part, which goes on top of many stacks: its locations, outermost
 * first, in `kernel_locations`. */
struct kernel_part {
    size_t first;
    bool mixed; /* has user-mode frames, so it depends on the process */
    int64_t from, to; /* from > to: not resolved yet */
};

struct known_thread {
    uint32_t thread;
    int64_t since, until; /* holds for since <= time < until; never yet
                             while both are 0 */
};

struct attribution {
    struct observations *seen;
    struct profile *profile;
    struct lifetimes lives;
    struct address_spaces spaces;
    struct locator locator;
    struct outer_parts outer_parts;
    struct kernel_part *kernel_parts; /* by run */
    VEC(uint32_t) kernel_locations;
    struct known_thread *threads; /* by thread key */
    size_t most;   /* stacks, and locations of kernel parts: see below */
    uint64_t kept; /* answers kept beyond that */
};

/*
 * A method that is compiled anew at the root of a stack makes all of it anew,
 * and a few bytes of a file can say so. Nothing of the old one can be kept: a
 * stack is known by its parent, so below another root every one is another.
 * Stacks share their roots, so a trace has fewer of them than frames; at four
 * times that many a run keeps the answer it has.
 */
enum { STACKS_FREE = 1 << 18, STACKS_A_FRAME = 4 };

static size_t most_stacks(const struct observations *seen)
{
    size_t frames = seen->profile->samples.len;

    for (size_t i = 0; i < seen->callchains.list.len; i++)
        frames += seen->callchains.list.data[i].count;
    return STACKS_FREE + STACKS_A_FRAME * frames;
}

/* Whether what was worked out before has to do. */
static bool keeps(struct attribution *a, size_t made, int64_t from, int64_t to)
{
    if (made < a->most || from > to)
        return false;
    a->kept++;
    return true;
}

/* When the answer for a stack holds: where all of its locations do. */
static void intersect(int64_t *from, int64_t *to, const struct located *l)
{
    if (l->from > *from)
        *from = l->from;
    if (l->to < *to)
        *to = l->to;
}

static bool is_kernel_frame(const struct attribution *a,
                            const struct callchain *run, uint32_t i)
{
    return callchain_frame(run, i) >= a->seen->kernel_from;
}

static const struct located *locate_frame(struct attribution *a,
                                          uint32_t process,
                                          const struct callchain *run,
                                          uint32_t i, int64_t time)
{
    return (frame_is_caller(a->seen, run, i) ? locator_find_caller
                                             : locator_find)(
        &a->locator, process, callchain_frame(run, i), time);
}

/* The stack of a run on top of another stack. */
static uint32_t push_run(struct attribution *a, uint32_t process,
                         uint32_t run_id, int64_t time, uint32_t stack,
                         int64_t *from, int64_t *to)
{
    const struct callchain run = a->seen->callchains.list.data[run_id];

    for (uint32_t i = run.count; i-- > 0;) {
        const struct located *l = locate_frame(a, process, &run, i, time);

        stack = profile_stack(a->profile, stack, l->location);
        intersect(from, to, l);
    }
    return stack;
}

/* Works out anew what a place is. */
static void locate_place(struct attribution *a, uint32_t process,
                         struct place *place, int64_t time)
{
    struct located l = locator_locate(&a->locator, process, place->address,
                                      place->caller, time);

    place->location = l.location;
    place->from = l.from;
    place->to = l.to;
}

static void resolve_outer_part(struct attribution *a, struct outer_part *part,
                               int64_t time)
{
    const uint32_t *row = outer_parts_row(&a->outer_parts, part);
    uint32_t count = a->seen->callchains.list.data[part->run].count;
    int64_t from = TIME_MIN, to = TIME_MAX;
    uint32_t stack = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct place *place =
            outer_parts_place(&a->outer_parts, part->process, row[i]);

        if (time < place->from || time > place->to)
            locate_place(a, part->process, place, time);
        stack = profile_stack(a->profile, stack, place->location);
        from = place->from > from ? place->from : from;
        to = place->to < to ? place->to : to;
    }
    part->stack = stack;
    part->from = from;
    part->to = to;
}

static uint32_t outer_stack(struct attribution *a, uint32_t id, int64_t time)
{
    struct outer_part *part = &a->outer_parts.list.data[id];

    if ((time < part->from || time > part->to) &&
        !keeps(a, a->profile->stacks.len, part->from, part->to))
        resolve_outer_part(a, part, time);
    return part->stack;
}

static void resolve_kernel_part(struct attribution *a, uint32_t run_id,
                                int64_t time, struct kernel_part *part)
{
    const struct callchain run = a->seen->callchains.list.data[run_id];

    *part = (struct kernel_part){
        .first = a->kernel_locations.len, .from = TIME_MIN, .to = TIME_MAX};
    for (uint32_t i = run.count; i-- > 0;) {
        const struct located *l = locate_frame(a, NO_ID, &run, i, time);

        if (!is_kernel_frame(a, &run, i))
            part->mixed = true;

        *vec_add(&a->kernel_locations) = l->location;
        intersect(&part->from, &part->to, l);
    }
}

/* What stands for the stack of a sample that has none, nor an address. */
static uint32_t stack_of_none(struct profile *p)
{
    struct location none = {
        .module = NO_ID,
        .method = NO_ID,
        .cause = CAUSE_NO_STACK,
    };

    return profile_stack(p, 0, profile_location(p, &none));
}

static uint32_t push_kernel_part(struct attribution *a, uint32_t process,
                                 uint32_t run, int64_t time, uint32_t stack)
{
    struct kernel_part *part = &a->kernel_parts[run];
    uint32_t count = a->seen->callchains.list.data[run].count;
    int64_t from = TIME_MIN, to = TIME_MAX;

    if ((time < part->from || time > part->to) &&
        !keeps(a, a->kernel_locations.len, part->from, part->to))
        resolve_kernel_part(a, run, time, part);
    if (part->mixed)
        return push_run(a, process, run, time, stack, &from, &to);
    for (uint32_t i = 0; i < count; i++)
        stack = profile_stack(a->profile, stack,
                              a->kernel_locations.data[part->first + i]);
    return stack;
}

/* The whole stack of one sample, of which `outer` is the outer part by now, or
 * NO_ID; notes its parts in *flags. A leaf without an outer part has taken
 * that place. */
static uint32_t whole_stack(struct attribution *a, uint32_t process,
                            const struct observed_sample *s, uint8_t *flags)
{
    int64_t from = TIME_MIN, to = TIME_MAX; /* not kept: a leaf is cheap */
    uint32_t stack = 0;

    if (s->outer != NO_ID) {
        stack = outer_stack(a, s->outer, s->time);
        if (!s->leaf || s->inner)
            *flags |= SAMPLE_USER_PART | SAMPLE_HAS_STACK;
    }
    if (s->leaf && s->inner) {
        stack = push_run(a, process, s->inner, s->time, stack, &from, &to);
    } else if (s->inner) {
        stack = push_kernel_part(a, process, s->inner, s->time, stack);
        *flags |= SAMPLE_KERNEL_PART | SAMPLE_HAS_STACK;
    }
    return stack ? stack : stack_of_none(a->profile);
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

/* Threads take the place of their keys, and outer parts that of their runs:
 * processes made up for threads nobody described need a space too. */
static void meet_samples(struct attribution *a)
{
    struct observed_samples *s = &a->seen->samples;

    a->threads = mem_new(a->seen->thread_keys.len, sizeof(*a->threads));
    for (size_t i = 0; i < s->len; i++) {
        uint32_t thread = thread_at(a, s->thread_key[i], s->time[i]);
        uint32_t process = a->profile->threads.data[thread].process;
        uint32_t run = s->outer[i];

        if (!run && s->leaf[i]) {
            run = s->inner[i];
            s->inner[i] = 0;
        } else if (!s->inner[i]) {
            s->leaf[i] = 0;
        }
        s->thread_key[i] = thread;
        s->outer[i] =
            run ? outer_parts_add(&a->outer_parts, process, run) : NO_ID;
    }
}

/* Sample `i` comes soon: fetches where the stack is looked up that its kernel
 * part begins with; the one twice as far off, its outer part. */
static void fetch_soon(const struct attribution *a,
                       const struct observed_samples *s, size_t i, size_t ahead)
{
    const struct outer_part *parts = a->outer_parts.list.data;
    const struct kernel_part *kernel;

    if (i + ahead < s->len && s->outer[i + ahead] != NO_ID)
        __builtin_prefetch(&parts[s->outer[i + ahead]]);
    if (i >= s->len || s->outer[i] == NO_ID || !s->inner[i])
        return;
    kernel = &a->kernel_parts[s->inner[i]];
    if (kernel->from <= kernel->to)
        map_prefetch(&a->profile->stack_ids, parts[s->outer[i]].stack,
                     a->kernel_locations.data[kernel->first]);
}

enum { AHEAD = 8 }; /* samples */

/* The columns become the profile's, so that memory holds millions of samples
 * once: a stack takes the place of its outer part. */
static void attribute_columns(struct attribution *a,
                              struct observed_samples *seen)
{
    uint32_t *threads = seen->thread_key, *stacks = seen->outer;

    for (size_t i = 0; i < seen->len; i++) {
        struct observed_sample s = observed_samples_get(seen, i);
        uint32_t process = a->profile->threads.data[threads[i]].process;

        fetch_soon(a, seen, i + AHEAD, AHEAD);
        stacks[i] = whole_stack(a, process, &s, &seen->flags[i]);
    }
    profile_take_samples(a->profile, &(struct samples){
                                         .len = seen->len,
                                         .cap = seen->cap,
                                         .time = seen->time,
                                         .thread = threads,
                                         .stack = stacks,
                                         .weight = seen->weight,
                                         .period = seen->period,
                                         .cpu = seen->cpu,
                                         .flags = seen->flags,
                                     });
    free(seen->inner);
    free(seen->leaf);
    *seen = (struct observed_samples){0};
}

static void attribute_samples(struct attribution *a)
{
    size_t runs = a->seen->callchains.list.len;

    a->kernel_parts = mem_new(runs, sizeof(*a->kernel_parts));
    for (size_t i = 0; i < runs; i++)
        a->kernel_parts[i] = (struct kernel_part){.from = 1, .to = 0};
    attribute_columns(a, &a->seen->samples);
}

static void release(struct attribution *a)
{
    locator_release(&a->locator);
    address_spaces_release(&a->spaces);
    lifetimes_release(&a->lives);
    outer_parts_release(&a->outer_parts);
    free(a->kernel_parts);
    vec_release(&a->kernel_locations);
    free(a->threads);
}

void attribute(struct observations *seen, unsigned threads)
{
    struct threads *pool = threads_new(threads);
    struct attribution a = {
        .seen = seen, .profile = seen->profile, .most = most_stacks(seen)};

    map_release(&seen->callchains.ids); /* no more runs come */
    a.profile->quality.cut_stacks += seen->callchains.cut;
    if (seen->callchains.cut)
        profile_warn(a.profile,
                     "stacks deeper than %u frames, cut to the innermost: %llu",
                     STACK_PART_DEEPEST,
                     (unsigned long long)seen->callchains.cut);
    lifetimes_build(&a.lives, seen);
    outer_parts_init(&a.outer_parts, seen);
    meet_samples(&a);
    outer_parts_number(&a.outer_parts, pool);
    threads_free(pool);
    address_spaces_build(&a.spaces, seen, &a.lives);
    locator_init(&a.locator, &a.spaces);
    attribute_samples(&a);
    if (a.kept)
        profile_warn(a.profile,
                     "code changed under too many stacks: for %llu "
                     "samples the names may be of earlier code",
                     (unsigned long long)a.kept);
    match_il_maps(seen, a.locator.names.method_ids);
    release(&a);
}
