#include "engine/format/pprof/sample_types.h"

#include <string.h>

#include "engine/model/profile.h"

enum { TYPES_NAMED = 8 };

/* NO_ID: there is none. */
static size_t find_type(const struct sample_types *t, const struct profile *p,
                        const char *word)
{
    for (size_t i = 0; i < t->list.len; i++)
        if (!strcmp(strings_get(p->strings, t->list.data[i].type), word))
            return i;
    return NO_ID;
}

/* True if samples were taken by this clock: other values or the period say. */
static bool is_timed_by(const struct sample_types *t, const struct profile *p,
                        const char *clock)
{
    return find_type(t, p, clock) != NO_ID ||
           !strcmp(strings_get(p->strings, t->period_type), clock);
}

/* The default that the file states, else samples of CPU time or that time,
 * else the first; but none without values where another has some. */
static size_t preferred_type(const struct sample_types *t,
                             const struct profile *p)
{
    size_t chosen = NO_ID, first = 0, cpu = find_type(t, p, "cpu");

    for (size_t i = 0; i < t->list.len && t->default_type; i++)
        if (t->list.data[i].type == t->default_type)
            chosen = i;
    if (chosen == NO_ID && is_timed_by(t, p, "cpu"))
        chosen = find_type(t, p, "samples");
    if (cpu != NO_ID && (chosen == NO_ID || !t->list.data[chosen].used))
        chosen = cpu;
    while (first < t->list.len && !t->list.data[first].used)
        first++;
    if (first < t->list.len && (chosen == NO_ID || !t->list.data[chosen].used))
        chosen = first;
    return chosen == NO_ID ? 0 : chosen;
}

/* The metric of a type that counts: samples of a clock, which another type or
 * the period tells, or the clock itself if the period is of it. METRICS: none
 * of its own. Samples whose clock is not told are not taken for those of the
 * CPU. */
static enum metric_id counted_metric(const struct sample_types *t,
                                     const struct profile *p, const char *type)
{
    static const struct {
        const char *clock;
        enum metric_id metric;
    } clocks[] = {
        {"cpu", METRIC_CPU_SAMPLES},
        {"itimer", METRIC_CPU_SAMPLES}, /* two timers of async-profiler */
        {"ctimer", METRIC_CPU_SAMPLES},
        {"wall", METRIC_THREAD_SAMPLES},
    };
    bool samples = !strcmp(type, "samples");
    bool period = !strcmp(strings_get(p->strings, t->period_type), type);

    for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++)
        if (samples ? is_timed_by(t, p, clocks[i].clock)
                    : period && !strcmp(type, clocks[i].clock))
            return clocks[i].metric;
    return METRICS;
}

/* Values are kept in the unit of the file. */
static void set_metric(const struct sample_types *t, struct named_code *n)
{
    struct profile *p = n->profile;
    const struct sample_type *chosen = &t->list.data[t->chosen];
    const char *type = strings_get(p->strings, chosen->type);
    const char *unit = strings_get(p->strings, chosen->unit);
    bool time = unit_nanoseconds(unit) != 0;
    bool counts = !*unit || !strcmp(unit, "count");
    enum metric_id counted = counts ? counted_metric(t, p, type) : METRICS;

    if (!*type && !counts)
        type = unit;
    if (counted != METRICS)
        profile_set_metric(p, counted);
    else if (time && !strcmp(type, "cpu"))
        profile_set_metric(p, METRIC_CPU_TIME);
    else if (time && !strcmp(type, "wall"))
        profile_set_metric(p, METRIC_THREAD_TIME);
    else if (time && !strcmp(type, "delay"))
        profile_set_metric(p, METRIC_WAIT_TIME);
    else
        profile_set_metric_word(p, type);
    if (!*unit)
        unit = "count";
    if (!counts ||
        (counted == METRICS && *type && strcmp(type, "samples") != 0))
        profile_set_unit(p, unit + unit_fraction(unit, &n->decimals), 0);
    p->trace.adds_up = profile_counts_samples(p) && !n->decimals;
}

/* States the types that --event can choose instead. */
static void state_others(const struct sample_types *t, struct profile *p)
{
    struct out *others = out_memory();

    for (size_t i = 0; i < t->list.len && i < TYPES_NAMED; i++)
        if (i != t->chosen)
            out_also(others, strings_get(p->strings, t->list.data[i].type), 0);
    profile_also_recorded(p, others);
    out_close(others, NULL);
}

enum err_code sample_types_choose(struct sample_types *t, struct named_code *n,
                                  const char *event, const char *name,
                                  struct err *err)
{
    struct profile *p = n->profile;

    if (!t->list.len)
        return err_set(err, ERR_CORRUPT, "%s: no sample type is stated", name);
    t->chosen = event ? find_type(t, p, event) : preferred_type(t, p);
    if (t->chosen == NO_ID)
        return err_set(
            err, ERR_USAGE,
            "%s: no sample type \"%s\"; the first one is \"%s\", topfn info "
            "lists all",
            name, event, strings_get(p->strings, t->list.data[0].type));
    set_metric(t, n);
    state_others(t, p);
    return ERR_NONE;
}

void sample_types_release(struct sample_types *t)
{
    vec_release(&t->list);
}
