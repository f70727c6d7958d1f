#include "report/export/frame_list.h"

#include <stdlib.h>
#include <string.h>

struct frame_list frame_list_of(const struct subject *s)
{
    struct frame_list list = {
        .p = s->p,
        .style = {.module = s->options->with_module,
                  .lines = s->options->with_lines,
                  .marks = s->options->with_marks},
        .names = strings_new(),
    };

    list.ids = mem_new(frame_style_by_function(&list.style)
                           ? s->p->functions.len
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
