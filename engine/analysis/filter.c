#include "engine/analysis/filter.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/bisect.h"
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

/* What words say about processes, or about threads. */
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

/* ---- samples ---- */

static bool thread_wanted(const struct profile *p, const struct filter *f,
                          const struct chosen *processes,
                          const struct chosen *threads, const struct thread *t)
{
    const struct process *process = &p->processes.data[t->process];

    if (f->has_tid && t->tid != f->tid)
        return false;
    if (f->has_pid && process->pid != f->pid)
        return false;
    return is_chosen(processes, process->pid,
                     strings_get(p->strings, process->name)) &&
           is_chosen(threads, t->tid, strings_get(p->strings, t->name));
}

static bool *refuse_threads(const struct profile *p, const struct filter *f)
{
    struct chosen processes, threads;
    bool *refused;

    if (!f->has_tid && !f->has_pid && !f->processes.len && !f->threads.len)
        return NULL;
    processes = chosen_new(&f->processes);
    threads = chosen_new(&f->threads);
    refused = mem_new(p->threads.len, sizeof(*refused));
    for (size_t i = 0; i < p->threads.len; i++)
        refused[i] =
            !thread_wanted(p, f, &processes, &threads, &p->threads.data[i]);
    chosen_free(&processes);
    chosen_free(&threads);
    return refused;
}

/* The innermost frame of a location. */
static const struct function *innermost(const struct profile *p,
                                        size_t location)
{
    uint32_t frame = p->frame_start.data[location];

    return &p->functions.data[p->frames.data[frame].function];
}

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
    return !sel->filter.has_time || (s->time[i] >= sel->filter.from &&
                                     s->time[i] < sel->filter.to);
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

enum { AHEAD = 16 }; /* samples */

/* There are more stacks than a cache holds. */
static void fetch_soon(const struct samples *s, const struct selection *sel,
                       size_t i)
{
    if (i + AHEAD < s->len)
        __builtin_prefetch(&sel->stack_counts[s->stack[i + AHEAD]], 1);
}

static void count_samples(const struct profile *p, struct selection *sel)
{
    const struct samples *s = &p->samples;
    bool all = !sel->threads_refused && filter_is_empty(&sel->filter);

    for (size_t i = 0; i < s->len; i++) {
        uint32_t weight = sample_weight(p, i);
        bool idle = left_out_as_idle(p, sel, i);

        fetch_soon(s, sel, i);
        if (!idle)
            sel->whole += weight;
        if (!all && !matches(p, sel, i))
            continue;
        if (idle) {
            sel->idle += weight;
            continue;
        }
        sel->stack_counts[s->stack[i]] += weight;
        sel->thread_counts[s->thread[i]] += weight;
        sel->by_class[stack_class(s->flags[i])] += weight;
        sel->samples += weight;
        if (s->period)
            count_period(s, sel, i);
    }
}

/* Why code is unnamed, by location: a function may stand for unnamed code of
 * several causes. */
static uint8_t *causes(const struct profile *p)
{
    uint8_t *cause = mem_new(p->locations.len, sizeof(*cause));

    for (size_t i = 0; i < p->locations.len; i++)
        cause[i] = innermost(p, i)->cause == CAUSE_NONE
                       ? CAUSE_NONE
                       : p->locations.data[i].cause;
    return cause;
}

static void count_causes(const struct profile *p, struct selection *sel)
{
    uint8_t *cause = causes(p);

    for (size_t i = 1; i < p->stacks.len; i++)
        if (sel->stack_counts[i])
            sel->by_cause[cause[p->stacks.data[i].location]] +=
                sel->stack_counts[i];
    for (size_t i = 0; i < CAUSE_KINDS; i++)
        if (i != CAUSE_NONE)
            sel->unresolved += sel->by_cause[i];
    free(cause);
}

bool filter_asks_stacks(const struct filter *f)
{
    return f->groups.len || f->folds.len || f->fold_percent || f->focus.len ||
           f->ignore.len || f->leaves.len || f->modules.len ||
           f->leaf_modules.len || f->hides.len || f->show_from.len ||
           f->to_any.len || f->kinds || f->tiers;
}

bool filter_is_empty(const struct filter *f)
{
    return !f->processes.len && !f->threads.len && !f->cpus.len &&
           !f->has_pid && !f->has_tid && !f->has_time && !f->between.len &&
           !f->types &&
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
    struct words *lists[] = {
        &f->processes,    &f->threads,   &f->mine,   &f->groups,  &f->folds,
        &f->focus,        &f->ignore,    &f->leaves, &f->modules, &f->hides,
        &f->leaf_modules, &f->show_from, &f->to_any, &f->between};

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

struct selection *selection_new(const struct profile *p,
                                const struct filter *filter)
{
    struct selection *sel = mem_new(1, sizeof(*sel));

    if (filter)
        sel->filter = *filter;
    filter_set_length(&sel->filter, p->trace.duration_ns);
    sel->stack_counts = mem_new(p->stacks.len, sizeof(uint64_t));
    sel->thread_counts = mem_new(p->threads.len, sizeof(uint64_t));
    if (p->samples.period) {
        sel->stack_periods = mem_new(p->stacks.len, sizeof(uint64_t));
        sel->thread_periods = mem_new(p->threads.len, sizeof(uint64_t));
    }
    sel->threads_refused = refuse_threads(p, &sel->filter);
    sel->idle = p->trace.idle_not_kept;
    sel->whole = p->left_out.samples;
    if (sel->filter.include_idle)
        sel->whole += p->left_out.idle;
    count_samples(p, sel);
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
