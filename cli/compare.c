#include "cli/compare.h"

#include <string.h>

#include "cli/load.h"
#include "cli/output.h"
#include "cli/say.h"

/* Which of the files are runs of AFTER: those behind --after, or the second
 * of two. */
static bool split(const struct options *o, size_t count, bool *after)
{
    const struct diff_settings *s = &o->diff;
    size_t first = o->arguments.len - count, runs[2] = {0, 0};

    if (!s->has_before && !s->has_after) {
        if (count != 2)
            say("two files to compare, or --before and --after with runs "
                "of each");
        after[count - 1] = true;
        return count == 2;
    }
    for (size_t i = 0; i < count; i++) {
        bool a = s->has_after && first + i >= s->after_at;
        bool b = s->has_before && first + i >= s->before_at;

        after[i] = a && (!b || s->after_at > s->before_at);
        if (!a && !b) { /* before either option: the side not named */
            if (s->has_before && s->has_after) {
                say("%s stands before --before and --after",
                    o->arguments.data[first + i]);
                return false;
            }
            after[i] = s->has_before;
        }
        runs[after[i]]++;
    }
    if (!runs[0] || !runs[1])
        say("no file for %s", runs[0] ? "AFTER" : "BEFORE");
    return runs[0] && runs[1];
}

static const char *metric_of(const struct profile *p)
{
    return strings_get(p->strings, p->trace.metric);
}

/* CPU samples and samples of waiting threads are not amounts of one thing;
 * times need the interval that a sample stands for. */
static bool comparable(const struct compared *c, const char *const *files,
                       const struct diff_settings *s)
{
    bool timed = s->options.normalize == DIFF_WALL ||
                 s->options.normalize == DIFF_CPU;

    for (size_t i = 0; i < c->count; i++) {
        const char *metric = metric_of(c->profiles[i]);

        if (strcmp(metric, metric_of(c->profiles[0])) && !s->force) {
            say("%s has %s, %s has %s: not comparable; --force compares "
                "them all the same",
                files[0], metric_of(c->profiles[0]), files[i], metric);
            return false;
        }
        if (timed && c->profiles[i]->trace.interval_ns <= 0) {
            say("%s: the interval of its samples is not known; --normalize "
                "total compares shares",
                files[i]);
            return false;
        }
    }
    return true;
}

static void set_options(struct compared *c, const struct options *o)
{
    c->options = o->diff.options;
    c->options.inclusive = o->report.sort == SORT_INCLUSIVE;
    c->options.renames = o->diff.renames.data;
    c->options.rename_count = o->diff.renames.len;
}

static bool load_sides(struct compared *c, const struct options *o,
                       const char *const *files, const bool *after,
                       enum status *status)
{
    c->profiles = mem_new(c->count, sizeof(*c->profiles));
    c->inputs = mem_new(c->count, sizeof(*c->inputs));
    if (!load_each(o, files, c->count, c->profiles, status)) {
        free(c->profiles);
        free(c->inputs);
        return false;
    }
    for (size_t i = 0; i < c->count; i++)
        c->inputs[i] = (struct diff_input){
            c->profiles[i], selection_new(c->profiles[i], &o->report.filter),
            after[i]};
    return true;
}

bool compare_load(struct compared *c, const struct options *o,
                  const char *const *files, size_t count, enum status *status)
{
    bool *after = mem_new(count, sizeof(*after));
    bool loaded = false;

    *c = (struct compared){.count = count};
    *status = STATUS_USAGE;
    set_options(c, o);
    if (split(o, count, after) && !output_is_input(o->output, files, count))
        loaded = load_sides(c, o, files, after, status);
    free(after);
    if (loaded && !comparable(c, files, &o->diff)) {
        compare_release(c);
        *status = STATUS_USAGE;
        loaded = false;
    }
    return loaded;
}

void compare_release(struct compared *c)
{
    for (size_t i = 0; i < c->count; i++) {
        selection_free((struct selection *)c->inputs[i].sel);
        profile_free(c->profiles[i]);
    }
    free(c->profiles);
    free(c->inputs);
}
