#include "engine/groups.h"

#include <assert.h>
#include <string.h>

#include "engine/inlines.h"

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

static void group_location(struct grouping *g, struct groups *groups,
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
            *vec_add(&groups->first) = (struct group_first){location, i};
    }
}

static void group_frames(const struct profile *p, enum rank_by by,
                         struct groups *groups)
{
    struct grouping g = {.p = p, .by = by, .labels = strings_new()};

    groups->of_frame = mem_new(p->frames.len, sizeof(uint32_t));
    for (size_t i = 0; i < p->locations.len; i++)
        group_location(&g, groups, (uint32_t)i);
    map_release(&g.ids);
    strings_free(g.labels);
}

/* What one pass counts: all frames of a group, or its inlined ones. */
struct tally {
    const struct profile *p;
    const struct selection *sel;
    const uint32_t *of_frame;
    uint64_t *exclusive, *inclusive;
    uint32_t *seen; /* by group: the last stack that counted it */
    bool inlined_only;
};

static bool counts(const struct tally *t, uint32_t frame)
{
    return t->of_frame[frame] != NO_ID &&
           (!t->inlined_only || t->p->frames.data[frame].inlined);
}

static void count_exclusive(const struct tally *t)
{
    const struct profile *p = t->p;

    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t location = p->stacks.data[i].location;
        uint32_t frame = p->frame_start.data[location];

        if (counts(t, frame))
            t->exclusive[t->of_frame[frame]] += t->sel->stack_counts[i];
    }
}

/* Counts every group on the way from a stack to the root once. */
static void count_path(const struct tally *t, uint32_t stack)
{
    const struct profile *p = t->p;
    uint64_t samples = t->sel->stack_counts[stack];

    for (uint32_t at = stack; at; at = p->stacks.data[at].parent) {
        uint32_t location = p->stacks.data[at].location;
        uint32_t end = p->frame_start.data[location + 1];

        for (uint32_t i = p->frame_start.data[location]; i < end; i++) {
            uint32_t group = t->of_frame[i];

            if (!counts(t, i) || t->seen[group] == stack)
                continue;
            t->seen[group] = stack;
            t->inclusive[group] += samples;
        }
    }
}

static void count(struct tally *t, size_t groups)
{
    t->exclusive = mem_new(groups, sizeof(uint64_t));
    t->inclusive = mem_new(groups, sizeof(uint64_t));
    t->seen = mem_new(groups, sizeof(uint32_t));
    count_exclusive(t);
    for (uint32_t i = 1; i < t->p->stacks.len; i++)
        if (t->sel->stack_counts[i])
            count_path(t, i);
    free(t->seen);
}

void groups_add_up(struct groups *groups, const struct profile *p,
                   const struct selection *sel)
{
    struct tally all = {.p = p, .sel = sel, .of_frame = groups->of_frame};
    struct tally inlined = all;

    count(&all, groups->first.len);
    groups->exclusive = all.exclusive;
    groups->inclusive = all.inclusive;
    if (!inlines_any(p))
        return;
    inlined.inlined_only = true;
    count(&inlined, groups->first.len);
    groups->inlined_exclusive = inlined.exclusive;
    groups->inlined_inclusive = inlined.inclusive;
}

void groups_count(struct groups *groups, const struct profile *p,
                  const struct selection *sel, enum rank_by by)
{
    assert(by != RANK_PROCESS && by != RANK_THREAD);
    group_frames(p, by, groups);
    groups_add_up(groups, p, sel);
}

void groups_release(struct groups *groups)
{
    free(groups->of_frame);
    free(groups->exclusive);
    free(groups->inclusive);
    free(groups->inlined_exclusive);
    free(groups->inlined_inclusive);
    vec_release(&groups->first);
}
