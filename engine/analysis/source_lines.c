#include "engine/analysis/source_lines.h"

#include <string.h>

#include "engine/analysis/aggregate.h"

/* Groups of (function, file, line), of the functions asked for only. */
static void group_frames(const struct profile *p, const uint32_t *slots,
                         struct aggregate *groups)
{
    struct map ids = {0};

    groups->of_frame = mem_new(p->frames.len, sizeof(uint32_t));
    for (uint32_t i = 0; i < p->frames.len; i++) {
        const struct frame *f = &p->frames.data[i];
        uint32_t fresh = (uint32_t)groups->first.len;
        uint32_t line = f->file ? f->line : 0;

        groups->of_frame[i] = NO_ID;
        if (slots[f->function] == NO_ID)
            continue;
        groups->of_frame[i] =
            map_add(&ids, (uint64_t)f->function << 32 | f->file, line, fresh);
        if (groups->of_frame[i] == fresh)
            *vec_add(&groups->first) = (struct aggregate_first){NO_ID, i};
    }
    map_release(&ids);
}

static int by_file_and_line(const void *x, const void *y)
{
    const struct line_count *a = x, *b = y;

    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static int by_exclusive(const void *x, const void *y)
{
    const struct file_lines *a = x, *b = y;

    if (a->exclusive != b->exclusive)
        return a->exclusive < b->exclusive ? 1 : -1;
    return (a->file > b->file) - (a->file < b->file);
}

static void split_by_file(struct function_lines *lines)
{
    struct file_lines *file = NULL;

    if (!lines->counts.len)
        return;
    qsort(lines->counts.data, lines->counts.len, sizeof(*lines->counts.data),
          by_file_and_line);
    for (size_t i = 0; i < lines->counts.len; i++) {
        const struct line_count *c = &lines->counts.data[i];

        if (!file || file->file != c->file) {
            file = vec_add(&lines->files);
            *file = (struct file_lines){.file = c->file, .first = i};
        }
        file->end = i + 1;
        file->exclusive += c->exclusive;
    }
    qsort(lines->files.data, lines->files.len, sizeof(*lines->files.data),
          by_exclusive);
}

static void distribute(const struct profile *p, const struct aggregate *groups,
                       const uint32_t *slots, struct function_lines *lines)
{
    for (size_t i = 0; i < groups->first.len; i++) {
        const struct frame *f = &p->frames.data[groups->first.data[i].frame];

        if (groups->inclusive[i])
            *vec_add(&lines[slots[f->function]].counts) = (struct line_count){
                f->file, f->file ? f->line : 0, groups->exclusive[i],
                groups->inclusive[i]};
    }
}

void source_lines_count(const struct profile *p, const struct selection *sel,
                        const uint32_t *functions, size_t count,
                        struct function_lines *lines)
{
    uint32_t *slots = mem_new(p->functions.len, sizeof(*slots));
    struct aggregate groups = {0};

    memset(slots, 0xFF, p->functions.len * sizeof(*slots));
    memset(lines, 0, count * sizeof(*lines));
    for (uint32_t i = 0; i < count; i++)
        slots[functions[i]] = i;
    group_frames(p, slots, &groups);
    aggregate_add_up(&groups, p, sel);
    distribute(p, &groups, slots, lines);
    for (size_t i = 0; i < count; i++)
        split_by_file(&lines[i]);
    aggregate_release(&groups);
    free(slots);
}

void source_lines_release(struct function_lines *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        vec_release(&lines[i].counts);
        vec_release(&lines[i].files);
    }
}
