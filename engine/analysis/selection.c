/* What a filter selects of a profile: see filter.h. */
#include "engine/analysis/filter.h"

#include "engine/base/bisect.h"

static bool is_cpu(const struct filter *f, uint16_t cpu)
{
    for (size_t i = 0; i < f->cpus.len; i++)
        if (cpu >= f->cpus.data[i].from && cpu <= f->cpus.data[i].to)
            return true;
    return !f->cpus.len;
}

static bool is_between(const struct profile *p, int64_t time)
{
    size_t at;

    BISECT(at, p->between.len, p->between.data[at].to <= time);
    return at < p->between.len && p->between.data[at].from <= time;
}

static int64_t part_of(const struct filter *f, int64_t from, int64_t to)
{
    if (f->has_time && f->from > from)
        from = f->from;
    if (f->has_time && f->to < to)
        to = f->to;
    return to > from ? to - from : 0;
}

int64_t selection_duration(const struct profile *p, const struct selection *sel)
{
    const struct filter *f = &sel->filter;
    int64_t end = profile_end(p), sum = 0;

    if (!f->between.len && !f->has_time)
        return p->trace.duration_ns;
    if (!f->between.len)
        return part_of(f, 0, end);
    for (size_t i = 0; i < p->between.len; i++) {
        struct time_range r = p->between.data[i];

        sum += part_of(f, r.from > 0 ? r.from : 0, r.to < end ? r.to : end);
    }
    return sum;
}

/* Everything the filter says but the idle rule. */
static bool matches(const struct profile *p, const struct selection *sel,
                    size_t i)
{
    const struct samples *s = &p->samples;

    if (sel->filter.types && !(s->flags[i] & sel->filter.types))
        return false;
    if (sel->threads_refused && sel->threads_refused[s->thread[i]])
        return false;
    if (sel->filter.cpus.len && !is_cpu(&sel->filter, s->cpu[i]))
        return false;
    if (sel->filter.between.len && !is_between(p, s->time[i]))
        return false;
    return !sel->filter.has_time ||
           (s->time[i] >= sel->filter.from && s->time[i] < sel->filter.to);
}

static bool left_out_as_idle(const struct profile *p,
                             const struct selection *sel, size_t i)
{
    return (p->samples.flags[i] & SAMPLE_IDLE) && !sel->filter.include_idle;
}

bool selection_has(const struct profile *p, const struct selection *sel,
                   size_t sample)
{
    return !left_out_as_idle(p, sel, sample) && matches(p, sel, sample);
}

static void count_period(const struct samples *s, struct selection *sel,
                         size_t i)
{
    sel->stack_periods[s->stack[i]] += s->period[i];
    sel->thread_periods[s->thread[i]] += s->period[i];
    sel->period += s->period[i];
}

static bool refuses_none(const struct selection *sel)
{
    return !sel->threads_refused && filter_is_empty(&sel->filter);
}

/* Samples of one thread, by the parts that their stacks have. */
struct thread_tally {
    uint64_t by_class[4]; /* enum stack_class; selected ones */
};

/* Samples that are not selected count in the whole alone. */
static void count_samples(const struct profile *p, struct selection *sel,
                          struct thread_tally *threads)
{
    const struct samples *s = &p->samples;
    bool all = refuses_none(sel);

    for (size_t i = 0; i < s->len; i++) {
        struct thread_tally *thread = &threads[s->thread[i]];
        uint64_t weight = sample_weight(p, i);
        bool idle = left_out_as_idle(p, sel, i);

        if (!idle)
            sel->whole += weight;
        if (!all && !matches(p, sel, i))
            continue;
        if (idle) {
            sel->idle += weight;
            continue;
        }
        sel->stack_counts[s->stack[i]] += weight;
        thread->by_class[stack_class(s->flags[i])] += weight;
        sel->by_end[stack_end_of(s->flags[i])] += weight;
        if (s->period)
            count_period(s, sel, i);
    }
}

static void add_up_threads(const struct profile *p, struct selection *sel,
                           const struct thread_tally *threads)
{
    for (size_t i = 0; i < p->threads.len; i++) {
        const struct thread_tally *t = &threads[i];

        for (size_t c = 0; c < 4; c++) {
            sel->thread_counts[i] += t->by_class[c];
            sel->by_class[c] += t->by_class[c];
        }
        sel->samples += sel->thread_counts[i];
    }
}

/* Most stacks have no samples of their own. */
static void count_locations(const struct profile *p, struct selection *sel)
{
    for (size_t i = 1; i < p->stacks.len; i++)
        if (sel->stack_counts[i])
            sel->location_counts[p->stacks.data[i].location] +=
                sel->stack_counts[i];
}

/* Why code is unnamed is told by location: a function may stand for unnamed
 * code of several causes. */
static void count_causes(const struct profile *p, struct selection *sel)
{
    for (size_t i = 0; i < p->locations.len; i++) {
        if (!sel->location_counts[i])
            continue;
        if (p->functions.data[profile_innermost(p, i)].cause == CAUSE_NONE)
            sel->by_cause[CAUSE_NONE] += sel->location_counts[i];
        else
            sel->by_cause[p->locations.data[i].cause] +=
                sel->location_counts[i];
    }
    for (size_t i = 0; i < CAUSE_KINDS; i++)
        if (i != CAUSE_NONE)
            sel->unresolved += sel->by_cause[i];
}

struct selection *selection_new(const struct profile *p,
                                const struct filter *filter)
{
    struct selection *sel = mem_new(1, sizeof(*sel));
    struct thread_tally *threads = mem_new(p->threads.len, sizeof(*threads));

    if (filter)
        sel->filter = *filter;
    filter_set_length(&sel->filter, profile_end(p));
    sel->stack_counts = mem_new(p->stacks.len, sizeof(uint64_t));
    sel->thread_counts = mem_new(p->threads.len, sizeof(uint64_t));
    sel->location_counts = mem_new(p->locations.len, sizeof(uint64_t));
    if (p->samples.period) {
        sel->stack_periods = mem_new(p->stacks.len, sizeof(uint64_t));
        sel->thread_periods = mem_new(p->threads.len, sizeof(uint64_t));
    }
    sel->threads_refused = filter_refuse_threads(p, &sel->filter);
    sel->idle = p->trace.idle_not_kept;
    sel->whole = p->left_out.samples;
    if (sel->filter.include_idle)
        sel->whole += p->left_out.idle;
    count_samples(p, sel, threads);
    add_up_threads(p, sel, threads);
    free(threads);
    count_locations(p, sel);
    count_causes(p, sel);
    return sel;
}

void selection_free(struct selection *sel)
{
    if (!sel)
        return;
    free(sel->stack_counts);
    free(sel->stack_periods);
    free(sel->thread_periods);
    free(sel->thread_counts);
    free(sel->location_counts);
    free(sel->threads_refused);
    free(sel);
}

/* A parent's id is smaller, so one pass from the end adds up every subtree. */
uint64_t *selection_inclusive(const struct profile *p,
                              const struct selection *sel)
{
    uint64_t *inclusive = mem_new(p->stacks.len, sizeof(*inclusive));

    for (size_t i = p->stacks.len; i-- > 1;) {
        inclusive[i] += sel->stack_counts[i];
        inclusive[p->stacks.data[i].parent] += inclusive[i];
    }
    return inclusive;
}
