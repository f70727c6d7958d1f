#include "report/export/frame_name.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/model/labels.h"
#include "engine/model/profile.h"

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

static const char *joined(struct arena *arena, const char *a, const char *b,
                          const char *c)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = arena_new(arena, char, size);

    snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

static const char *plain_name(const struct profile *p, uint32_t function,
                              bool recorded, struct arena *arena)
{
    return recorded ? function_name(p, function, arena)
                    : function_label(p, function, arena);
}

const char *frame_function(const struct profile *p, uint32_t function,
                           bool recorded, struct arena *arena)
{
    const char *name = plain_name(p, function, recorded, arena);

    if (!frame_function_is_unnamed(p, function))
        return name;
    return joined(arena, function_module(p, function), " ", name);
}

static const char *with_line(const struct profile *p, const struct frame *frame,
                             const char *name, struct arena *arena)
{
    const char *file = strings_get(p->strings, frame->file);
    char line[16];

    if (!frame->file)
        return name;
    name = joined(arena, name, ":", path_base_name(file));
    if (!frame->line)
        return name;
    snprintf(line, sizeof(line), "%u", (unsigned)frame->line);
    return joined(arena, name, ":", line);
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
        name = joined(arena, function_module(p, f->function), "!",
                      plain_name(p, f->function, style->recorded, arena));
    else
        name = frame_function(p, f->function, style->recorded, arena);
    if (style->lines)
        name = with_line(p, f, name, arena);
    if (style->marks)
        name = joined(arena, name, mark_of(&p->locations.data[location], f),
                      "");
    return name;
}

const char *thread_title(const struct profile *p, uint32_t thread,
                         struct arena *arena)
{
    const struct thread *t = &p->threads.data[thread];
    const char *name = strings_get(p->strings, t->name);
    size_t size;
    char *text;

    if (!*name)
        name = "thread";
    size = strlen(name) + sizeof(" (4294967295)");
    text = arena_new(arena, char, size);
    snprintf(text, size, "%s (%u)", name, (unsigned)t->tid);
    return text;
}
