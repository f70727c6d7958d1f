/* What a row that stands for code says. */
#include <stdio.h>
#include <string.h>

#include "engine/analysis/rank_impl.h"
#include "engine/model/titles.h"

static const char *line_label(const char *file, uint32_t line,
                              struct arena *arena)
{
    size_t n = file ? strlen(file) : 0;
    char *text;

    if (!file || !line)
        return file ? file : "[unknown]";
    text = arena_new(arena, char, n + 12);
    snprintf(text, n + 12, "%s:%u", file, (unsigned)line);
    return text;
}

static void set_address(const struct profile *p, uint32_t location,
                        struct rank_row *row)
{
    const struct location *l = &p->locations.data[location];

    row->has_address = true;
    row->address = l->address;
    if (l->method != NO_ID && l->module == NO_ID)
        row->address += methods_get(&p->methods, l->method).start;
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

    row->name = arena_strndup(&r->arena, name, strlen(name));
    row->module = profile_location_module(p, location);
    row->cause = p->functions.data[function].cause;
    set_address(p, location, row);
}

/* Of an address, unless its own name says it: "Name+0x1a". */
static bool needs_function(const struct profile *p,
                           const struct aggregate_first *first)
{
    uint32_t function = p->frames.data[first->frame].function;

    return p->locations.data[first->location].module != NO_ID &&
           p->functions.data[function].cause == CAUSE_NONE;
}

void rank_describe(const struct profile *p, enum rank_by by,
                   const struct aggregate_first *first, struct ranking *r,
                   struct rank_row *row)
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
