#include "engine/analysis/trust.h"

#include <string.h>

/* By process: whether any of its samples, selected or not, has frames of
 * user mode. The kernel's own processes have none. */
static bool *processes_with_user_part(const struct profile *p)
{
    bool *with = mem_new(p->processes.len, sizeof(*with));

    for (size_t i = 0; i < p->samples.len; i++)
        if (p->samples.flags[i] & SAMPLE_USER_PART)
            with[p->threads.data[p->samples.thread[i]].process] = true;
    return with;
}

static uint64_t count_whole(const struct profile *p,
                            const struct selection *sel)
{
    uint64_t whole = sel->by_class[STACK_FULL] + sel->by_class[STACK_USER];
    bool *with;

    if (!sel->by_class[STACK_KERNEL])
        return whole;
    with = processes_with_user_part(p);
    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t thread = p->samples.thread[i];

        if (stack_class(p->samples.flags[i]) == STACK_KERNEL &&
            !with[p->threads.data[thread].process] && selection_has(p, sel, i))
            whole += sample_weight(p, i);
    }
    free(with);
    return whole;
}

/* qsort has no context for the names. */
struct named {
    struct nameless n;
    const char *name;
};

static int by_samples(const void *x, const void *y)
{
    const struct named *a = x, *b = y;

    if (a->n.samples != b->n.samples)
        return a->n.samples < b->n.samples ? 1 : -1;
    return strcmp(a->name, b->name);
}

static void sort_nameless(struct trust *t, const struct profile *p)
{
    size_t n = t->nameless.len;
    struct named *list = mem_new(n, sizeof(*list));

    for (size_t i = 0; i < n; i++)
        list[i] =
            (struct named){t->nameless.data[i],
                           strings_get(p->strings, t->nameless.data[i].module)};
    qsort(list, n, sizeof(*list), by_samples);
    for (size_t i = 0; i < n; i++)
        t->nameless.data[i] = list[i].n;
    free(list);
}

static const struct function *innermost_function(const struct profile *p,
                                                 uint32_t location)
{
    uint32_t frame = p->frame_start.data[location];

    return &p->functions.data[p->frames.data[frame].function];
}

/* Names of modules that differ in case only are one. Most stacks have no
 * samples of their own. */
static void count_nameless(struct trust *t, const struct profile *p,
                           const struct selection *sel)
{
    struct map ids = {0};

    for (size_t i = 1; i < p->stacks.len && sel->unresolved; i++) {
        const struct function *f;
        uint32_t fresh, id;

        if (!sel->stack_counts[i])
            continue;
        f = innermost_function(p, p->stacks.data[i].location);
        if (f->cause == CAUSE_NONE)
            continue;
        fresh = (uint32_t)t->nameless.len;
        id = map_add(&ids, strings_fold(p->strings, f->module), 0, fresh);
        if (id == fresh)
            *vec_add(&t->nameless) = (struct nameless){f->module, 0};
        t->nameless.data[id].samples += sel->stack_counts[i];
    }
    map_release(&ids);
    if (t->nameless.len)
        sort_nameless(t, p);
}

/* What only calls frames otherwise, or leaves them out, keeps all samples. */
static bool is_all(const struct filter *f)
{
    struct filter but = *f;

    but.groups.len = but.folds.len = but.hides.len = but.fold_percent = 0;
    return filter_only_counts_idle(&but) && !but.types;
}

uint32_t trust_busy(const struct profile *p, const struct selection *sel)
{
    const struct trace_info *t = &p->trace;
    double time = (double)t->duration_ns * t->cpus;
    double share;

    if (!t->cpus || t->interval_ns <= 0 || t->duration_ns <= 0 ||
        profile_counts_microseconds(p) || !is_all(&sel->filter))
        return NO_ID;
    share = (double)sel->samples * (double)t->interval_ns / time;
    return share > 1 ? 1000 : (uint32_t)(share * 1000 + 0.5);
}

void trust_find(struct trust *trust, const struct profile *p,
                const struct selection *sel)
{
    trust->whole = count_whole(p, sel);
    count_nameless(trust, p, sel);
}

void trust_release(struct trust *trust)
{
    vec_release(&trust->nameless);
}
