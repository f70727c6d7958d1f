#include "report/profile/annotate_rows.h"

#include <string.h>

#include "engine/base/textfile.h"

static const char *base_name(const char *path)
{
    const char *name = path;

    for (; *path; path++)
        if (*path == '/' || *path == '\\')
            name = path + 1;
    return name;
}

static const char *copied(struct annotate_view *v, struct out *text)
{
    size_t n;
    const char *all = out_text(text, &n);

    all = arena_strndup(&v->arena, all, n);
    out_close(text, NULL);
    return all;
}

/* "> | | ": whether it is jumped to, and how deep it is inlined. */
static const char *prefix_of(struct annotate_view *v, bool is_target,
                             size_t depth)
{
    struct out *text = out_memory();

    out_str(text, is_target ? "> " : "  ");
    while (depth--)
        out_str(text, "| ");
    return copied(v, text);
}

/* In Markdown, as in data, a value has one text. */
static void add_row(struct annotate_view *v,
                    const struct annotated_instruction *i, size_t depth,
                    const char *text)
{
    struct annotate_row row = {.instruction = i, .text = text};
    struct out *joined;

    row.prefix = prefix_of(v, i && i->is_target, depth);
    if (v->subject->options->format == FORMAT_MARKDOWN) {
        joined = out_memory();
        out_fmt(joined, "%s%s", row.prefix, text);
        row.text = copied(v, joined);
        row.prefix = NULL;
    }
    *vec_add(&v->rows) = row;
}

/* The source at a frame's line, without what it is indented by. */
static const char *source_line(const struct annotate_view *v,
                               const struct annotated_frame *f)
{
    const struct source_finder *finder = &v->subject->sources;
    struct textfile *source = NULL;
    const char *line;

    if (f->file && f->line)
        source = finder->find(finder->state, f->file);
    if (!source || f->line > textfile_lines(source))
        return "";
    line = textfile_line(source, f->line);
    return line + strspn(line, " ");
}

/* Code that the compiler made has a file, but no line. */
static void add_place(const char *file, uint32_t line, struct out *text)
{
    out_str(text, file);
    if (line)
        out_fmt(text, ":%u", (unsigned)line);
}

/* `depth` 0 is the function itself, whose name stands in the heading. */
static void add_source(struct annotate_view *v, const struct annotated_frame *f,
                       size_t depth)
{
    struct out *text = out_memory();
    const char *line = source_line(v, f);

    if (depth || !f->file)
        out_fmt(text, "%s%s", f->function, f->file ? " " : "");
    if (f->file)
        add_place(base_name(f->file), f->line, text);
    if (*line)
        out_fmt(text, "  %s", line);
    add_row(v, NULL, depth, copied(v, text));
}

static bool same_frame(const struct annotated_frame *a,
                       const struct annotated_frame *b)
{
    if (a->line != b->line || strcmp(a->function, b->function) != 0)
        return false;
    return a->file && b->file ? !strcmp(a->file, b->file) : a->file == b->file;
}

/* The frame `depth` steps in from the outermost. */
static const struct annotated_frame *
frame_at(const struct annotated_part *part,
         const struct annotated_instruction *i, size_t depth)
{
    return &part->frames.data[i->frame + i->frame_count - 1 - depth];
}

/* What is not as it was for the instruction before, but at least where this
 * one is. */
static void add_sources(struct annotate_view *v,
                        const struct annotated_part *part,
                        const struct annotated_instruction *before,
                        const struct annotated_instruction *i)
{
    size_t same = 0;

    if (!i->frame_count || (before && before->frame == i->frame &&
                            before->frame_count == i->frame_count))
        return;
    while (before && same < before->frame_count && same < i->frame_count &&
           same_frame(frame_at(part, before, same), frame_at(part, i, same)))
        same++;
    if (same == i->frame_count)
        same--;
    for (; same < i->frame_count; same++)
        add_source(v, frame_at(part, i, same), same);
}

static void add_instruction(struct annotate_view *v,
                            const struct annotated_instruction *i)
{
    size_t depth = i->frame_count ? i->frame_count - 1 : 0;
    struct out *text = out_memory();

    out_str(text, i->text);
    if (i->target_name)
        out_fmt(text, " -> %s", i->target_name);
    add_row(v, i, depth, copied(v, text));
}

void annotate_drawn_rows(struct annotate_view *v,
                         const struct annotated *function,
                         const struct annotated_part *part)
{
    const struct annotated_instruction *before = NULL;
    size_t first = v->rows.len;

    for (size_t k = 0; k < part->instructions.len; k++) {
        const struct annotated_instruction *i = &part->instructions.data[k];

        add_sources(v, part, before, i);
        add_instruction(v, i);
        before = i;
    }
    for (; first < v->rows.len; first++) {
        v->rows.data[first].function = function;
        v->rows.data[first].part = part;
    }
}

static const char *hex(struct annotate_view *v, struct bytes bytes)
{
    struct out *text = out_memory();

    for (size_t i = 0; i < bytes.len; i++)
        out_fmt(text, "%02x", bytes.data[i]);
    return copied(v, text);
}

/* "mix_twice (app.c:20), rounds (app.c:31)"; NULL: it is not inlined. */
static const char *callers(struct annotate_view *v,
                           const struct annotated_part *part,
                           const struct annotated_instruction *i)
{
    struct out *text;

    if (i->frame_count < 2)
        return NULL;
    text = out_memory();
    for (size_t k = 1; k < i->frame_count; k++) {
        const struct annotated_frame *f = &part->frames.data[i->frame + k];

        out_fmt(text, "%s%s", k > 1 ? ", " : "", f->function);
        if (!f->file)
            continue;
        out_str(text, " (");
        add_place(f->file, f->line, text);
        out_char(text, ')');
    }
    return copied(v, text);
}

void annotate_data_rows(struct annotate_view *v,
                        const struct annotated *function,
                        const struct annotated_part *part)
{
    for (size_t k = 0; k < part->instructions.len; k++) {
        const struct annotated_instruction *i = &part->instructions.data[k];

        *vec_add(&v->rows) = (struct annotate_row){
            .function = function,
            .part = part,
            .instruction = i,
            .text = i->text,
            .bytes = hex(v, i->bytes),
            .inlined_into = callers(v, part, i),
        };
    }
}

void annotate_view_release(struct annotate_view *v)
{
    vec_release(&v->rows);
    arena_release(&v->arena);
}
