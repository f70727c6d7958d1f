#include "engine/analysis/aggregate.h"

#include <assert.h>
#include <string.h>

#include "engine/base/threads.h"
#include "engine/model/profile.h"

/* Frames as groups. Inlined code of a group is counted as that of another one
 * as well, whose number is as much higher as there are groups. */
struct grouped {
    const struct profile *p;
    const uint32_t *of_location; /* see aggregate_by_location */
    const uint32_t *of_frame;
    uint32_t inlined; /* added to a group; 0: not counted */
    size_t count;     /* of both kinds */
};

/* By group; of inlined code behind those of all, if it is counted. */
struct aggregate_counts {
    uint64_t *exclusive, *inclusive;
};

/* Exclusive and inclusive counts from one walk through the tree of stacks:
 * what is counted below a frame is added to its group when the frame is left,
 * unless another one of the group is still on the path. */

/* A frame on the way from the root to where the walk is, and the samples met
 * there and farther in since it was entered. */
struct step {
    uint64_t samples;
    uint32_t stack;
    uint32_t group; /* NO_ID: none, or one that is farther out, too */
};

struct counting {
    struct grouped g;
    struct aggregate_counts counts;
    bool *on_path;         /* by group */
    VEC(struct step) path; /* outermost first; the empty stack begins it */
    VEC(uint32_t) ahead;   /* stacks to enter, the next one last */
};

/* The outermost frame of a group on the path stands for all: it is the last to
 * be left. */
static inline void leave_frame(struct counting *c)
{
    const struct step *left = &c->path.data[--c->path.len];

    c->path.data[c->path.len - 1].samples += left->samples;
    if (left->group == NO_ID)
        return;
    c->counts.inclusive[left->group] += left->samples;
    c->on_path[left->group] = false;
}

/* With the samples that were taken right there. */
static inline void enter_frame(struct counting *c, uint32_t stack,
                               uint32_t group, uint64_t samples)
{
    bool counts = group != NO_ID && !c->on_path[group];

    *vec_add(&c->path) = (struct step){samples, stack, counts ? group : NO_ID};
    if (counts)
        c->on_path[group] = true;
    if (samples && group != NO_ID)
        c->counts.exclusive[group] += samples;
}

/* The same of a stack whose location has several frames, from the outermost
 * one in. */
static void enter_frames(struct counting *c, uint32_t stack, uint64_t samples)
{
    uint32_t location = c->g.p->stacks.data[stack].location;
    uint32_t innermost = c->g.p->frame_start.data[location];

    for (uint32_t i = c->g.p->frame_start.data[location + 1];
         i-- > innermost;) {
        uint64_t here = i == innermost ? samples : 0;
        uint32_t group = c->g.of_frame[i];

        enter_frame(c, stack, group, here);
        if (!c->g.inlined || !c->g.p->frames.data[i].inlined || group == NO_ID)
            continue;
        c->path.data[c->path.len - 1].samples = 0;
        enter_frame(c, stack, group + c->g.inlined, here);
    }
}

static inline void enter_stack(struct counting *c, uint32_t stack,
                               uint64_t samples)
{
    uint32_t group = c->g.of_location[c->g.p->stacks.data[stack].location];

    if (group == AGGREGATE_SEVERAL)
        enter_frames(c, stack, samples);
    else
        enter_frame(c, stack, group, samples);
}

/* Leaves the path up to where it is that to `stack`, too, and enters the rest
 * of that, whose samples are counted elsewhere: numbers grow along a path, so
 * the larger one of two ends is not on the other path. */
static void go_to(struct counting *c, uint32_t stack)
{
    uint32_t top;

    while ((top = c->path.data[c->path.len - 1].stack) != stack) {
        if (top > stack) {
            leave_frame(c);
            continue;
        }
        *vec_add(&c->ahead) = stack;
        stack = c->g.p->stacks.data[stack].parent;
    }
    while (c->ahead.len)
        enter_stack(c, c->ahead.data[--c->ahead.len], 0);
}

/* As far as it has samples. */
static void count_chain(struct counting *c, struct stack_chain chain,
                        const uint64_t *samples)
{
    while (chain.to > chain.from && !samples[chain.to - 1])
        chain.to--;
    if (chain.to == chain.from)
        return;
    go_to(c, c->g.p->stacks.data[chain.from].parent);
    for (uint32_t s = chain.from; s < chain.to; s++)
        enter_stack(c, s, samples[s]);
}

/* Parts of the walk side by side: each worker counts for itself. */
struct counting_job {
    struct counting *workers;
    const struct preorder *order;
    const uint64_t *samples; /* by stack */
};

enum { CHAINS_A_TASK = 1 << 12 };

/* Whatever the order, the sums are the same; in this one the ways are short. */
static void count_some(void *context, size_t task, unsigned worker)
{
    const struct counting_job *job = context;
    struct counting *c = &job->workers[worker];
    size_t from = task * CHAINS_A_TASK, to = from + CHAINS_A_TASK;

    *vec_add(&c->path) = (struct step){.stack = 0, .group = NO_ID};
    for (size_t i = from; i < to && i < job->order->len; i++)
        count_chain(c, job->order->walk[i], job->samples);
    go_to(c, 0);
    c->path.len = 0;
}

static size_t aggregate_tree_tasks(const struct profile *p)
{
    return preorder_of(p)->len / CHAINS_A_TASK + 1;
}

static void aggregate_tree_count(const struct grouped *g,
                                 const uint64_t *samples,
                                 const struct aggregate_counts *of_workers,
                                 struct threads *pool)
{
    unsigned workers = threads_count(pool);
    struct counting_job job = {
        .workers = mem_new(workers, sizeof(*job.workers)),
        .order = preorder_of(g->p),
        .samples = samples,
    };

    for (unsigned i = 0; i < workers; i++)
        job.workers[i] =
            (struct counting){.g = *g,
                              .counts = of_workers[i],
                              .on_path = mem_new(g->count, sizeof(bool))};
    threads_run(pool, aggregate_tree_tasks(g->p), count_some, &job);
    for (unsigned i = 0; i < workers; i++) {
        free(job.workers[i].on_path);
        vec_release(&job.workers[i].path);
        vec_release(&job.workers[i].ahead);
    }
    free(job.workers);
}

/*
 * Grouping is decided once per frame of a location; the counting behind it
 * knows only numbers.
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

void aggregate_group(struct aggregate *groups, const struct profile *p,
                     enum rank_by by)
{
    struct grouping g = {.p = p, .by = by, .labels = strings_new()};

    assert(by != RANK_PROCESS && by != RANK_THREAD && by != RANK_LABEL);
    if (by == RANK_FUNCTION)
        g.by_function = mem_new(p->functions.len, sizeof(*g.by_function));
    groups->of_frame = mem_new(p->frames.len, sizeof(uint32_t));
    for (size_t i = 0; i < p->locations.len; i++)
        group_location(&g, groups, (uint32_t)i);
    free(g.by_function);
    map_release(&g.ids);
    strings_free(g.labels);
}

/* Most locations have one frame: what is asked for it is found at once. */
uint32_t *aggregate_by_location(const struct profile *p,
                                const uint32_t *of_frame)
{
    uint32_t *of_location = mem_new(p->locations.len, sizeof(*of_location));

    for (size_t i = 0; i < p->locations.len; i++) {
        uint32_t frame = p->frame_start.data[i];
        bool is_only = p->frame_start.data[i + 1] - frame == 1 &&
                       !p->frames.data[frame].inlined;

        of_location[i] = is_only ? of_frame[frame] : AGGREGATE_SEVERAL;
    }
    return of_location;
}

static void forget_counts(struct aggregate *groups)
{
    free(groups->exclusive);
    free(groups->inclusive);
    free(groups->exclusive_period);
    free(groups->inclusive_period);
    groups->exclusive = groups->inclusive = NULL;
    groups->inlined_exclusive = groups->inlined_inclusive = NULL;
    groups->exclusive_period = groups->inclusive_period = NULL;
}

/* Each counts all groups for itself: of very many, few do. */
static unsigned most_workers(const struct profile *p, size_t groups)
{
    enum { COUNTS_BYTES = 8 << 20 };
    size_t each = groups * 2 * sizeof(uint64_t) + 1;
    size_t most = COUNTS_BYTES / each + 1;
    unsigned workers = p->concurrency ? p->concurrency : threads_online();

    return workers < most ? workers : (unsigned)most;
}

/* Adds up what another worker counted, and frees that. */
static void join_counts(const struct aggregate_counts *sum,
                        const struct aggregate_counts *part, size_t groups)
{
    for (size_t i = 0; i < groups; i++) {
        sum->exclusive[i] += part->exclusive[i];
        sum->inclusive[i] += part->inclusive[i];
    }
    free(part->exclusive);
    free(part->inclusive);
}

/* Their arrays are to be freed. */
static struct aggregate_counts count_stacks(const struct grouped *g,
                                            const uint64_t *samples)
{
    struct threads *pool = threads_new_for(aggregate_tree_tasks(g->p),
                                           most_workers(g->p, g->count));
    unsigned workers = threads_count(pool);
    struct aggregate_counts *counts = mem_new(workers, sizeof(*counts)), sum;

    for (unsigned i = 0; i < workers; i++)
        counts[i] =
            (struct aggregate_counts){mem_new(g->count, sizeof(uint64_t)),
                                      mem_new(g->count, sizeof(uint64_t))};
    aggregate_tree_count(g, samples, counts, pool);
    threads_free(pool);
    for (unsigned i = 1; i < workers; i++)
        join_counts(&counts[0], &counts[i], g->count);
    sum = counts[0];
    free(counts);
    return sum;
}

void aggregate_add_up(struct aggregate *groups, const struct profile *p,
                      const struct selection *sel)
{
    bool inlined = inlines_any(p);
    uint32_t *of_location = aggregate_by_location(p, groups->of_frame);
    struct grouped g = {.p = p,
                        .of_location = of_location,
                        .of_frame = groups->of_frame,
                        .inlined = inlined ? (uint32_t)groups->first.len : 0,
                        .count = groups->first.len * (inlined ? 2 : 1)};
    struct aggregate_counts counts;

    forget_counts(groups);
    counts = count_stacks(&g, sel->stack_counts);
    groups->exclusive = counts.exclusive;
    groups->inclusive = counts.inclusive;
    if (inlined) {
        groups->inlined_exclusive = counts.exclusive + groups->first.len;
        groups->inlined_inclusive = counts.inclusive + groups->first.len;
    }
    if (sel->stack_periods) {
        g.inlined = 0;
        g.count = groups->first.len;
        counts = count_stacks(&g, sel->stack_periods);
        groups->exclusive_period = counts.exclusive;
        groups->inclusive_period = counts.inclusive;
    }
    free(of_location);
}

void aggregate_count(struct aggregate *groups, const struct profile *p,
                     const struct selection *sel, enum rank_by by)
{
    aggregate_group(groups, p, by);
    aggregate_add_up(groups, p, sel);
}

void aggregate_release(struct aggregate *groups)
{
    forget_counts(groups);
    free(groups->of_frame);
    vec_release(&groups->first);
}
