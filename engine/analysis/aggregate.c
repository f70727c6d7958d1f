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

/* What is counted by group, and the last stack that it was counted for. */
struct tally {
    uint64_t *exclusive, *inclusive;
    uint32_t *seen;
};

struct counting {
    const struct profile *p;
    const uint32_t *of_frame;
    struct tally all;
    struct tally inlined; /* nothing, where nothing is inlined */
};

static struct tally tally_new(size_t groups)
{
    return (struct tally){
        .exclusive = mem_new(groups, sizeof(uint64_t)),
        .inclusive = mem_new(groups, sizeof(uint64_t)),
        .seen = mem_new(groups, sizeof(uint32_t)),
    };
}

/* Once a stack. */
static inline void count(struct tally *t, uint32_t group, uint32_t stack,
                         uint64_t samples)
{
    if (t->seen[group] == stack)
        return;
    t->seen[group] = stack;
    t->inclusive[group] += samples;
}

static bool counts_inlined(const struct counting *c, uint32_t frame)
{
    return c->inlined.seen && c->p->frames.data[frame].inlined;
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
            count(&c->all, c->of_frame[i], stack, samples);
            if (counts_inlined(c, i))
                count(&c->inlined, c->of_frame[i], stack, samples);
        }
    }
}

static void add_up_periods(struct aggregate *groups, const struct profile *p,
                           const struct selection *sel)
{
    struct counting c = {.p = p, .of_frame = groups->of_frame};

    c.all = tally_new(groups->first.len);
    for (uint32_t i = 1; i < p->stacks.len; i++) {
        if (!sel->stack_periods[i])
            continue;
        count_innermost(&c, i, sel->stack_periods[i]);
        count_path(&c, i, sel->stack_periods[i]);
    }
    groups->exclusive_period = c.all.exclusive;
    groups->inclusive_period = c.all.inclusive;
    free(c.all.seen);
}

void aggregate_add_up(struct aggregate *groups, const struct profile *p,
                      const struct selection *sel)
{
    struct counting c = {.p = p, .of_frame = groups->of_frame};

    c.all = tally_new(groups->first.len);
    if (inlines_any(p))
        c.inlined = tally_new(groups->first.len);
    for (uint32_t i = 1; i < p->stacks.len; i++) {
        if (!sel->stack_counts[i])
            continue;
        count_innermost(&c, i, sel->stack_counts[i]);
        count_path(&c, i, sel->stack_counts[i]);
    }
    groups->exclusive = c.all.exclusive;
    groups->inclusive = c.all.inclusive;
    groups->inlined_exclusive = c.inlined.exclusive;
    groups->inlined_inclusive = c.inlined.inclusive;
    free(c.all.seen);
    free(c.inlined.seen);
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
