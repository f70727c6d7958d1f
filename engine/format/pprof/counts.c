#include "engine/format/pprof/file.h"

#include <stdlib.h>
#include <string.h>

#include "engine/model/profile.h"

enum { TYPES_NAMED = 8 };

/* Which of the values of a sample is read, and in which unit. */

/* NO_ID: there is none. */
static size_t find_type(const struct pprof_file *f, const char *word)
{
    for (size_t i = 0; i < f->types.len; i++)
        if (pprof_text_is(f, f->types.data[i].type, word))
            return i;
    return NO_ID;
}

/* Which types have a value that is not 0, by type. To be freed. */
static bool *used_types(const struct pprof_file *f)
{
    bool *used = mem_new(f->types.len, sizeof(*used));

    for (size_t i = 0; i < f->samples.len; i++) {
        struct reader r = f->samples.data[i];
        struct wire_field field;
        size_t at = 0;
        uint64_t n;

        while (wire_next(&r, &field))
            while (field.number == 2 && wire_number(&field, &n)) {
                if (at < f->types.len && n)
                    used[at] = true;
                at++;
            }
    }
    return used;
}

/* The default that the file states, else samples of CPU time or that time,
 * else the first; but none without values where another has some. */
static size_t choose_type(const struct pprof_file *f)
{
    bool *used = used_types(f), has_cpu = find_type(f, "cpu") != NO_ID;
    size_t chosen = NO_ID, first = 0;

    for (size_t i = 0; i < f->types.len && f->default_type; i++)
        if (pprof_text_same(f, f->types.data[i].type, f->default_type))
            chosen = i;
    if (chosen == NO_ID && has_cpu)
        chosen = find_type(f, "samples");
    if (has_cpu && (chosen == NO_ID || !used[chosen]))
        chosen = find_type(f, "cpu");
    while (first < f->types.len && !used[first])
        first++;
    if (first < f->types.len && (chosen == NO_ID || !used[chosen]))
        chosen = first;
    free(used);
    return chosen == NO_ID ? 0 : chosen;
}

static const char *text_of(struct pprof_file *f, uint64_t id)
{
    return strings_get(f->p->strings, pprof_string(f, id));
}

/* Whether samples were taken by this clock: other values or the period say. */
static bool is_timed_by(const struct pprof_file *f, const char *clock)
{
    return find_type(f, clock) != NO_ID ||
           pprof_text_is(f, f->period_type.type, clock);
}

/* Values are kept in the unit of the file. Samples whose clock is not told are
 * not taken for those of the CPU. */
static void set_metric(struct pprof_file *f)
{
    const struct value_type *t = &f->types.data[f->value];
    const char *type = text_of(f, t->type), *unit = text_of(f, t->unit);
    bool time = unit_nanoseconds(unit) != 0;
    bool counts = !*unit || !strcmp(unit, "count");

    if (!*type && !counts)
        type = unit;
    if (counts && !strcmp(type, "samples") && is_timed_by(f, "cpu"))
        profile_set_metric(f->p, METRIC_CPU_SAMPLES);
    else if (counts && !strcmp(type, "samples") && is_timed_by(f, "wall"))
        profile_set_metric(f->p, METRIC_THREAD_SAMPLES);
    else if (time && !strcmp(type, "cpu"))
        profile_set_metric(f->p, METRIC_CPU_TIME);
    else if (time && !strcmp(type, "wall"))
        profile_set_metric(f->p, METRIC_THREAD_TIME);
    else if (time && !strcmp(type, "delay"))
        profile_set_metric(f->p, METRIC_WAIT_TIME);
    else
        profile_set_metric_word(f->p, type);
    if (!*unit)
        unit = "count";
    if (!counts || (*type && strcmp(type, "samples") != 0))
        profile_set_unit(f->p, unit + unit_fraction(unit, &f->code.decimals),
                         0);
    f->p->trace.adds_up = profile_counts_samples(f->p) && !f->code.decimals;
}

/* The types that --event can choose instead. */
static void name_others(struct pprof_file *f)
{
    struct out *others = out_memory();
    const char *before = "";

    for (size_t i = 0; i < f->types.len && i < TYPES_NAMED; i++) {
        if (i == f->value)
            continue;
        out_fmt(others, "%s%s", before, text_of(f, f->types.data[i].type));
        before = ", ";
    }
    if (*before) {
        profile_fact(f->p, "in other types (--event)", "%s",
                     out_text(others, NULL));
        f->p->trace.facts.data[f->p->trace.facts.len - 1].caveat = true;
    }
    out_close(others, NULL);
}

enum err_code pprof_choose_metric(struct pprof_file *f, const char *event,
                                  const char *name, struct err *err)
{
    size_t found = event ? find_type(f, event) : NO_ID;

    if (!f->types.len)
        return err_set(err, ERR_CORRUPT, "%s: no type of samples is stated",
                       name);
    if (event && found == NO_ID)
        return err_set(
            err, ERR_USAGE,
            "%s: counts no \"%s\"; the first of what it counts is "
            "\"%s\", topfn info shows all",
            name, event,
            strings_get(f->p->strings, pprof_string(f, f->types.data[0].type)));
    f->value = event ? found : choose_type(f);
    set_metric(f);
    name_others(f);
    return ERR_NONE;
}
