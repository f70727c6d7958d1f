#include "engine/analysis/filter.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "engine/base/keysort.h"
#include "engine/base/pattern.h"
#include "engine/base/text.h"

/* ---- words ---- */

static bool is_id(const char *word, uint32_t id)
{
    char number[16], hex[16];

    snprintf(number, sizeof(number), "%u", (unsigned)id);
    snprintf(hex, sizeof(hex), "0x%x", (unsigned)id);
    return !strcmp(word, number) || ascii_same(word, hex);
}

static struct pattern *compile(const char *word)
{
    return pattern_new(word + (*word == '!'), NULL);
}

bool filter_word_is(const char *word, uint32_t id, const char *name)
{
    struct pattern *pattern = compile(word);
    bool is = is_id(word + (*word == '!'), id) ||
              (pattern && pattern_match(pattern, name));

    pattern_free(pattern);
    return is;
}

struct chosen {
    const struct words *words;
    struct pattern **patterns;
};

static struct chosen chosen_new(const struct words *words)
{
    struct chosen c = {words, mem_new(words->len, sizeof(*c.patterns))};

    for (size_t i = 0; i < words->len; i++)
        c.patterns[i] = compile(words->data[i]);
    return c;
}

static void chosen_free(struct chosen *c)
{
    for (size_t i = 0; i < c->words->len; i++)
        pattern_free(c->patterns[i]);
    free(c->patterns);
}

static bool is_chosen(const struct chosen *c, uint32_t id, const char *name)
{
    bool any = false, wanted = false;

    for (size_t i = 0; i < c->words->len; i++) {
        const char *word = c->words->data[i];
        bool is_not = *word == '!';
        bool is = is_id(word + is_not, id) ||
                  (c->patterns[i] && pattern_match(c->patterns[i], name));

        if (is && is_not)
            return false;
        any |= !is_not;
        wanted |= is;
    }
    return wanted || !any;
}

bool *filter_wanted_processes(const struct profile *p, const struct filter *f)
{
    struct chosen chosen;
    bool *wanted;

    if (!f->processes.len)
        return NULL;
    chosen = chosen_new(&f->processes);
    wanted = mem_new(p->processes.len, sizeof(*wanted));
    for (size_t i = 0; i < p->processes.len; i++) {
        const struct process *process = &p->processes.data[i];

        wanted[i] = is_chosen(&chosen, process->pid,
                              strings_get(p->strings, process->name));
    }
    chosen_free(&chosen);
    return wanted;
}

/* ---- threads ---- */

static bool thread_wanted(const struct profile *p,
                          const struct chosen *processes,
                          const struct chosen *threads, const struct thread *t)
{
    const struct process *process = &p->processes.data[t->process];

    return is_chosen(processes, process->pid,
                     strings_get(p->strings, process->name)) &&
           is_chosen(threads, t->tid, strings_get(p->strings, t->name));
}

/* By thread: whether the filter wants none of its samples; NULL where it asks
 * for neither processes nor threads. To be freed. */
static bool *filter_refuse_threads(const struct profile *p,
                                   const struct filter *f)
{
    struct chosen processes, threads;
    bool *refused;

    if (!f->processes.len && !f->threads.len)
        return NULL;
    processes = chosen_new(&f->processes);
    threads = chosen_new(&f->threads);
    refused = mem_new(p->threads.len, sizeof(*refused));
    for (size_t i = 0; i < p->threads.len; i++)
        refused[i] =
            !thread_wanted(p, &processes, &threads, &p->threads.data[i]);
    chosen_free(&processes);
    chosen_free(&threads);
    return refused;
}

/* ---- what is asked ---- */

bool filter_asks_stacks(const struct filter *f)
{
    return f->groups.len || f->folds.len || f->fold_percent || f->focus.len ||
           f->ignore.len || f->leaves.len || f->modules.len ||
           f->show_from.len || f->to_any.len || f->kinds || f->tiers;
}

bool filter_is_empty(const struct filter *f)
{
    return !f->processes.len && !f->threads.len && !f->cpus.len &&
           !f->has_time && !f->between.len && !f->types &&
           !filter_asks_stacks(f);
}

bool filter_only_counts_idle(const struct filter *f)
{
    struct filter but = *f;

    but.types = 0;
    return !f->include_idle && filter_is_empty(&but);
}

bool filter_needs_times(const struct filter *f)
{
    return f->has_time || f->cpus.len || f->between.len;
}

void filter_release(struct filter *f)
{
    struct words *lists[] = {&f->processes, &f->threads, &f->mine,
                             &f->groups,    &f->folds,   &f->focus,
                             &f->ignore,    &f->leaves,  &f->modules,
                             &f->show_from, &f->to_any,  &f->between};

    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
        vec_release(lists[i]);
    vec_release(&f->cpus);
}

/* The time at a part of the trace; its end is behind the last sample. */
static int64_t time_at(int64_t length, int64_t hundredths)
{
    if (hundredths < 0)
        return TIME_MIN;
    if (hundredths >= 10000)
        return TIME_MAX;
    return length / 10000 * hundredths + length % 10000 * hundredths / 10000;
}

void filter_set_length(struct filter *f, int64_t length)
{
    if (!f->in_percent)
        return;
    f->from = time_at(length, f->from);
    f->to = time_at(length, f->to);
    f->in_percent = false;
}

/* ---- selections ---- */

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
static bool sample_matches(const struct profile *p, const struct selection *sel,
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

static bool left_out_by_waits(const struct profile *p,
                              const struct selection *sel, size_t i)
{
    bool waits = p->samples.flags[i] & SAMPLE_WAITS;

    return sel->filter.waits && waits != (sel->filter.waits == WAITS_ALONE);
}

bool selection_leaves_waiting(const struct selection *sel)
{
    return sel->filter.waits == WAITS_LEFT_OUT && sel->waiting;
}

bool selection_has(const struct profile *p, const struct selection *sel,
                   size_t sample)
{
    return !left_out_as_idle(p, sel, sample) &&
           !left_out_by_waits(p, sel, sample) && sample_matches(p, sel, sample);
}

/* Samples that are not selected count in the whole alone. */
static void count_samples(const struct profile *p, struct selection *sel)
{
    const struct samples *s = &p->samples;
    bool all = !sel->threads_refused && filter_is_empty(&sel->filter);

    for (size_t i = 0; i < s->len; i++) {
        uint64_t weight = sample_weight(p, i);
        bool idle = left_out_as_idle(p, sel, i);

        if (!idle)
            sel->whole += weight;
        if (!all && !sample_matches(p, sel, i))
            continue;
        if (idle) {
            sel->idle += weight;
            continue;
        }
        if (s->flags[i] & SAMPLE_WAITS)
            sel->waiting += weight;
        if (left_out_by_waits(p, sel, i))
            continue;
        sel->samples += weight;
        sel->stack_counts[s->stack[i]] += weight;
        sel->thread_counts[s->thread[i]] += weight;
        sel->by_class[stack_class(s->flags[i])] += weight;
        sel->by_end[stack_end_of(s->flags[i])] += weight;
        if (!s->period)
            continue;
        sel->stack_periods[s->stack[i]] += s->period[i];
        sel->thread_periods[s->thread[i]] += s->period[i];
        sel->period += s->period[i];
    }
}

/* The location knows why code has no name, because a function may stand for
 * unnamed code of several causes. One with a source line but without a name
 * (profile_set_line) has the cause of its function. */
static void count_causes(const struct profile *p, struct selection *sel)
{
    for (size_t i = 0; i < p->locations.len; i++) {
        enum name_cause cause;

        if (!sel->location_counts[i])
            continue;
        cause = p->functions.data[profile_innermost(p, i)].cause;
        if (cause != CAUSE_NONE && p->locations.data[i].cause != CAUSE_NONE)
            cause = p->locations.data[i].cause;
        sel->by_cause[cause] += sel->location_counts[i];
    }
    for (size_t i = 0; i < CAUSE_KINDS; i++)
        if (i != CAUSE_NONE)
            sel->unresolved += sel->by_cause[i];
}

struct selection *selection_new(const struct profile *p,
                                const struct filter *filter)
{
    struct selection *sel = mem_new(1, sizeof(*sel));

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
    count_samples(p, sel);
    /* Most stacks have no samples of their own. */
    for (size_t i = 1; i < p->stacks.len; i++)
        if (sel->stack_counts[i])
            sel->location_counts[p->stacks.data[i].location] +=
                sel->stack_counts[i];
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

/* ---- the distinct stacks of each process or thread ---- */

void owned_stacks_count(owned_stacks *list, const struct profile *p,
                        const struct selection *sel, bool threads)
{
    struct map ids = {0}; /* (stack, owner) to index */

    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t fresh = mem_next_id(list->len), id;
        uint32_t stack = p->samples.stack[i], owner = p->samples.thread[i];

        if (!selection_has(p, sel, i))
            continue;
        if (!threads)
            owner = p->threads.data[owner].process;
        id = map_add(&ids, stack, owner, fresh);
        if (id == fresh)
            *vec_add(list) = (struct owned_stack){owner, stack, 0, 0};
        list->data[id].rows++;
        list->data[id].count += sample_weight(p, i);
    }
    map_release(&ids);
}

void owned_stacks_sort(owned_stacks *list)
{
    struct keyed *keys = mem_new(list->len, sizeof(*keys));
    owned_stacks sorted = {0};

    for (uint32_t i = 0; i < list->len; i++)
        keys[i] = (struct keyed){
            (uint64_t)list->data[i].owner << 32 | list->data[i].stack, i};
    keysort(keys, list->len);
    vec_reserve(&sorted, list->len);
    for (size_t i = 0; i < list->len; i++)
        *vec_add(&sorted) = list->data[keys[i].value];
    vec_release(list);
    *list = sorted;
    free(keys);
}
