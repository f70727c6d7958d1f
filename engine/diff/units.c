#include "engine/diff/units.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/model/labels.h"

static uint32_t location_of(const struct profile *p, uint32_t stack)
{
    return p->stacks.data[stack].location;
}

static uint32_t first_frame(const struct profile *p, uint32_t stack)
{
    return p->frame_start.data[location_of(p, stack)];
}

static uint32_t end_frame(const struct profile *p, uint32_t stack)
{
    return p->frame_start.data[location_of(p, stack) + 1];
}

/* Units by frame, or by function. */
struct units {
    const uint32_t *of;
    bool by_frame;
};

static uint32_t unit_at(const struct profile *p, const struct units *units,
                        uint32_t frame)
{
    return units->of[units->by_frame ? frame : p->frames.data[frame].function];
}

/* Stack `s` has one, at `s - 1`. */
static void exclusive_units(struct diff_places *places,
                            const struct units *units)
{
    const struct profile *p = places->p;

    places->start = mem_new(p->stacks.len + 1, sizeof(uint32_t));
    vec_reserve(&places->units, p->stacks.len);
    for (uint32_t i = 1; i < p->stacks.len; i++) {
        *vec_add(&places->units) = unit_at(p, units, first_frame(p, i));
        places->start[i + 1] = i;
    }
}

/* Finds which units a stack is the first on its path to have. The walk finds
 * them stack by stack; they are put in order of stacks afterwards. */
struct unit_walk {
    const struct profile *p;
    const struct units *units;
    VEC(uint32_t) on_path; /* by unit: how often */
    VEC(uint32_t) found;   /* in order of the walk */
    uint32_t *found_at, *found_count; /* by stack */
};

static void enter_units(void *context, uint32_t stack)
{
    struct unit_walk *w = context;

    w->found_at[stack] = (uint32_t)w->found.len;
    for (uint32_t i = first_frame(w->p, stack); i < end_frame(w->p, stack);
         i++) {
        uint32_t unit = unit_at(w->p, w->units, i);

        while (w->on_path.len <= unit)
            *vec_add(&w->on_path) = 0;
        if (w->on_path.data[unit]++ == 0)
            *vec_add(&w->found) = unit;
    }
    w->found_count[stack] = (uint32_t)w->found.len - w->found_at[stack];
}

static void leave_units(void *context, uint32_t stack)
{
    struct unit_walk *w = context;

    for (uint32_t i = first_frame(w->p, stack); i < end_frame(w->p, stack);
         i++)
        w->on_path.data[unit_at(w->p, w->units, i)]--;
}

static void inclusive_units(struct diff_places *places,
                            const struct diff_input *input,
                            const struct units *units)
{
    const struct profile *p = input->p;
    size_t stacks = p->stacks.len;
    uint64_t *inclusive = stacks_inclusive(p, input->sel->stack_counts);
    struct unit_walk w = {.p = p, .units = units};

    w.found_at = mem_new(stacks, sizeof(uint32_t));
    w.found_count = mem_new(stacks, sizeof(uint32_t));
    stacks_walk(p, inclusive, enter_units, leave_units, &w);
    places->start = mem_new(stacks + 1, sizeof(uint32_t));
    for (size_t i = 0; i < stacks; i++) {
        places->start[i] = (uint32_t)places->units.len;
        for (uint32_t j = 0; j < w.found_count[i]; j++)
            *vec_add(&places->units) = w.found.data[w.found_at[i] + j];
    }
    places->start[stacks] = (uint32_t)places->units.len;
    free(inclusive);
    free(w.found_at);
    free(w.found_count);
    vec_release(&w.on_path);
    vec_release(&w.found);
}

static void place(struct diff_places *places, const struct diff_input *input,
                  const struct units *units, bool inclusive)
{
    places->p = input->p;
    places->below = inclusive;
    if (inclusive)
        inclusive_units(places, input, units);
    else
        exclusive_units(places, units);
}

void diff_places_of_functions(struct diff_places *places,
                              const struct diff_input *input,
                              const uint32_t *unit_of, bool inclusive)
{
    const struct units units = {unit_of, false};

    place(places, input, &units, inclusive);
}

/* The same by frame: `unit_of` has a unit for each, not for its function. */
static void diff_places_of_frames(struct diff_places *places,
                                  const struct diff_input *input,
                                  const uint32_t *unit_of, bool inclusive)
{
    const struct units units = {unit_of, true};

    place(places, input, &units, inclusive);
}

void diff_places_of_none(struct diff_places *places,
                         const struct diff_input *input)
{
    places->p = input->p;
    places->start = mem_new(input->p->stacks.len + 1, sizeof(uint32_t));
}

static uint32_t path_below(struct diff_paths *paths, uint32_t parent,
                           uint32_t function)
{
    uint32_t fresh = (uint32_t)paths->list.len;
    uint32_t id = map_add(&paths->ids, (uint64_t)parent << 32 | function, 0,
                          fresh);

    if (id == fresh)
        *vec_add(&paths->list) = (struct diff_path){parent, function};
    return id;
}

/* A stack's path is below its parent's, which has a smaller id. */
void diff_places_of_paths(struct diff_places *places,
                          const struct diff_input *input,
                          const uint32_t *unit_of, struct diff_paths *paths,
                          bool inclusive)
{
    const struct profile *p = input->p;
    uint64_t *samples = stacks_inclusive(p, input->sel->stack_counts);
    uint32_t *path_of = mem_new(p->stacks.len, sizeof(*path_of));

    places->p = p;
    places->below = inclusive;
    places->start = mem_new(p->stacks.len + 1, sizeof(uint32_t));
    if (!paths->list.len)
        *vec_add(&paths->list) = (struct diff_path){NO_ID, NO_ID};
    for (uint32_t i = 1; i < p->stacks.len; i++) {
        uint32_t at = path_of[p->stacks.data[i].parent];

        places->start[i] = (uint32_t)places->units.len;
        if (!samples[i])
            continue;
        for (uint32_t f = end_frame(p, i); f-- > first_frame(p, i);) {
            at = path_below(paths, at, unit_of[p->frames.data[f].function]);
            if (inclusive || f == first_frame(p, i))
                *vec_add(&places->units) = at;
        }
        path_of[i] = at;
    }
    places->start[p->stacks.len] = (uint32_t)places->units.len;
    free(samples);
    free(path_of);
}

void diff_places_release(struct diff_places *places)
{
    free(places->of_thread);
    free(places->start);
    vec_release(&places->units);
}

void diff_paths_release(struct diff_paths *paths)
{
    vec_release(&paths->list);
    map_release(&paths->ids);
}

bool diff_groups_can(enum rank_by by)
{
    return by == RANK_MODULE || by == RANK_PROCESS || by == RANK_THREAD ||
           by == RANK_FILE || by == RANK_LINE || by == RANK_VALUE;
}

struct grouping {
    const struct diff_input *input;
    const struct diff_pairs *pairs;
    const uint32_t *unit_of;
    struct diff_groups *groups;
};

static uint32_t key_of(struct diff_groups *groups, const char *text)
{
    return strings_fold(groups->keys,
                        strings_add(groups->keys, text, strlen(text)));
}

/* By the text without regard to case, and a number. */
static uint32_t group_of(struct diff_groups *groups, const char *key,
                         uint64_t number, const struct diff_group *shown)
{
    uint32_t fresh = (uint32_t)groups->list.len;
    uint32_t id = map_add(&groups->ids, number, key_of(groups, key), fresh);

    if (id == fresh)
        *vec_add(&groups->list) = *shown;
    return id;
}

static uint32_t group_of_name(struct diff_groups *groups, const char *name)
{
    struct diff_group shown = {name, name, "", false};

    return group_of(groups, name, 0, &shown);
}

/* "Orders.cs:12 Orders.Basket.Total"; a function without lines is one row. */
static uint32_t group_of_line(const struct grouping *g,
                              const struct frame *frame)
{
    const struct profile *p = g->input->p;
    uint32_t unit = g->unit_of[frame->function];
    const struct diff_name *n = &g->pairs->names.data[unit];
    struct diff_group shown = {n->name, n->label, n->module, true};
    const char *path = strings_get(p->strings, frame->file);
    const char *file = path_base_name(path);
    uint32_t line = frame->file ? frame->line : 0;

    if (line) {
        shown.name =
            arena_fmt(&g->groups->arena, "%s:%u", path, (unsigned)line);
        shown.label = arena_fmt(&g->groups->arena, "%s:%u %s", file,
                                (unsigned)line, n->label);
        shown.is_function = false;
    }
    return group_of(g->groups, line ? file : "", (uint64_t)unit << 32 | line,
                    &shown);
}

static uint32_t group_of_frame(const struct grouping *g,
                               const struct frame *frame)
{
    const struct profile *p = g->input->p;

    if (g->unit_of[frame->function] == NO_ID)
        return NO_ID;
    if (g->groups->by == RANK_LINE)
        return group_of_line(g, frame);
    if (g->groups->by == RANK_MODULE)
        return group_of_name(g->groups, function_module(p, frame->function));
    return group_of_name(g->groups, frame->file
                                        ? strings_get(p->strings, frame->file)
                                        : "[unknown]");
}

static uint32_t group_of_thread(const struct grouping *g, size_t thread)
{
    const struct profile *p = g->input->p;
    const struct thread *t = &p->threads.data[thread];
    const char *process = process_label(p, t->process);
    const char *name =
        t->name ? strings_get(p->strings, t->name) : "threads without a name";

    if (g->groups->by == RANK_PROCESS)
        return group_of_name(g->groups, process);
    return group_of_name(
        g->groups, arena_fmt(&g->groups->arena, "%s (%s)", name, process));
}

static void place_threads(const struct grouping *g, struct diff_places *places)
{
    const struct profile *p = g->input->p;

    places->p = p;
    places->of_thread = mem_new(p->threads.len, sizeof(*places->of_thread));
    for (size_t i = 0; i < p->threads.len; i++)
        places->of_thread[i] =
            g->input->sel->thread_counts[i] ? group_of_thread(g, i) : NO_ID;
}

/* A stack has the unit of the value that it begins with
 * (input/weighed_events.h). */
static void place_values(const struct grouping *g, struct diff_places *places)
{
    const struct profile *p = g->input->p;

    places->p = p;
    places->start = mem_new(p->stacks.len + 1, sizeof(*places->start));
    vec_reserve(&places->units, p->stacks.len);
    for (uint32_t i = 1; i < p->stacks.len; i++) {
        uint32_t parent = p->stacks.data[i].parent;
        uint32_t function = p->frames.data[end_frame(p, i) - 1].function;
        uint32_t name = p->functions.data[function].name;
        uint32_t unit =
            parent ? places->units.data[parent - 1]
                   : group_of_name(g->groups, strings_get(p->strings, name));

        *vec_add(&places->units) = unit;
        places->start[i + 1] = i;
    }
}

void diff_places_of_groups(struct diff_places *places,
                           const struct diff_input *input,
                           const struct diff_pairs *pairs,
                           const uint32_t *unit_of, struct diff_groups *groups,
                           bool inclusive)
{
    const struct grouping g = {input, pairs, unit_of, groups};
    const struct profile *p = input->p;
    uint32_t *group;

    if (!groups->keys)
        groups->keys = strings_new();
    if (groups->by == RANK_PROCESS || groups->by == RANK_THREAD) {
        place_threads(&g, places);
        return;
    }
    if (groups->by == RANK_VALUE) {
        place_values(&g, places);
        return;
    }
    group = mem_new(p->frames.len, sizeof(*group));
    for (size_t i = 0; i < p->frames.len; i++)
        group[i] = group_of_frame(&g, &p->frames.data[i]);
    diff_places_of_frames(places, input, group, inclusive);
    free(group);
}

void diff_groups_release(struct diff_groups *groups)
{
    vec_release(&groups->list);
    map_release(&groups->ids);
    if (groups->keys)
        strings_free(groups->keys);
    arena_release(&groups->arena);
}
