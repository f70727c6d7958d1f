#include "engine/format/pprof/file.h"

#include <string.h>

/* Which of the things that a file counts is read, and in which unit. */

/* Nanoseconds in a unit of time; 0: it is none. */
uint64_t pprof_nanoseconds(const struct pprof_file *f, uint64_t unit)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } units[] = {{"nanoseconds", 1},        {"ns", 1},
                 {"microseconds", 1000},    {"us", 1000},
                 {"milliseconds", 1000000}, {"ms", 1000000},
                 {"seconds", 1000000000},   {"s", 1000000000}};

    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
        if (pprof_text_is(f, unit, units[i].unit))
            return units[i].ns;
    return 0;
}

/* NO_ID: there is none. */
static size_t find_type(const struct pprof_file *f, const char *word)
{
    for (size_t i = 0; i < f->types.len; i++)
        if (pprof_text_is(f, f->types.data[i].type, word))
            return i;
    return NO_ID;
}

static size_t choose_type(struct pprof_file *f)
{
    for (size_t i = 0; i < f->types.len && f->default_type; i++)
        if (pprof_string(f, f->types.data[i].type) ==
            pprof_string(f, f->default_type))
            return i;
    if (find_type(f, "cpu") != NO_ID && find_type(f, "samples") != NO_ID)
        return find_type(f, "samples");
    return f->types.len - 1;
}

static void set_metric(struct pprof_file *f)
{
    const struct value_type *t = &f->types.data[f->value];

    f->factor = pprof_nanoseconds(f, t->unit);
    f->unit = f->factor ? NAMED_NANOSECONDS : NAMED_COUNTS;
    if (!f->factor && pprof_text_is(f, t->type, "samples"))
        profile_set_metric(f->p, METRIC_CPU_SAMPLES);
    else if (!f->factor)
        profile_set_metric_word(
            f->p, strings_get(f->p->strings, pprof_string(f, t->type)));
    else if (pprof_text_is(f, t->type, "cpu"))
        profile_set_metric(f->p, METRIC_CPU_TIME);
    else if (pprof_text_is(f, t->type, "wall"))
        profile_set_metric(f->p, METRIC_THREAD_TIME);
    else if (pprof_text_is(f, t->type, "delay"))
        profile_set_metric(f->p, METRIC_WAIT_TIME);
    else
        profile_set_metric(f->p, METRIC_TIME);
}

enum err_code pprof_choose_metric(struct pprof_file *f, const char *event,
                                  const char *name, struct err *err)
{
    size_t found = event ? find_type(f, event) : NO_ID;

    if (!f->types.len)
        return err_set(err, ERR_CORRUPT, "%s: no type of samples is stated",
                       name);
    for (size_t i = 0; i < f->types.len && i < 8; i++)
        profile_fact(
            f->p, "counts", "%s",
            strings_get(f->p->strings, pprof_string(f, f->types.data[i].type)));
    if (event && found == NO_ID)
        return err_set(
            err, ERR_USAGE,
            "%s: counts no \"%s\"; the first of what it counts is "
            "\"%s\", topfn info shows all",
            name, event,
            strings_get(f->p->strings, pprof_string(f, f->types.data[0].type)));
    f->value = event ? found : choose_type(f);
    set_metric(f);
    return ERR_NONE;
}
