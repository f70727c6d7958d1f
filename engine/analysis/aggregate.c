#include "engine/analysis/aggregate.h"

#include <assert.h>
#include <string.h>

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
        uint32_t fresh = (uint32_t)groups->first.len, b;
        uint64_t a;

        if (i > start && by_location(g->by)) {
            groups->of_frame[i] = groups->of_frame[start];
            continue;
        }
        frame_key(g, location, &g->p->frames.data[i], &a, &b);
        groups->of_frame[i] = map_add(&g->ids, a, b, fresh);
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

    groups->of_frame = mem_new(p->frames.len, sizeof(uint32_t));
    for (size_t i = 0; i < p->locations.len; i++)
        group_location(&g, groups, (uint32_t)i);
    map_release(&g.ids);
    strings_free(g.labels);
}

/* What is counted of a group, and the last stack that it was counted for. */
struct count {
    uint64_t exclusive, inclusive;
    uint32_t seen;
};

struct counting {
    const struct profile *p;
    const uint32_t *of_frame;
    struct count *all;
    struct count *inlined; /* NULL, where nothing is inlined */
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
    return c->inlined && c->p->frames.data[frame].inlined;
}

static void count_innermost(struct counting *c, uint32_t stack,
                            uint64_t samples)
{
    uint32_t location = c->p->stacks.data[stack].location;
    uint32_t frame = c->p->frame_start.data[location];
    uint32_t group = c->of_frame[frame];

    if (group == NO_ID)
        return;
    c->all[group].exclusive += samples;
    if (counts_inlined(c, frame))
        c->inlined[group].exclusive += samples;
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
            count(&c->all[group], stack, samples);
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
            count(&c->all[c->of_frame[i]], stack, samples);
            if (counts_inlined(c, i))
                count(&c->inlined[c->of_frame[i]], stack, samples);
        }
    }
}

/* Of `samples`, by stack. */
static void count_stacks(struct counting *c, const uint64_t *samples)
{
    const struct profile *p = c->p;
    bool plain = !c->inlined && p->frames.len == p->locations.len;

    for (uint32_t i = 1; i < p->stacks.len; i++) {
        if (!samples[i])
            continue;
        count_innermost(c, i, samples[i]);
        (plain ? count_plain_path : count_path)(c, i, samples[i]);
    }
}

/* Frees them. */
static void take_counts(struct count *counts, size_t n, uint64_t **exclusive,
                        uint64_t **inclusive)
{
    *exclusive = mem_new(n, sizeof(**exclusive));
    *inclusive = mem_new(n, sizeof(**inclusive));
    for (size_t i = 0; i < n; i++) {
        (*exclusive)[i] = counts[i].exclusive;
        (*inclusive)[i] = counts[i].inclusive;
    }
    free(counts);
}

static void add_up_periods(struct aggregate *groups, const struct profile *p,
                           const struct selection *sel)
{
    size_t n = groups->first.len;
    struct counting c = {.p = p,
                         .of_frame = groups->of_frame,
                         .all = mem_new(n, sizeof(*c.all))};

    count_stacks(&c, sel->stack_periods);
    take_counts(c.all, n, &groups->exclusive_period, &groups->inclusive_period);
}

void aggregate_add_up(struct aggregate *groups, const struct profile *p,
                      const struct selection *sel)
{
    size_t n = groups->first.len;
    struct counting c = {.p = p,
                         .of_frame = groups->of_frame,
                         .all = mem_new(n, sizeof(*c.all))};

    if (inlines_any(p))
        c.inlined = mem_new(n, sizeof(*c.inlined));
    count_stacks(&c, sel->stack_counts);
    take_counts(c.all, n, &groups->exclusive, &groups->inclusive);
    if (c.inlined)
        take_counts(c.inlined, n, &groups->inlined_exclusive,
                    &groups->inlined_inclusive);
    if (sel->stack_periods)
        add_up_periods(groups, p, sel);
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
