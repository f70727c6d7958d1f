#include "engine/diff/groups.h"

#include <stdio.h>
#include <string.h>

#include "engine/model/titles.h"
#include "engine/base/text.h"

bool diff_groups_can(enum rank_by by)
{
    return by == RANK_MODULE || by == RANK_PROCESS || by == RANK_THREAD ||
           by == RANK_FILE || by == RANK_LINE;
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
    size_t size = strlen(path) + strlen(n->label) + 16;
    char *name, *label;

    if (line) {
        name = arena_new(&g->groups->arena, char, size);
        label = arena_new(&g->groups->arena, char, size);
        snprintf(name, size, "%s:%u", path, (unsigned)line);
        snprintf(label, size, "%s:%u %s", file, (unsigned)line, n->label);
        shown.name = name;
        shown.label = label;
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
    size_t size = strlen(process) + strlen(name) + 4;
    char *label;

    if (g->groups->by == RANK_PROCESS)
        return group_of_name(g->groups, process);
    label = arena_new(&g->groups->arena, char, size);
    snprintf(label, size, "%s (%s)", name, process);
    return group_of_name(g->groups, label);
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
