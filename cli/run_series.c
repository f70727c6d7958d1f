#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/print_report.h"
#include "cli/recordings.h"
#include "cli/say.h"
#include "engine/base/text.h"
#include "engine/diff/series.h"

/* Reports about a row of recordings: series. */

struct loaded {
    struct profile **profiles;
    struct diff_input *inputs;
    size_t count;
};

static const char *file_of(const struct profile *p)
{
    return p->trace.files.len ? strings_get(p->strings, p->trace.files.data[0])
                              : "";
}

static int by_name(const void *x, const void *y)
{
    const struct profile *a = *(struct profile *const *)x;
    const struct profile *b = *(struct profile *const *)y;
    int order = strcmp(path_base_name(file_of(a)), path_base_name(file_of(b)));

    return order ? order : strcmp(file_of(a), file_of(b));
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
            file_of(l->profiles[i]));
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
    for (size_t i = 1; i < l->count; i++) {
        if (profile_same_metric(l->profiles[0], l->profiles[i]))
            continue;
        say("%s has %s, %s has %s: not comparable", file_of(l->profiles[0]),
            profile_metric_word(l->profiles[0]), file_of(l->profiles[i]),
            profile_metric_word(l->profiles[i]));
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
    for (size_t i = 0; i < l->count; i++) {
        load_for_people(l->profiles[i], o);
        l->inputs[i] = (struct diff_input){
            l->profiles[i], selection_new(l->profiles[i], &o->report.filter),
            false};
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

enum status run_on_series(const struct command *command,
                          const struct options *o, const char *const *files,
                          size_t count)
{
    struct recordings r = {.paths = {0}};
    enum status status = STATUS_USAGE;
    bool found = true;

    for (size_t i = 0; found && i < count; i++)
        found = recordings_add(&r, files[i]);
    if (found && r.paths.len < 2)
        say("two recordings or more make a series");
    else if (found && !output_is_input(o->output, r.paths.data, r.paths.len))
        status = load_and_report(command, o, r.paths.data, r.paths.len);
    recordings_release(&r);
    return status;
}
