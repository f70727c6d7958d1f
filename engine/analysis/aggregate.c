#include "engine/analysis/aggregate_impl.h"

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
