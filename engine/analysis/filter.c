#include "engine/analysis/filter.h"

#include <stdio.h>
#include <string.h>

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

bool *filter_refuse_threads(const struct profile *p, const struct filter *f)
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
           f->leaf_modules.len || f->hides.len || f->show_from.len ||
           f->to_any.len || f->kinds || f->tiers;
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
