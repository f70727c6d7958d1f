#include "engine/analysis/aggregate.h"

#include <assert.h>
#include <string.h>

#include "engine/base/threads.h"
#include "engine/model/inlines.h"

/*
 * Grouping is decided once per frame of a location; the counting below knows
 * only numbers. Inclusive counts come from walking every sampled stack to its
 * root: its chain lies almost in sequence in memory, so that needs neither
 * links to children nor sums per stack.
 */
struct grouping {
    const struct profile *p;
    enum rank_by by;
    struct strings *labels; /* of modules and addresses: compared as text */
    struct map ids;
    uint32_t *by_function; /* of RANK_FUNCTION: group + 1; 0: not yet */
};

static uint64_t label_key(struct grouping *g, const char *text, bool fold)
{
    uint32_t id = strings_add(g->labels, text, strlen(text));

    return fold ? strings_fold(g->labels, id) : id;
}

/* Frames of equal key are one group. Only names of images are compared
 * without regard to case: Foo() and foo() are different methods. */
static void frame_key(struct grouping *g, uint32_t location,
                      const struct frame *frame, uint64_t *a, uint32_t *b)
{
    const struct location *l = &g->p->locations.data[location];
    char text[FUNCTION_NAME_SIZE];

    *b = 0;
    switch (g->by) {
    case RANK_FILE:
        *a = frame->file;
        break;
    case RANK_LINE:
        *a = frame->file;
        *b = frame->file ? frame->line : 0;
        break;
    case RANK_MODULE:
        *a = label_key(g, profile_location_module(g->p, location), true);
        break;
    case RANK_ADDRESS:
        *a = label_key(g, profile_location_name(g->p, location, text),
                       l->module != NO_ID);
        break;
    case RANK_KIND:
        *a = l->kind;
        break;
    default:
        *a = frame->function;
    }
}

/* The group of a frame, or `fresh`, which it becomes. */
static uint32_t group_of(struct grouping *g, uint32_t location,
                         const struct frame *frame, uint32_t fresh)
{
    uint64_t a;
    uint32_t b;

    if (g->by_function) {
        uint32_t *group = &g->by_function[frame->function];

        if (!*group)
            *group = fresh + 1;
        return *group - 1;
    }
    frame_key(g, location, frame, &a, &b);
    return map_add(&g->ids, a, b, fresh);
}

/* Modules and addresses are the same for all frames of a location. */
static bool by_location(enum rank_by by)
{
    return by == RANK_MODULE || by == RANK_ADDRESS;
}

/* An address of two roles is described as where samples were taken. */
static void prefer_exact(const struct profile *p, struct aggregate_first *first,
                         uint32_t location, uint32_t frame)
{
    const struct location *all = p->locations.data;

    if (all[first->location].caller && !all[location].caller)
        *first = (struct aggregate_first){location, frame};
}

static void group_location(struct grouping *g, struct aggregate *groups,
                           uint32_t location)
{
    uint32_t start = g->p->frame_start.data[location];
    uint32_t end = g->p->frame_start.data[location + 1];

    for (uint32_t i = start; i < end; i++) {
        uint32_t fresh = (uint32_t)groups->first.len;

        if (i > start && by_location(g->by)) {
            groups->of_frame[i] = groups->of_frame[start];
            continue;
        }
        groups->of_frame[i] =
            group_of(g, location, &g->p->frames.data[i], fresh);
        if (groups->of_frame[i] == fresh)
            *vec_add(&groups->first) = (struct aggregate_first){location, i};
        else if (g->by == RANK_ADDRESS)
            prefer_exact(g->p, &groups->first.data[groups->of_frame[i]],
                         location, i);
    }
}

static void group_frames(const struct profile *p, enum rank_by by,
                         struct aggregate *groups)
{
    struct grouping g = {.p = p, .by = by, .labels = strings_new()};

    if (by == RANK_FUNCTION)
        g.by_function = mem_new(p->functions.len, sizeof(*g.by_function));
    groups->of_frame = mem_new(p->frames.len, sizeof(uint32_t));
    for (size_t i = 0; i < p->locations.len; i++)
        group_location(&g, groups, (uint32_t)i);
    free(g.by_function);
    map_release(&g.ids);
    strings_free(g.labels);
}

/* What is counted of a group, and the last stack that it was counted for: a
 * quarter of a line of the cache, as every frame asks for one. */
struct count {
    uint64_t inclusive;
    uint32_t seen;
};

struct counts {
    uint64_t *exclusive;
    struct count *inclusive;
};

struct counting {
    const struct profile *p;
    const uint32_t *of_frame;
    struct counts all;
    struct counts inlined; /* none, where nothing is inlined */
};

/* Once a stack. */
static inline void count(struct count *group, uint32_t stack, uint64_t samples)
{
    if (group->seen == stack)
        return;
    group->seen = stack;
    group->inclusive += samples;
}

static bool counts_inlined(const struct counting *c, uint32_t frame)
{
    return c->inlined.exclusive && c->p->frames.data[frame].inlined;
}

static void count_innermost(struct counting *c, uint32_t stack,
                            uint64_t samples)
{
    uint32_t location = c->p->stacks.data[stack].location;
    uint32_t frame = c->p->frame_start.data[location];
    uint32_t group = c->of_frame[frame];

    if (group == NO_ID)
        return;
    c->all.exclusive[group] += samples;
    if (counts_inlined(c, frame))
        c->inlined.exclusive[group] += samples;
}

/* As count_path, where every location has one frame, its own number: most
 * profiles before they have symbols, and most of the time of a ranking. */
static void count_plain_path(struct counting *c, uint32_t stack,
                             uint64_t samples)
{
    const struct stack *stacks = c->p->stacks.data;

    for (uint32_t at = stack; at; at = stacks[at].parent) {
        uint32_t group = c->of_frame[stacks[at].location];

        if (group != NO_ID)
            count(&c->all.inclusive[group], stack, samples);
    }
}

/* Counts every group on the way from a stack to the root. */
static void count_path(struct counting *c, uint32_t stack, uint64_t samples)
{
    const struct profile *p = c->p;

    for (uint32_t at = stack; at; at = p->stacks.data[at].parent) {
        uint32_t location = p->stacks.data[at].location;
        uint32_t end = p->frame_start.data[location + 1];

        for (uint32_t i = p->frame_start.data[location]; i < end; i++) {
            if (c->of_frame[i] == NO_ID)
                continue;
            count(&c->all.inclusive[c->of_frame[i]], stack, samples);
            if (counts_inlined(c, i))
                count(&c->inlined.inclusive[c->of_frame[i]], stack, samples);
        }
    }
}

/* Stacks side by side: each worker counts for itself. */
struct counting_job {
    struct counting *workers;
    const uint64_t *samples; /* by stack */
    bool plain;
};

enum {
    STACKS_A_TASK = 1 << 14,
    SOON = 32, /* stacks ahead: a path or two */
    LATER = 64,
    FAR = 96,
};

static uint32_t first_frame(const struct counting_job *job,
                            const struct profile *p, uint32_t location)
{
    return job->plain ? location : p->frame_start.data[location];
}

/* A path lies almost in sequence in the table, but for where it meets an older
 * one, and what is counted for it lies anywhere: as stacks come in order, that
 * of later ones is fetched. */
static void fetch_soon(const struct counting_job *job, const struct counting *c,
                       size_t stack)
{
    const struct profile *p = c->p;
    const struct stack *soon, *later, *parent;
    uint32_t group;

    if (stack + FAR >= p->stacks.len)
        return;
    soon = &p->stacks.data[stack + SOON];
    __builtin_prefetch(&p->stacks.data[p->stacks.data[stack + FAR].parent]);
    later = &p->stacks.data[stack + LATER];
    parent = &p->stacks.data[later->parent];
    __builtin_prefetch(&p->stacks.data[parent->parent]);
    if (!job->plain)
        __builtin_prefetch(&p->frame_start.data[later->location]);
    else
        __builtin_prefetch(&c->of_frame[later->location]);
    group = c->of_frame[first_frame(job, p, soon->location)];
    if (group != NO_ID)
        __builtin_prefetch(&c->all.inclusive[group], 1);
}

static void count_some(void *context, size_t task, unsigned worker)
{
    const struct counting_job *job = context;
    struct counting *c = &job->workers[worker];
    size_t from = task * STACKS_A_TASK, to = from + STACKS_A_TASK;

    for (uint32_t i = (uint32_t)from; i < to && i < c->p->stacks.len; i++) {
        fetch_soon(job, c, i);
        if (!job->samples[i])
            continue;
        count_innermost(c, i, job->samples[i]);
        (job->plain ? count_plain_path : count_path)(c, i, job->samples[i]);
    }
}

static struct counts counts_new(size_t n)
{
    struct counts counts = {
        .exclusive = mem_new(n, sizeof(*counts.exclusive)),
        .inclusive = mem_new(n, sizeof(*counts.inclusive)),
    };

    return counts;
}

/* Adds up what another worker counted, and frees that. */
static void join_counts(struct counts *sum, struct counts *part, size_t n)
{
    for (size_t i = 0; i < n && part->exclusive; i++) {
        sum->exclusive[i] += part->exclusive[i];
        sum->inclusive[i].inclusive += part->inclusive[i].inclusive;
    }
    free(part->exclusive);
    free(part->inclusive);
}

/* Each counts all groups for itself: of very many, few do. */
static unsigned most_workers(const struct profile *p, size_t groups)
{
    enum { COUNTS_BYTES = 16 << 20 };
    size_t each = groups * (sizeof(uint64_t) + sizeof(struct count)) + 1;
    size_t most = COUNTS_BYTES / each + 1;
    unsigned workers = p->concurrency ? p->concurrency : threads_online();

    return workers < most ? workers : (unsigned)most;
}

/* Of `samples`, by stack. The result's counts are the caller's. */
static struct counting count_stacks(const struct aggregate *groups,
                                    const struct profile *p,
                                    const uint64_t *samples, bool inlined)
{
    size_t tasks = p->stacks.len / STACKS_A_TASK + 1, n = groups->first.len;
    struct threads *pool = threads_new(tasks > 1 ? most_workers(p, n) : 1);
    unsigned workers = threads_count(pool);
    struct counting *all = mem_new(workers, sizeof(*all)), result;

    for (unsigned i = 0; i < workers; i++)
        all[i] = (struct counting){
            .p = p,
            .of_frame = groups->of_frame,
            .all = counts_new(n),
            .inlined = inlined ? counts_new(n) : (struct counts){NULL, NULL},
        };
    threads_run(pool, tasks, count_some,
                &(struct counting_job){
                    .workers = all,
                    .samples = samples,
                    .plain = !inlined && p->frames.len == p->locations.len,
                });
    threads_free(pool);
    result = all[0];
    for (unsigned i = 1; i < workers; i++) {
        join_counts(&result.all, &all[i].all, n);
        join_counts(&result.inlined, &all[i].inlined, n);
    }
    free(all);
    return result;
}

/* Frees them. */
static void take_counts(struct counts *counts, size_t n, uint64_t **exclusive,
                        uint64_t **inclusive)
{
    *exclusive = counts->exclusive;
    *inclusive = mem_new(n, sizeof(**inclusive));
    for (size_t i = 0; i < n; i++)
        (*inclusive)[i] = counts->inclusive[i].inclusive;
    free(counts->inclusive);
}

void aggregate_add_up(struct aggregate *groups, const struct profile *p,
                      const struct selection *sel)
{
    size_t n = groups->first.len;
    struct counting c =
        count_stacks(groups, p, sel->stack_counts, inlines_any(p));

    take_counts(&c.all, n, &groups->exclusive, &groups->inclusive);
    if (c.inlined.exclusive)
        take_counts(&c.inlined, n, &groups->inlined_exclusive,
                    &groups->inlined_inclusive);
    if (!sel->stack_periods)
        return;
    c = count_stacks(groups, p, sel->stack_periods, false);
    take_counts(&c.all, n, &groups->exclusive_period,
                &groups->inclusive_period);
}

void aggregate_count(struct aggregate *groups, const struct profile *p,
                     const struct selection *sel, enum rank_by by)
{
    assert(by != RANK_PROCESS && by != RANK_THREAD && by != RANK_LABEL);
    group_frames(p, by, groups);
    aggregate_add_up(groups, p, sel);
}

void aggregate_release(struct aggregate *groups)
{
    free(groups->of_frame);
    free(groups->exclusive);
    free(groups->inclusive);
    free(groups->inlined_exclusive);
    free(groups->inlined_inclusive);
    free(groups->exclusive_period);
    free(groups->inclusive_period);
    vec_release(&groups->first);
}
