#include "engine/analysis/aggregate.h"

#include <assert.h>
#include <string.h>

#include "engine/model/profile.h"

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

        /* Modules and addresses are the same for all frames of a location. */
        if (i > start && (g->by == RANK_MODULE || g->by == RANK_ADDRESS)) {
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

    assert(by != RANK_PROCESS && by != RANK_THREAD && by != RANK_WAIT &&
           by != RANK_LABEL && by != RANK_VALUE);
    if (by == RANK_FUNCTION)
        g.by_function = mem_new(p->functions.len, sizeof(*g.by_function));
    groups->of_frame = mem_new(p->frames.len, sizeof(uint32_t));
    for (size_t i = 0; i < p->locations.len; i++)
        group_location(&g, groups, (uint32_t)i);
    free(g.by_function);
    map_release(&g.ids);
    strings_free(g.labels);
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

/* Inlined code of a group counts as that of another group as well, whose number
 * is higher by `inlined`. */
struct counting {
    const struct profile *p;
    const uint32_t *of_frame;        /* group by frame; NO_ID: in none */
    uint32_t inlined;                /* 0: is not counted */
    const uint64_t *samples, *below; /* by stack: its own; all inside it */
    uint64_t *exclusive, *inclusive; /* by group */
    uint32_t *on_path; /* by group: its frames from the root to the walk */
};

static void enter_group(struct counting *c, uint32_t group, uint32_t stack,
                        bool innermost)
{
    if (!c->on_path[group]++)
        c->inclusive[group] += c->below[stack];
    if (innermost)
        c->exclusive[group] += c->samples[stack];
}

static void enter_groups(void *context, uint32_t stack)
{
    struct counting *c = context;
    uint32_t location = c->p->stacks.data[stack].location;
    uint32_t innermost = c->p->frame_start.data[location];

    for (uint32_t i = innermost; i < c->p->frame_start.data[location + 1];
         i++) {
        uint32_t group = c->of_frame[i];

        if (group == NO_ID)
            continue;
        enter_group(c, group, stack, i == innermost);
        if (c->inlined && c->p->frames.data[i].inlined)
            enter_group(c, group + c->inlined, stack, i == innermost);
    }
}

static void leave_groups(void *context, uint32_t stack)
{
    struct counting *c = context;
    uint32_t location = c->p->stacks.data[stack].location;
    uint32_t end = c->p->frame_start.data[location + 1];

    for (uint32_t i = c->p->frame_start.data[location]; i < end; i++) {
        uint32_t group = c->of_frame[i];

        if (group == NO_ID)
            continue;
        c->on_path[group]--;
        if (c->inlined && c->p->frames.data[i].inlined)
            c->on_path[group + c->inlined]--;
    }
}

/* Makes the counts of `groups` groups, to be freed. */
static void count_groups(struct counting *c, const uint64_t *samples,
                         size_t groups)
{
    uint64_t *below = stacks_inclusive(c->p, samples);

    c->samples = samples;
    c->below = below;
    c->exclusive = mem_new(groups, sizeof(*c->exclusive));
    c->inclusive = mem_new(groups, sizeof(*c->inclusive));
    c->on_path = mem_new(groups, sizeof(*c->on_path));
    stacks_walk(c->p, below, enter_groups, leave_groups, c);
    free(c->on_path);
    free(below);
}

void aggregate_add_up(struct aggregate *groups, const struct profile *p,
                      const struct selection *sel)
{
    size_t n = groups->first.len;
    bool inlined = inlines_any(p);
    struct counting c = {.p = p,
                         .of_frame = groups->of_frame,
                         .inlined = inlined ? (uint32_t)n : 0};

    forget_counts(groups);
    count_groups(&c, sel->stack_counts, inlined ? 2 * n : n);
    groups->exclusive = c.exclusive;
    groups->inclusive = c.inclusive;
    if (inlined) {
        groups->inlined_exclusive = c.exclusive + n;
        groups->inlined_inclusive = c.inclusive + n;
    }
    if (sel->stack_periods) {
        c.inlined = 0;
        count_groups(&c, sel->stack_periods, n);
        groups->exclusive_period = c.exclusive;
        groups->inclusive_period = c.inclusive;
    }
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
