#include "report/export/frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/model/labels.h"

bool frame_style_by_function(const struct frame_style *style)
{
    return !style->lines && !style->marks;
}

bool frame_function_is_unnamed(const struct profile *p, uint32_t function)
{
    const struct function *f = &p->functions.data[function];

    return f->name &&
           !strcmp(strings_get(p->strings, f->name), NAME_NO_SYMBOLS);
}

/* Other tools know unknown code by its recorded name, "[unknown]". */
static const char *plain_name(const struct profile *p, uint32_t function,
                              bool recorded, struct arena *arena)
{
    return recorded || function_is_unknown(p, function)
               ? function_name(p, function, arena)
               : function_label(p, function, arena);
}

const char *frame_function(const struct profile *p, uint32_t function,
                           bool recorded, struct arena *arena)
{
    const char *name = plain_name(p, function, recorded, arena);

    if (!frame_function_is_unnamed(p, function))
        return name;
    return arena_fmt(arena, "%s %s", function_module(p, function), name);
}

static const char *with_line(const struct profile *p, const struct frame *frame,
                             const char *name, struct arena *arena)
{
    const char *file = strings_get(p->strings, frame->file);

    if (!frame->file)
        return name;
    if (!frame->line)
        return arena_fmt(arena, "%s:%s", name, path_base_name(file));
    return arena_fmt(arena, "%s:%s:%u", name, path_base_name(file),
                     (unsigned)frame->line);
}

static const char *mark_of(const struct location *l, const struct frame *frame)
{
    if (frame->inlined)
        return "_[i]";
    if (l->kind == CODE_KERNEL)
        return "_[k]";
    if (l->kind == CODE_MANAGED || l->kind == CODE_SCRIPT)
        return "_[j]";
    return "";
}

const char *frame_name(const struct profile *p, uint32_t location,
                       uint32_t frame, const struct frame_style *style,
                       struct arena *arena)
{
    const struct frame *f = &p->frames.data[frame];
    const struct function *function = &p->functions.data[f->function];
    const char *name;

    if (style->module && function->module && function->name)
        name = arena_fmt(arena, "%s!%s", function_module(p, f->function),
                         plain_name(p, f->function, style->recorded, arena));
    else
        name = frame_function(p, f->function, style->recorded, arena);
    if (style->lines)
        name = with_line(p, f, name, arena);
    if (!style->marks)
        return name;
    return arena_fmt(arena, "%s%s", name,
                     mark_of(&p->locations.data[location], f));
}

const char *thread_title(const struct profile *p, uint32_t thread,
                         struct arena *arena)
{
    const struct thread *t = &p->threads.data[thread];
    const char *name = strings_get(p->strings, t->name);

    if (!*name)
        name = "thread";
    if (!is_thread_id(p->processes.data[t->process].pid, t->tid))
        return name;
    return arena_fmt(arena, "%s (%u)", name, (unsigned)t->tid);
}

struct frame_list frame_list_of(const struct subject *s)
{
    struct frame_list list = {
        .p = s->p,
        .style = {.module = s->options->with_module,
                  .lines = s->options->with_lines,
                  .marks = s->options->with_marks},
        .names = strings_new(),
    };

    list.ids =
        mem_new(frame_style_by_function(&list.style) ? s->p->functions.len
                                                     : s->p->frames.len,
                sizeof(*list.ids));
    return list;
}

void frame_list_release(struct frame_list *list)
{
    strings_free(list->names);
    vec_release(&list->first);
    free(list->ids);
    arena_release(&list->scratch);
}

uint32_t frame_list_id(struct frame_list *list, uint32_t location,
                       uint32_t frame)
{
    uint32_t key = frame_style_by_function(&list->style)
                       ? list->p->frames.data[frame].function
                       : frame;
    const char *name;

    if (list->ids[key])
        return list->ids[key] - 1;
    name = frame_name(list->p, location, frame, &list->style, &list->scratch);
    if (!*name)
        name = "?";
    list->ids[key] = strings_add(list->names, name, strlen(name));
    arena_reset(&list->scratch);
    if (list->ids[key] > list->first.len)
        *vec_add(&list->first) = frame;
    return list->ids[key] - 1;
}

const char *frame_list_file(const struct frame_list *list, uint32_t id)
{
    uint32_t file = list->p->frames.data[list->first.data[id]].file;

    return file ? strings_get(list->p->strings, file) : NULL;
}

struct thread_samples thread_samples_new(const struct profile *p,
                                         const struct selection *sel)
{
    size_t n = p->threads.len, sum = 0;
    struct thread_samples t = {.start = mem_new(n + 2, sizeof(*t.start))};
    size_t *next = t.start + 1; /* of a thread where its next sample goes */

    for (size_t i = 0; i < p->samples.len; i++)
        t.start[p->samples.thread[i] + 2] += selection_has(p, sel, i);
    for (size_t i = 0; i < n; i++)
        sum = next[i + 1] += sum;
    t.order = mem_new(sum, sizeof(*t.order));
    for (size_t i = 0; i < p->samples.len; i++)
        if (selection_has(p, sel, i))
            t.order[next[p->samples.thread[i]]++] = i;
    return t;
}

void thread_samples_release(struct thread_samples *samples)
{
    free(samples->start);
    free(samples->order);
}

uint64_t sample_nanoseconds(const struct profile *p, uint64_t weight)
{
    if (profile_counts_time(p))
        return profile_nanoseconds(p, weight);
    return p->trace.interval_ns > 0 && profile_counts_samples(p)
               ? weight * (uint64_t)p->trace.interval_ns /
                     power_of_ten(p->trace.metric.decimals)
               : 0;
}

const char *thread_full_title(const struct profile *p, uint32_t thread,
                              struct arena *arena)
{
    return arena_fmt(arena, "%s %s",
                     process_title(p, p->threads.data[thread].process, arena),
                     thread_title(p, thread, arena));
}
