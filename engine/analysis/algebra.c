#include "engine/analysis/algebra.h"

#include <string.h>

#include "engine/analysis/aggregate.h"
#include "engine/analysis/algebra_groups.h"
#include "engine/analysis/algebra_keep.h"
#include "engine/analysis/algebra_names.h"
#include "engine/analysis/algebra_stacks.h"

/* By stack of before, the stack of now; NO_ID: dropped. */
struct applying {
    struct profile *p;
    const struct filter *filter;
    struct algebra_notes *notes;
    uint32_t *now;
    size_t before;
    uint64_t *counts; /* by stack of before, what the rest of the filter
                         leaves; NULL where nobody asks */
    uint64_t samples; /* their sum */
    uint32_t folded;  /* the function; NO_ID: not made yet */
};

/* ---- steps that change stacks ---- */

static void rewrite(struct applying *a, const struct rewrite *how)
{
    uint32_t *places = stacks_rewrite(a->p, how);

    for (size_t i = 0; i < a->before; i++)
        if (a->now[i] != NO_ID)
            a->now[i] = places[a->now[i]];
    free(places);
}

static void group(struct applying *a)
{
    struct groups groups;
    struct rewrite how = {.kind = REWRITE_GROUP};

    if (!a->filter->groups.len)
        return;
    groups = groups_find(a->p, a->filter, a->notes);
    labels_forget(a->p->labels);
    how.group = groups.group;
    how.becomes = groups.becomes;
    rewrite(a, &how);
    groups_release(&groups);
}

/* The function that stands for what is left of a stack: "[folded]". */
static uint32_t add_function(struct applying *a, const char *name)
{
    struct profile *p = a->p;
    uint32_t id = mem_next_id(p->functions.len);

    *vec_add(&p->functions) =
        (struct function){.name = strings_add(p->strings, name, strlen(name)),
                          .module = strings_add(p->strings, "[several]", 9)};
    labels_forget(p->labels);
    return id;
}

/* By function, for stacks_rewrite. */
static uint32_t *chosen(struct applying *a, const struct words *words,
                        const char *option)
{
    uint64_t *meant = functions_meant(a->p, words, option, a->notes);
    uint32_t *chosen = mem_new(a->p->functions.len, sizeof(*chosen));

    for (size_t i = 0; i < a->p->functions.len; i++)
        chosen[i] = meant[i] != 0;
    free(meant);
    return chosen;
}

/* `chosen` is freed. */
static void leave_out(struct applying *a, uint32_t *chosen, uint32_t nothing)
{
    struct rewrite how = {
        .kind = REWRITE_LEAVE_OUT, .group = chosen, .nothing = nothing};

    rewrite(a, &how);
    free(chosen);
}

/* What nobody called goes on as "[folded]", which stays that when it is folded
 * once more. */
static void fold(struct applying *a, uint32_t *chosen)
{
    if (a->folded == NO_ID)
        a->folded = add_function(a, "[folded]");
    leave_out(a, chosen, a->folded);
}

static void cut(struct applying *a, enum rewrite_kind kind,
                const struct words *words, const char *option)
{
    struct rewrite how = {.kind = kind};
    uint32_t *group;

    if (!words->len)
        return;
    how.group = group = chosen(a, words, option);
    rewrite(a, &how);
    free(group);
}

/* ---- functions on few samples ---- */

static void count_samples(struct applying *a)
{
    struct selection *sel = selection_new(a->p, a->filter);

    a->counts = sel->stack_counts;
    a->samples = sel->samples;
    sel->stack_counts = NULL;
    selection_free(sel);
}

/* What the steps so far made of these samples. */
static void count_functions(struct applying *a, struct aggregate *functions)
{
    struct selection now = {.samples = a->samples};

    now.stack_counts = mem_new(a->p->stacks.len, sizeof(uint64_t));
    for (size_t i = 1; i < a->before; i++)
        now.stack_counts[a->now[i]] += a->counts[i];
    aggregate_count(functions, a->p, &now, RANK_FUNCTION);
    free(now.stack_counts);
}

static uint32_t *rare_functions(struct applying *a)
{
    struct aggregate functions = {0};
    uint32_t *rare = mem_new(a->p->functions.len, sizeof(*rare));

    count_functions(a, &functions);
    for (size_t i = 0; i < functions.first.len; i++) {
        uint32_t frame = functions.first.data[i].frame;
        double share = (double)functions.inclusive[i] * 10000;

        rare[a->p->frames.data[frame].function] =
            share < (double)a->samples * a->filter->fold_percent;
    }
    aggregate_release(&functions);
    return rare;
}

/* ---- steps that drop ---- */

static void keep(struct applying *a)
{
    bool *kept = stacks_kept(a->p, a->filter, a->notes);

    for (size_t i = 1; i < a->before && kept; i++)
        if (!kept[a->now[i]])
            a->now[i] = NO_ID;
    free(kept);
}

static void count_dropped(struct profile *p, size_t i)
{
    uint64_t weight = sample_weight(p, i);

    if (p->samples.flags[i] & SAMPLE_IDLE)
        p->left_out.idle += weight;
    else
        p->left_out.samples += weight;
}

static void move(struct samples *s, size_t from, size_t to, uint32_t stack)
{
    s->stack[to] = stack;
    s->time[to] = s->time[from];
    s->thread[to] = s->thread[from];
    s->cpu[to] = s->cpu[from];
    s->flags[to] = s->flags[from];
    if (s->weight)
        s->weight[to] = s->weight[from];
    if (s->period)
        s->period[to] = s->period[from];
}

static void place_samples(struct applying *a)
{
    struct samples *s = &a->p->samples;
    size_t n = 0;

    for (size_t i = 0; i < s->len; i++) {
        uint32_t stack = a->now[s->stack[i]];

        if (stack == NO_ID)
            count_dropped(a->p, i);
        else
            move(s, i, n++, stack);
    }
    s->len = n;
}

/* Samples have their stacks of before until all is done. */
void algebra_apply(struct profile *p, const struct filter *f,
                   struct algebra_notes *notes)
{
    struct applying a = {.p = p, .filter = f, .notes = notes, .folded = NO_ID};

    if (!filter_asks_stacks(f))
        return;
    a.before = p->stacks.len;
    if (!p->stacks_before)
        p->stacks_before = a.before;
    a.now = mem_new(a.before, sizeof(*a.now));
    for (uint32_t i = 0; i < a.before; i++)
        a.now[i] = i;
    if (f->fold_percent)
        count_samples(&a);
    group(&a);
    if (f->folds.len)
        fold(&a, chosen(&a, &f->folds, "fold"));
    if (f->fold_percent)
        fold(&a, rare_functions(&a));
    keep(&a);
    if (f->hides.len)
        leave_out(&a, chosen(&a, &f->hides, "hide"),
                  add_function(&a, "[hidden]"));
    cut(&a, REWRITE_FROM, &f->show_from, "show-from");
    cut(&a, REWRITE_TO, &f->to_any, "show-to");
    place_samples(&a);
    free(a.counts);
    free(a.now);
}

void algebra_notes_release(struct algebra_notes *notes)
{
    vec_release(&notes->unmet);
    vec_release(&notes->slow);
}
