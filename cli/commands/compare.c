#include "cli/commands/compare.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/load/load.h"
#include "cli/terminal/output.h"
#include "engine/base/threads.h"
#include "engine/container/container.h"
#include "engine/diff/debug_info.h"
#include "engine/fleet/client.h"
#include "engine/model/labels.h"
#include "engine/model/profile.h"

static const char *full_name_in(const struct profile *p, const char *name,
                                struct arena *arena)
{
    struct arena scratch = {0};
    const char *label, *full = NULL;

    for (uint32_t i = 0; i < p->functions.len && !full; i++) {
        full = function_name(p, i, &scratch);
        label = function_label(p, i, &scratch);
        if (strcmp(full, name) && strcmp(label, name))
            full = NULL;
    }
    if (full)
        full = arena_strndup(arena, full, strlen(full));
    arena_release(&scratch);
    return full;
}

/* In one of the runs of a side. */
static const char *full_name(struct compared *c, const char *name, bool after)
{
    for (size_t i = 0; i < c->count; i++) {
        const char *full = c->inputs[i].after == after
                               ? full_name_in(c->inputs[i].p, name, &c->texts)
                               : NULL;

        if (full)
            return full;
    }
    say("--rename: no function of %s is called \"%s\"",
        after ? "AFTER" : "BEFORE", name);
    return name;
}

/* Files, folders taken apart, and which of them are runs of AFTER. */
struct sides {
    struct recordings files;
    VEC(bool) after;
};

/* The side of a file is that of the last option before it. */
static enum diff_part part_of(const struct diff_settings *s, size_t argument)
{
    enum diff_part part = PART_NONE;

    for (size_t i = 0; i < s->marks.len && s->marks.data[i].at <= argument; i++)
        part = s->marks.data[i].part;
    return part;
}

/* Files before either option are of the side not named; without any, of
 * BEFORE and AFTER in turn, and of AFTER alone when there is a history. */
static bool side_of_others(const struct options *o, size_t which, size_t count,
                           const char *file, bool *after)
{
    bool has_before = diff_has(&o->diff, PART_BEFORE);
    bool has_after = diff_has(&o->diff, PART_AFTER);

    if (has_before && has_after) {
        say("%s stands before --before and --after", file);
        return false;
    }
    if (has_before || has_after) {
        *after = has_before;
        return true;
    }
    if (count != 2 && !(diff_has(&o->diff, PART_HISTORY) && count == 1)) {
        say("%zu file%s named; a comparison takes two, BEFORE and AFTER, or "
            "--before and --after with recordings of each",
            count, count == 1 ? "" : "s");
        return false;
    }
    *after = which + 1 == count;
    return true;
}

static bool add_argument(struct sides *sides, const char *path,
                         enum diff_part part, bool after)
{
    size_t from = sides->files.paths.len;

    if (part != PART_HISTORY)
        *vec_add(&sides->files.paths) = path;
    else if (!recordings_add(&sides->files, path))
        return false;
    while (from++ < sides->files.paths.len)
        *vec_add(&sides->after) = after;
    return true;
}

/* With a fleet, the words after --before and --after are conditions. They
 * become addresses of that fleet, and its own entry becomes NULL. Without a
 * fleet, nothing changes. */
static const char *const *choose_in_fleet(const struct options *o,
                                          const char *const *files,
                                          size_t count, struct arena *arena)
{
    const char **chosen = arena_new(arena, const char *, count);
    const char *address = NULL;
    size_t fleets = 0;

    for (size_t i = 0; i < count; i++) {
        if (!fleet_is_address(files[i]))
            continue;
        address = files[i];
        fleets++;
    }
    if (fleets != 1 || !diff_has(&o->diff, PART_BEFORE) ||
        !diff_has(&o->diff, PART_AFTER))
        return files;
    for (size_t i = 0; i < count; i++)
        if (files[i] != address)
            chosen[i] = arena_fmt(arena, "%s?%s", address, files[i]);
    return chosen;
}

/* Tells the runs of AFTER from those of BEFORE. */
static bool split(const struct options *o, const char *const *files,
                  size_t count, struct sides *sides)
{
    size_t first = o->arguments.len - count, others = 0, other = 0;
    size_t runs[2] = {0, 0};

    files = choose_in_fleet(o, files, count, &sides->files.arena);
    for (size_t i = 0; i < count; i++)
        others += part_of(&o->diff, first + i) == PART_NONE;
    for (size_t i = 0; i < count; i++) {
        enum diff_part part = part_of(&o->diff, first + i);
        bool after = part == PART_AFTER;

        if (!files[i])
            continue;
        if (part == PART_NONE &&
            !side_of_others(o, other++, others, files[i], &after))
            return false;
        if (!add_argument(sides, files[i], part, after))
            return false;
        runs[after]++;
    }
    if (!runs[0] || !runs[1])
        say("no file for %s", runs[0] ? "AFTER" : "BEFORE");
    return runs[0] && runs[1];
}

/* A recording is one run: twice it would say that runs do not differ. */
static bool is_repeated(const char *const *files, const bool *after,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            if (after[i] != after[j] || (strcmp(files[i], files[j]) &&
                                         !output_same_file(files[i], files[j])))
                continue;
            say("%s is given twice as a run of %s", files[j],
                after[j] ? "AFTER" : "BEFORE");
            return true;
        }
    }
    return false;
}

static bool same_bytes(const struct entry *a, const struct entry *b)
{
    return a->size == b->size &&
           (!a->size || !memcmp(a->data, b->data, a->size));
}

/* Compares an entry and the other files of its recording. */
static bool same_entry(struct container *a, struct container *b, size_t i)
{
    const struct entry *x = &a->entries[i], *y = &b->entries[i];
    struct err err = {0};

    if (strcmp(x->inner, y->inner) != 0 || container_load(a, i, &err) ||
        container_load(b, i, &err) || !same_bytes(x, y) ||
        x->part_count != y->part_count)
        return false;
    for (size_t part = 0; part < x->part_count; part++)
        if (!same_bytes(x->parts[part], y->parts[part]))
            return false;
    return true;
}

/* Reads only files of one size, and folders. A recording that cannot be read is
 * no copy. */
static bool is_copy(const char *a, const char *b)
{
    struct stat one, other;
    struct container *first, *second;
    struct err err = {0};
    bool same;

    if (stat(a, &one) || stat(b, &other))
        return false;
    if (one.st_dev == other.st_dev && one.st_ino == other.st_ino)
        return true;
    if (S_ISREG(one.st_mode)
            ? !S_ISREG(other.st_mode) || one.st_size != other.st_size
            : !S_ISDIR(one.st_mode) || !S_ISDIR(other.st_mode))
        return false;
    first = container_open(a, &err);
    second = first ? container_open(b, &err) : NULL;
    same = second && first->count == second->count;
    for (size_t i = 0; same && i < first->count; i++)
        same = same_entry(first, second, i);
    container_close(second);
    container_close(first);
    return same;
}

static void say_copy(const char *first, const char *second, bool one_side,
                     bool after)
{
    if (one_side)
        say_warning("%s is a copy of %s; it does not count as a run of %s",
                    second, first, after ? "AFTER" : "BEFORE");
    else if (strcmp(first, second) != 0)
        say_warning("%s and %s are the same recording: nothing can differ "
                    "between them", first, second);
    else
        say_warning("%s is on both sides: nothing can differ", first);
}

/* A copy of a run would say that runs do not differ, so it is left out. */
static void leave_out_copies(struct sides *sides)
{
    const char **files = sides->files.paths.data;
    bool *after = sides->after.data;
    size_t kept = 0;

    for (size_t i = 0; i < sides->files.paths.len; i++) {
        bool copy = false;

        for (size_t j = 0; j < kept && !copy; j++) {
            if (!is_copy(files[j], files[i]))
                continue;
            copy = after[j] == after[i];
            say_copy(files[j], files[i], copy, after[i]);
        }
        if (copy)
            continue;
        files[kept] = files[i];
        after[kept++] = after[i];
    }
    sides->files.paths.len = sides->after.len = kept;
}

/* CPU samples and samples of waiting threads are not amounts of one thing;
 * times need the interval that a sample stands for. */
static bool comparable(const struct compared *c, const char *const *files,
                       const struct diff_settings *s)
{
    bool timed =
        s->options.normalize == DIFF_WALL || s->options.normalize == DIFF_CPU;

    for (size_t i = 0; i < c->recording_count; i++) {
        const struct profile *first = c->recordings[0]->profile;
        const struct profile *p = c->recordings[i]->profile;

        if (p->quality.negative_values && !s->force) {
            say("%s: not comparable: it is a difference of two profiles "
                "(values below 0 left out: %llu); --force compares the others",
                files[i], (unsigned long long)p->quality.negative_values);
            return false;
        }
        if (!profile_same_metric(first, p) && !s->force) {
            say("%s has %s, %s has %s: not comparable; --force compares them "
                "anyway",
                files[0], profile_metric_beside(first, p), files[i],
                profile_metric_beside(p, first));
            return false;
        }
        if (timed && !profile_knows_time(p)) {
            say("%s: the interval of its samples is not known; --normalize "
                "total compares shares",
                files[i]);
            return false;
        }
    }
    return true;
}

static void add_run(struct compared *c, const struct profile *p,
                    const struct filter *filter, bool after)
{
    c->filters[c->count] = *filter;
    c->inputs[c->count++] = (struct diff_input){.p = p, .after = after};
}

/* Splits a merged database into its inputs, whose differences give the
 * variance. With a filter of time, it stays as it is. */
static void add_runs(struct compared *c, const struct profile *p,
                     const struct filter *filter, bool after)
{
    const struct trace_info *t = &p->trace;
    struct filter part = *filter;

    if (t->inputs.len < 2 || filter->has_time) {
        add_run(c, p, filter, after);
        return;
    }
    part.has_time = true;
    for (size_t i = 0; i < t->inputs.len; i++) {
        part.from = t->inputs.data[i].from;
        part.to = t->inputs.data[i].to;
        add_run(c, p, &part, after);
    }
}

static void select_run(void *context, size_t i, unsigned worker)
{
    struct compared *c = context;

    (void)worker;
    c->inputs[i].sel = selection_new(c->inputs[i].p, &c->filters[i]);
}

/* Makes profiles comparable. Modules with debug information on some sides only
 * are told above the rows. */
static void level_profiles(struct compared *c)
{
    struct profile **list = mem_new(c->recording_count, sizeof(*list));
    struct out *modules = out_memory();
    const char *text;

    for (size_t i = 0; i < c->recording_count; i++)
        list[i] = c->recordings[i]->profile;
    profiles_in_one_unit(list, c->recording_count);
    diff_debug_info_level(list, c->recording_count, modules);
    text = out_close_to(modules, &c->texts);
    c->options.half_known = *text ? text : NULL;
    free(list);
}

static bool load_sides(struct compared *c, const struct options *o,
                       const char *const *files, const bool *after,
                       enum status *status)
{
    size_t runs = 0;
    struct threads *pool;

    c->recordings = mem_new(c->recording_count, sizeof(*c->recordings));
    if (!load_recordings(o, files, c->recording_count, c->recordings, status)) {
        free(c->recordings);
        return false;
    }
    for (size_t i = 0; i < c->recording_count; i++) {
        load_for_people(c->recordings[i]->profile, o);
        runs += 1 + c->recordings[i]->profile->trace.inputs.len;
    }
    level_profiles(c);
    c->inputs = mem_new(runs, sizeof(*c->inputs));
    c->filters = mem_new(runs, sizeof(*c->filters));
    for (size_t i = 0; i < c->recording_count; i++)
        add_runs(c, c->recordings[i]->profile, &o->report.filter, after[i]);
    pool = threads_new(o->threads);
    threads_run(pool, c->count, select_run, c);
    threads_free(pool);
    return true;
}

/* A gate over nothing is no answer. */
static void warn_of_empty_sides(const struct compared *c)
{
    uint64_t there[2] = {0}, left[2] = {0};

    for (size_t i = 0; i < c->count; i++) {
        there[c->inputs[i].after] += c->inputs[i].p->samples.len;
        left[c->inputs[i].after] += c->inputs[i].sel->samples;
    }
    for (int side = 0; side < 2; side++)
        if (there[side] && !left[side])
            say_warning("no samples of %s match the filter",
                        side ? "AFTER" : "BEFORE");
}

static bool load_files(struct compared *c, const struct options *o,
                       struct sides *sides, enum status *status)
{
    const char *const *files = sides->files.paths.data;
    size_t count = sides->files.paths.len;

    if (is_repeated(files, sides->after.data, count) ||
        output_is_input(o->output, files, count))
        return false;
    leave_out_copies(sides);
    c->recording_count = sides->files.paths.len;
    if (!load_sides(c, o, files, sides->after.data, status))
        return false;
    if (comparable(c, files, &o->diff)) {
        /* Says which of them are on neither side; those are left as they are.
         * The result is the comparison's. */
        size_t n = o->diff.renames.len;
        struct diff_rename *full = mem_new(n, sizeof(*full));

        for (size_t i = 0; i < n; i++) {
            full[i].from = full_name(c, o->diff.renames.data[i].from, false);
            full[i].to = full_name(c, o->diff.renames.data[i].to, true);
        }
        c->renames = full;
        c->options.renames = full;
        c->options.rename_count = n;
        warn_of_empty_sides(c);
        return true;
    }
    compare_release(c);
    *status = STATUS_USAGE;
    return false;
}

bool compare_load(struct compared *c, const struct options *o,
                  const char *const *files, size_t count, enum status *status)
{
    struct sides sides = {.files = {.paths = {0}}};
    bool loaded;

    *c = (struct compared){0};
    *status = STATUS_USAGE;
    c->options = o->diff.options;
    c->options.inclusive = o->report.sort == SORT_INCLUSIVE;
    c->options.threads = o->threads;
    loaded = split(o, files, count, &sides) && load_files(c, o, &sides, status);
    recordings_release(&sides.files);
    vec_release(&sides.after);
    return loaded;
}

void compare_release(struct compared *c)
{
    for (size_t i = 0; i < c->count; i++)
        selection_free((struct selection *)c->inputs[i].sel);
    for (size_t i = 0; i < c->recording_count; i++)
        recording_close(c->recordings[i]);
    free(c->recordings);
    free(c->inputs);
    free(c->filters);
    free(c->renames);
    arena_release(&c->texts);
}
