#include "engine/analysis/trust.h"

#include <stdlib.h>
#include <string.h>

#include "engine/model/profile.h"

static int by_samples(const void *x, const void *y, void *context)
{
    const struct profile *p = context;
    const struct nameless *a = x, *b = y;

    if (a->samples != b->samples)
        return a->samples < b->samples ? 1 : -1;
    return strcmp(strings_get(p->strings, a->module),
                  strings_get(p->strings, b->module));
}

/* Names of modules that differ in case only are one. */
static uint32_t find_module(struct trust *t, const struct profile *p,
                            struct map *ids, uint32_t module)
{
    uint32_t fresh = (uint32_t)t->nameless.len;
    uint32_t id = map_add(ids, strings_fold(p->strings, module), 0, fresh);

    if (id == fresh)
        *vec_add(&t->nameless) = (struct nameless){module, 0};
    return id;
}

static void count_nameless(struct trust *t, const struct profile *p,
                           const struct selection *sel)
{
    /* By function: its module's place, plus one; 0: not asked for yet. */
    uint32_t *known = mem_new(p->functions.len, sizeof(*known));
    struct map ids = {0};

    for (uint32_t i = 0; i < p->locations.len; i++) {
        const struct function *f;
        uint32_t function, *id;

        if (!sel->location_counts[i])
            continue;
        function = profile_innermost(p, i);
        f = &p->functions.data[function];
        if (f->cause == CAUSE_NONE)
            continue;
        id = &known[function];
        if (!*id)
            *id =
                find_module(t, p, &ids,
                            f->cause == CAUSE_NO_STACK && f->name ? f->name
                                                                  : f->module) +
                1;
        t->nameless.data[*id - 1].samples += sel->location_counts[i];
    }
    map_release(&ids);
    free(known);
    if (t->nameless.len)
        qsort_r(t->nameless.data, t->nameless.len, sizeof(*t->nameless.data),
                by_samples, (void *)p);
}

/* Filters that only rename frames, or leave them out, keep all samples. */
static bool is_all(const struct filter *f)
{
    struct filter but = *f;

    but.groups.len = but.folds.len = but.fold_percent = 0;
    return filter_only_counts_idle(&but) && !but.types;
}

uint32_t trust_busy(const struct profile *p, const struct selection *sel)
{
    const struct trace_info *t = &p->trace;
    double time = (double)t->duration_ns * t->cpus;
    double share;

    if (!t->cpus || t->interval_ns <= 0 || t->duration_ns <= 0 ||
        profile_counts_time(p) || !is_all(&sel->filter))
        return NO_ID;
    share = (double)sel->samples * (double)t->interval_ns / time;
    return share > 1 ? 1000 : (uint32_t)(share * 1000 + 0.5);
}

bool trust_periods_are_time(const struct profile *p)
{
    const char *event = strings_get(p->strings, p->trace.period_of);

    return !strncmp(event, "cpu-clock", 9) || !strncmp(event, "task-clock", 10);
}

uint64_t trust_cpu_time(const struct profile *p, const struct selection *sel)
{
    const struct trace_info *t = &p->trace;
    double time = (double)sel->samples * (double)t->interval_ns;

    if (t->metric.id != METRIC_CPU_SAMPLES || t->metric.decimals ||
        !profile_counts_samples(p) || sel->filter.include_idle)
        return 0;
    if (sel->period && trust_periods_are_time(p))
        return sel->period;
    return t->interval_ns > 0 && time < 1e18 ? (uint64_t)time : 0;
}

void trust_stacks(struct trust *trust, const struct selection *sel)
{
    trust->complete = sel->by_end[STACK_END_ROOT];
    trust->unknown = sel->by_end[STACK_END_UNKNOWN];
    trust->truncated = sel->samples - trust->complete - trust->unknown;
    trust->cause = STACK_END_NO_UNWIND_DATA;
    for (unsigned i = trust->cause; i < STACK_ENDS; i++)
        if (sel->by_end[i] > sel->by_end[trust->cause])
            trust->cause = (enum stack_end)i;
}

void trust_find(struct trust *trust, const struct profile *p,
                const struct selection *sel)
{
    trust_stacks(trust, sel);
    if (sel->unresolved)
        count_nameless(trust, p, sel);
}

void trust_release(struct trust *trust)
{
    vec_release(&trust->nameless);
}
