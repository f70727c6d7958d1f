#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/fleet/fleet.h"
#include "cli/load/load.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "engine/base/text.h"
#include "engine/diff/series.h"
#include "engine/fleet/runs.h"
#include "engine/model/profile.h"

/* Reports about a row of recordings: series. */

struct loaded {
    struct profile **profiles;
    struct diff_input *inputs;
    size_t count;
};

static int by_name(const void *x, const void *y)
{
    const struct profile *a = *(struct profile *const *)x;
    const struct profile *b = *(struct profile *const *)y;
    int order = strcmp(path_base_name(profile_file(a)),
                       path_base_name(profile_file(b)));

    return order ? order : strcmp(profile_file(a), profile_file(b));
}

static int by_time(const void *x, const void *y)
{
    const struct profile *a = *(struct profile *const *)x;
    const struct profile *b = *(struct profile *const *)y;
    int64_t s = a->trace.start_unix_ns, t = b->trace.start_unix_ns;

    return s != t ? (s > t) - (s < t) : by_name(x, y);
}

static bool put_in_order(const struct loaded *l, unsigned order)
{
    for (size_t i = 0; order == SERIES_BY_TIME && i < l->count; i++) {
        if (l->profiles[i]->trace.start_unix_ns)
            continue;
        say("%s does not say when it was recorded; --order name, or files in "
            "order",
            profile_file(l->profiles[i]));
        return false;
    }
    if (order != SERIES_AS_GIVEN)
        qsort(l->profiles, l->count, sizeof(struct profile *),
              order == SERIES_BY_TIME ? by_time : by_name);
    return true;
}

/* Samples of different kinds make no series. */
static bool comparable(const struct loaded *l)
{
    for (size_t i = 0; i < l->count; i++) {
        if (l->profiles[i]->quality.negative_values) {
            say("%s: values of a difference of two profiles are negative: not "
                "comparable",
                profile_file(l->profiles[i]));
            return false;
        }
        if (profile_same_metric(l->profiles[0], l->profiles[i]))
            continue;
        say("%s has %s, %s has %s: not comparable",
            profile_file(l->profiles[0]),
            profile_metric_beside(l->profiles[0], l->profiles[i]),
            profile_file(l->profiles[i]),
            profile_metric_beside(l->profiles[i], l->profiles[0]));
        return false;
    }
    return true;
}

static enum status report(const struct command *command,
                          const struct options *o, struct loaded *l)
{
    struct subject subject = {.options = &o->report};
    struct series *series;
    enum status status;

    if (!comparable(l) || !put_in_order(l, o->order))
        return STATUS_USAGE;
    profiles_in_one_unit(l->profiles, l->count);
    for (size_t i = 0; i < l->count; i++) {
        load_for_people(l->profiles[i], o);
        l->inputs[i] = (struct diff_input){
            l->profiles[i], selection_new(l->profiles[i], &o->report.filter),
            false};
        if (l->profiles[i]->samples.len && !l->inputs[i].sel->samples)
            say_warning("%s: no samples match the filter",
                        profile_file(l->profiles[i]));
    }
    series =
        series_new(l->inputs, l->count, o->diff.options.relevant, o->threads);
    subject.inputs = l->inputs;
    subject.input_count = l->count;
    subject.series = series;
    status = print_report(command->report, &subject, o);
    series_free(series);
    for (size_t i = 0; i < l->count; i++)
        selection_free((struct selection *)l->inputs[i].sel);
    return status;
}

static enum status load_and_report(const struct command *command,
                                   const struct options *o,
                                   const char *const *files, size_t count)
{
    struct loaded l = {mem_new(count, sizeof(struct profile *)),
                       mem_new(count, sizeof(struct diff_input)), count};
    enum status status, written;

    if (load_each(o, files, count, l.profiles, &status)) {
        written = report(command, o, &l);
        status = written ? written : status;
        for (size_t i = 0; i < count; i++)
            profile_free(l.profiles[i]);
    }
    free(l.profiles);
    free(l.inputs);
    return status;
}

/* A fleet stands for what its recordings have in common by a key, one after
 * the other, such as those of every version. */
static bool add_values(struct recordings *r, const char *address,
                       const char *key, const struct fleet_values *values)
{
    const char *before = strchr(address, '?');
    size_t n = before ? (size_t)(before - address) : strlen(address);

    for (size_t i = 0; i < values->all.len; i++) {
        const char *value = values->all.data[i];
        char quote = strchr(value, '\'') ? '"' : '\'';

        if (strpbrk(value, "*?") || strchr(value, quote)) {
            say("%s \"%s\" cannot be asked for: it has quotes, * or ?", key,
                value);
            return false;
        }
        *vec_add(&r->paths) =
            before ? arena_fmt(&r->arena, "%.*s?(%s) and %s=%c%s%c", (int)n,
                               address, before + 1, key, quote, value, quote)
                   : arena_fmt(&r->arena, "%s?%s=%c%s%c", address, key, quote,
                               value, quote);
    }
    return true;
}

struct adding {
    struct recordings *recordings;
    const char *address;
};

static enum status add_those_of(void *context, struct fleet *f,
                                const struct fleet_question *q,
                                const struct options *o)
{
    const struct adding *to = context;
    const char *key = fleet_key(o);
    struct fleet_values values = {.all = {0}};
    struct err err = {0};
    enum status status = STATUS_OK;

    if (fleet_values(f, q, key, &values, &err)) {
        status = say_input_error(&err);
    } else if (!add_values(to->recordings, to->address, key, &values)) {
        status = STATUS_USAGE;
    }
    fleet_values_release(&values);
    return status;
}

static bool fleet_add(struct recordings *r, const char *address,
                      const struct options *o, enum status *status)
{
    struct adding to = {r, address};
    enum status asked = fleet_do(address, o, false, add_those_of, &to);

    if (asked)
        *status = asked;
    return !asked;
}

enum status run_on_series(const struct command *command,
                          const struct options *o, const char *const *files,
                          size_t count)
{
    struct recordings r = {.paths = {0}};
    enum status status = STATUS_USAGE;
    bool found = true;

    for (size_t i = 0; found && i < count; i++)
        found = fleet_is_address(files[i])
                    ? fleet_add(&r, files[i], o, &status)
                    : recordings_add(&r, files[i]);
    if (found && r.paths.len < 2)
        say("two recordings or more make a series");
    else if (found && !output_is_input(o->output, r.paths.data, r.paths.len))
        status = load_and_report(command, o, r.paths.data, r.paths.len);
    recordings_release(&r);
    return status;
}
