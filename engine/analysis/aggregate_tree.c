/* Exclusive and inclusive counts from one walk through the tree of stacks:
 * what is counted below a frame is added to its group when the frame is left,
 * unless another one of the group is still on the path. */
#include "engine/analysis/aggregate_impl.h"

/* A frame on the way from the root to where the walk is, and the samples met
 * there and farther in since it was entered. */
struct step {
    uint64_t samples;
    uint32_t stack;
    uint32_t group; /* NO_ID: none, or one that is farther out, too */
};

struct counting {
    MEM_APART struct grouped g;
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

enum {
    CHAINS_A_TASK = 1 << 12,
    AHEAD = 16, /* chains */
    A_LINE = 8, /* stacks of a line of the cache, and counts of samples */
};

/* Chains lie anywhere: one that comes soon is fetched. */
static void fetch_soon(const struct counting_job *job, const struct counting *c,
                       size_t chain)
{
    struct stack_chain soon;

    if (chain + AHEAD >= job->order->len)
        return;
    soon = job->order->walk[chain + AHEAD];
    for (uint32_t i = soon.from; i < soon.to + A_LINE - 1; i += A_LINE) {
        mem_fetch(&c->g.p->stacks.data[i]);
        mem_fetch(&job->samples[i]);
    }
}

/* Whatever the order, the sums are the same; in this one the ways are short. */
static void count_some(void *context, size_t task, unsigned worker)
{
    const struct counting_job *job = context;
    struct counting *c = &job->workers[worker];
    size_t from = task * CHAINS_A_TASK, to = from + CHAINS_A_TASK;

    *vec_add(&c->path) = (struct step){.stack = 0, .group = NO_ID};
    for (size_t i = from; i < to && i < job->order->len; i++) {
        fetch_soon(job, c, i);
        count_chain(c, job->order->walk[i], job->samples);
    }
    go_to(c, 0);
    c->path.len = 0;
}

size_t aggregate_tree_tasks(const struct profile *p)
{
    return preorder_of(p)->len / CHAINS_A_TASK + 1;
}

void aggregate_tree_count(const struct grouped *g, const uint64_t *samples,
                          const struct aggregate_counts *of_workers,
                          struct threads *pool)
{
    unsigned workers = threads_count(pool);
    struct counting_job job = {
        .workers = mem_new_apart(workers, sizeof(*job.workers)),
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
