#include "engine/analysis/rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "engine/base/keysort.h"
#include "engine/model/labels.h"
#include "engine/model/thread_states.h"

static const char *line_label(const char *file, uint32_t line,
                              struct arena *arena)
{
    if (!file || !line)
        return file ? file : "[unknown]";
    return arena_fmt(arena, "%s:%u", file, (unsigned)line);
}

static void set_function(const struct profile *p, uint32_t function,
                         uint32_t location, struct ranking *r,
                         struct rank_row *row)
{
    const struct function *f = &p->functions.data[function];
    const struct location *l = &p->locations.data[location];

    row->name = function_name(p, function, &r->arena);
    row->label = function_label(p, function, &r->arena);
    row->module = function_module(p, function);
    row->id = function;
    row->method = l->method;
    row->kind = f->kind;
    row->cause = f->cause;
    row->address = f->name && l->method != NO_ID
                       ? methods_get(&p->methods, l->method).start
                       : f->address;
    row->has_address = !f->name || row->address;
}

static void set_location(const struct profile *p, uint32_t location,
                         struct ranking *r, struct rank_row *row)
{
    char text[FUNCTION_NAME_SIZE];
    const char *name = profile_location_name(p, location, text);
    uint32_t frame = p->frame_start.data[location];
    uint32_t function = p->frames.data[frame].function;
    const struct location *l;

    row->name = arena_strndup(&r->arena, name, strlen(name));
    row->module = profile_location_module(p, location);
    row->cause = p->functions.data[function].cause;
    l = &p->locations.data[location];
    row->has_address = true;
    row->address = l->address;
    if (l->method != NO_ID && l->module == NO_ID)
        row->address += methods_get(&p->methods, l->method).start;
}

/* A row of an address shows its function unless its name says it: "Name+0x1a".
 */
static bool needs_function(const struct profile *p,
                           const struct aggregate_first *first)
{
    uint32_t function = p->frames.data[first->frame].function;

    return p->locations.data[first->location].module != NO_ID &&
           p->functions.data[function].cause == CAUSE_NONE;
}

static void rank_describe(const struct profile *p, enum rank_by by,
                          const struct aggregate_first *first,
                          struct ranking *r, struct rank_row *row)
{
    const struct frame *frame = &p->frames.data[first->frame];
    uint32_t location = first->location;

    row->id = location;
    row->module = "";
    row->kind = p->locations.data[location].kind;
    if (frame->file && (by == RANK_FUNCTION || by == RANK_FILE ||
                        by == RANK_LINE || by == RANK_ADDRESS))
        row->file = strings_get(p->strings, frame->file);
    if (row->file && (by == RANK_LINE || by == RANK_ADDRESS))
        row->line = frame->line;
    if (row->line || (by == RANK_ADDRESS && needs_function(p, first))) {
        row->function = function_name(p, frame->function, &r->arena);
        row->function_label = function_label(p, frame->function, &r->arena);
    }
    if (by == RANK_FUNCTION)
        set_function(p, frame->function, location, r, row);
    else if (by == RANK_ADDRESS)
        set_location(p, location, r, row);
    else if (by == RANK_MODULE)
        row->name = profile_location_module(p, location);
    else if (by == RANK_KIND)
        row->name = code_kind_name(row->kind);
    else
        row->name = line_label(row->file, row->line, &r->arena);
    if (!row->label)
        row->label = row->name;
}

/* The count that a row must reach to be among the first `limit`. */
static uint64_t least_count(const uint64_t *counts, size_t n, size_t limit)
{
    struct keyed *sorted;
    uint64_t least;

    if (!limit || limit >= n)
        return 0;
    sorted = mem_new(n, sizeof(*sorted));
    for (size_t i = 0; i < n; i++)
        sorted[i].key = counts[i];
    keysort(sorted, n);
    least = sorted[n - limit].key;
    free(sorted);
    return least;
}

/* Rows are sorted by these. */
static const uint64_t *sorted_by(const struct aggregate *groups,
                                 enum rank_sort sort)
{
    if (groups->inclusive_period)
        return sort == SORT_INCLUSIVE ? groups->inclusive_period
                                      : groups->exclusive_period;
    return sort == SORT_INCLUSIVE ? groups->inclusive : groups->exclusive;
}

static int by_number(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_name(const struct rank_row *a, const struct rank_row *b)
{
    int order = strcmp(a->name, b->name);

    if (!order)
        order = strcmp(a->module, b->module);
    return order ? order : by_number(a->id, b->id);
}

static int compare_inclusive(const struct rank_row *a, const struct rank_row *b)
{
    int order = by_number(b->inclusive_period, a->inclusive_period);

    return order ? order : by_number(b->inclusive, a->inclusive);
}

/* Most functions have no sample of their own, so that rows without one need
 * the order of their inclusive samples. */
static int by_exclusive(const void *x, const void *y)
{
    const struct rank_row *a = x, *b = y;
    int order = by_number(b->exclusive_period, a->exclusive_period);

    if (!order)
        order = by_number(b->exclusive, a->exclusive);
    if (!order)
        order = compare_inclusive(a, b);
    return order ? order : by_name(a, b);
}

static int by_inclusive(const void *x, const void *y)
{
    const struct rank_row *a = x, *b = y;
    int order = compare_inclusive(a, b);

    return order ? order : by_name(a, b);
}

struct choice {
    enum rank_by by;
    enum rank_sort sort;
    size_t limit;          /* 0: none */
    const bool *functions; /* by function, those wanted; NULL: all */
};

static struct rank_row row_of(const struct aggregate *groups, size_t i)
{
    struct rank_row row = {.group = (uint32_t)i,
                           .exclusive = groups->exclusive[i],
                           .inclusive = groups->inclusive[i]};

    if (groups->inlined_exclusive) {
        row.inlined_exclusive = groups->inlined_exclusive[i];
        row.inlined_inclusive = groups->inlined_inclusive[i];
    }
    if (groups->inclusive_period) {
        row.exclusive_period = groups->exclusive_period[i];
        row.inclusive_period = groups->inclusive_period[i];
    }
    return row;
}

static bool is_wanted(const struct profile *p, const struct aggregate *groups,
                      const struct choice *choice, size_t i)
{
    uint32_t frame = groups->first.data[i].frame;

    return groups->inclusive[i] &&
           (!choice->functions ||
            choice->functions[p->frames.data[frame].function]);
}

/* Several functions may have a line: instances of generic code, and what was
 * inlined. A row names the one with the most samples at it. */
static void choose_functions(const struct profile *p,
                             const struct selection *sel, enum rank_sort sort,
                             struct aggregate *lines)
{
    struct aggregate parts = {0}; /* lines of one function */
    uint32_t *best = mem_new(lines->first.len, sizeof(*best));
    const uint64_t *counts, *others;
    struct map ids = {0};

    parts.of_frame = mem_new(p->frames.len, sizeof(*parts.of_frame));
    for (uint32_t l = 0; l < p->locations.len; l++)
        for (uint32_t i = p->frame_start.data[l];
             i < p->frame_start.data[l + 1]; i++) {
            uint32_t fresh = (uint32_t)parts.first.len;

            parts.of_frame[i] = map_add(&ids, lines->of_frame[i],
                                        p->frames.data[i].function, fresh);
            if (parts.of_frame[i] == fresh)
                *vec_add(&parts.first) = (struct aggregate_first){l, i};
        }
    aggregate_add_up(&parts, p, sel);
    counts = sorted_by(&parts, sort);
    others = sorted_by(&parts, sort == SORT_INCLUSIVE ? SORT_EXCLUSIVE
                                                      : SORT_INCLUSIVE);
    memset(best, 0xFF, lines->first.len * sizeof(*best));
    for (uint32_t i = 0; i < parts.first.len; i++) {
        uint32_t line = lines->of_frame[parts.first.data[i].frame];
        uint32_t *b = &best[line];

        if (*b != NO_ID &&
            (counts[i] < counts[*b] ||
             (counts[i] == counts[*b] && others[i] <= others[*b])))
            continue;
        *b = i;
        lines->first.data[line] = parts.first.data[i];
    }
    map_release(&ids);
    aggregate_release(&parts);
    free(best);
}

static void rank_code(const struct profile *p, const struct selection *sel,
                      const struct choice *choice, struct ranking *r)
{
    struct aggregate groups = {0};
    const uint64_t *counts;
    uint64_t least = 0;

    aggregate_count(&groups, p, sel, choice->by);
    if (choice->by == RANK_LINE)
        choose_functions(p, sel, choice->sort, &groups);
    counts = sorted_by(&groups, choice->sort);
    if (!choice->functions)
        least = least_count(counts, groups.first.len, choice->limit);
    r->rows = mem_new(groups.first.len, sizeof(*r->rows));
    for (size_t i = 0; i < groups.first.len; i++) {
        if (!is_wanted(p, &groups, choice, i))
            continue;
        r->total++;
        if (counts[i] < least)
            continue;
        r->rows[r->len] = row_of(&groups, i);
        rank_describe(p, choice->by, &groups.first.data[i], r,
                      &r->rows[r->len]);
        r->len++;
    }
    aggregate_release(&groups);
}

static struct rank_row process_row(const struct profile *p, uint32_t process,
                                   uint64_t count, uint64_t period)
{
    return (struct rank_row){
        .exclusive = count,
        .inclusive = count,
        .exclusive_period = period,
        .inclusive_period = period,
        .name = process_label(p, process),
        .label = process_label(p, process),
        .module = "",
        .id = process,
        .group = process,
        .pid = p->processes.data[process].pid,
    };
}

static uint64_t thread_period(const struct selection *sel, size_t thread)
{
    return sel->thread_periods ? sel->thread_periods[thread] : 0;
}

static void rank_threads(const struct profile *p, const struct selection *sel,
                         struct ranking *r)
{
    r->rows = mem_new(p->threads.len, sizeof(*r->rows));
    for (size_t i = 0; i < p->threads.len; i++) {
        const struct thread *t = &p->threads.data[i];
        struct rank_row *row = &r->rows[r->len];

        if (!sel->thread_counts[i])
            continue;
        *row = process_row(p, t->process, sel->thread_counts[i],
                           thread_period(sel, i));
        if (t->name)
            row->name = row->label = strings_get(p->strings, t->name);
        row->id = row->group = (uint32_t)i;
        row->tid = t->tid;
        r->len++;
    }
}

static void rank_processes(const struct profile *p, const struct selection *sel,
                           struct ranking *r)
{
    uint64_t *counts = mem_new(p->processes.len, sizeof(*counts));
    uint64_t *periods = mem_new(p->processes.len, sizeof(*periods));

    for (size_t i = 0; i < p->threads.len; i++) {
        counts[p->threads.data[i].process] += sel->thread_counts[i];
        periods[p->threads.data[i].process] += thread_period(sel, i);
    }
    r->rows = mem_new(p->processes.len, sizeof(*r->rows));
    for (size_t i = 0; i < p->processes.len; i++) {
        if (counts[i])
            r->rows[r->len++] =
                process_row(p, (uint32_t)i, counts[i], periods[i]);
    }
    free(counts);
    free(periods);
}

/* Adds the row of an input or of a state, unless nothing was counted there. */
static void add_counted(struct ranking *r, uint32_t id, const char *name,
                        uint64_t count)
{
    if (count)
        r->rows[r->len++] = (struct rank_row){
            .exclusive = count,
            .inclusive = count,
            .name = name,
            .label = name,
            .module = "",
            .id = id,
            .group = id,
        };
}

/* The input that this time is of; their number where it is of none. */
static size_t input_at(const struct trace_info *t, int64_t time)
{
    size_t i;

    BISECT(i, t->inputs.len, t->inputs.data[i].from <= time);
    return i && time < t->inputs.data[i - 1].to ? i - 1 : t->inputs.len;
}

static void rank_inputs(const struct profile *p, const struct selection *sel,
                        struct ranking *r)
{
    const struct trace_info *t = &p->trace;
    uint64_t *counts = mem_new(t->inputs.len + 1, sizeof(*counts));

    for (size_t i = 0; i < p->samples.len; i++)
        if (selection_has(p, sel, i))
            counts[input_at(t, p->samples.time[i])] += sample_weight(p, i);
    r->rows = mem_new(t->inputs.len, sizeof(*r->rows));
    for (size_t i = 0; i < t->inputs.len; i++) {
        const char *name = strings_get(p->strings, t->inputs.data[i].name);

        add_counted(r, (uint32_t)i, *name ? name : "[unknown]", counts[i]);
    }
    free(counts);
}

static void rank_waits(const struct profile *p, const struct selection *sel,
                       struct ranking *r)
{
    uint64_t *counts = mem_new(thread_waits(), sizeof(*counts));

    for (size_t i = 0; i < p->samples.len; i++)
        if (selection_has(p, sel, i))
            counts[sample_wait(p->samples.flags[i])] += sample_weight(p, i);
    r->rows = mem_new(thread_waits(), sizeof(*r->rows));
    for (unsigned i = 0; i < thread_waits(); i++)
        add_counted(r, i, thread_wait_at(i).name, counts[i]);
    free(counts);
}

static void rank_values(const struct profile *p, const struct selection *sel,
                        struct ranking *r)
{
    struct map rows = {0}; /* by string */
    VEC(uint32_t) values = {0};
    VEC(uint64_t) counts = {0};

    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t value = p->samples.value ? p->samples.value[i] : 0;
        uint32_t fresh = mem_next_id(values.len), id;

        if (!selection_has(p, sel, i))
            continue;
        id = map_add(&rows, value, 0, fresh);
        if (id == fresh) {
            *vec_add(&values) = value;
            *vec_add(&counts) = 0;
        }
        counts.data[id] += sample_weight(p, i);
    }
    r->rows = mem_new(values.len, sizeof(*r->rows));
    for (uint32_t i = 0; i < values.len; i++) {
        const char *name = strings_get(p->strings, values.data[i]);

        add_counted(r, values.data[i], *name ? name : "[none]", counts.data[i]);
    }
    vec_release(&values);
    vec_release(&counts);
    map_release(&rows);
}

static struct ranking *ranked(const struct profile *p,
                              const struct selection *sel,
                              const struct choice *choice)
{
    struct ranking *r = mem_new(1, sizeof(*r));

    if (choice->by == RANK_PROCESS)
        rank_processes(p, sel, r);
    else if (choice->by == RANK_THREAD)
        rank_threads(p, sel, r);
    else if (choice->by == RANK_WAIT)
        rank_waits(p, sel, r);
    else if (choice->by == RANK_LABEL)
        rank_inputs(p, sel, r);
    else if (choice->by == RANK_VALUE)
        rank_values(p, sel, r);
    else
        rank_code(p, sel, choice, r);
    if (r->total < r->len)
        r->total = r->len;
    if (r->len)
        qsort(r->rows, r->len, sizeof(*r->rows),
              choice->sort == SORT_INCLUSIVE ? by_inclusive : by_exclusive);
    return r;
}

struct ranking *ranking_top(const struct profile *p,
                            const struct selection *sel, enum rank_by by,
                            enum rank_sort sort, size_t limit)
{
    return ranked(p, sel, &(struct choice){by, sort, limit, NULL});
}

struct ranking *ranking_of(const struct profile *p, const struct selection *sel,
                           const bool *functions, size_t limit)
{
    return ranked(
        p, sel,
        &(struct choice){RANK_FUNCTION, SORT_EXCLUSIVE, limit, functions});
}

struct ranking *ranking_new(const struct profile *p,
                            const struct selection *sel, enum rank_by by,
                            enum rank_sort sort)
{
    return ranking_top(p, sel, by, sort, 0);
}

void ranking_free(struct ranking *ranking)
{
    if (!ranking)
        return;
    free(ranking->rows);
    arena_release(&ranking->arena);
    free(ranking);
}
