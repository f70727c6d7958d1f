#include "report/profile/list_rows.h"

#include <string.h>

/* A function is shown whole when its lines with samples span no more. */
enum { SHORT = 50, GAP_MIN = 2 };

static void add_row(struct list *l, const struct list_row *like, uint32_t line,
                    const struct line_count *count, struct textfile *source)
{
    struct list_row row = *like;

    row.line = line;
    row.is_counted = count != NULL;
    if (count)
        row.count = *count;
    if (source && line && line <= textfile_lines(source))
        row.text = textfile_line(source, line);
    *vec_add(&l->rows) = row;
}

/* Only a reader of text has to be told. */
static void add_gap(struct list *l, const struct list_row *like)
{
    enum format format = l->subject->options->format;
    struct list_row row = *like;

    row.text = "...";
    if (format == FORMAT_TEXT || format == FORMAT_MARKDOWN)
        *vec_add(&l->rows) = row;
}

/* Lines of context from `from` to before `to`. */
static void add_context(struct list *l, const struct list_row *like,
                        uint64_t from, uint64_t to, struct textfile *source)
{
    uint64_t end = (uint64_t)textfile_lines(source) + 1;

    for (; from < to && from < end; from++)
        add_row(l, like, (uint32_t)from, NULL, source);
}

/* What stands between two lines with samples, the first perhaps 0. */
static void add_between(struct list *l, const struct list_row *like,
                        uint64_t before, uint64_t after, bool whole,
                        struct textfile *source)
{
    uint64_t context = l->subject->options->context;
    uint64_t stop = before ? before + context + 1 : 1;
    uint64_t start = after > context ? after - context : 1;

    if (whole || start <= stop + GAP_MIN) {
        add_context(l, like, before + 1, after, source);
        return;
    }
    add_context(l, like, before + 1, stop, source);
    if (before)
        add_gap(l, like);
    add_context(l, like, start, after, source);
}

static void add_lines(struct list *l, const struct list_row *like,
                      const struct line_count *counts, size_t n,
                      struct textfile *source)
{
    uint32_t before = 0, last = counts[n - 1].line;
    uint32_t first = counts[n > 1 && !counts[0].line].line;
    bool whole = last - first < SHORT;

    for (size_t i = 0; i < n; i++) {
        uint32_t line = counts[i].line;

        if (source && line)
            add_between(l, like, before, line, whole && before, source);
        add_row(l, like, line, &counts[i], source);
        before = line;
    }
    if (source)
        add_context(l, like, (uint64_t)last + 1,
                    (uint64_t)last + 1 + l->subject->options->context, source);
}

static void add_section(struct list *l, size_t function,
                        const struct function_lines *lines,
                        const struct file_lines *file)
{
    const char *path = strings_get(l->subject->p->strings, file->file);
    struct list_row like = {.function = l->subject->functions[function],
                            .file = path,
                            .p = l->subject->p,
                            .total = l->subject->sel->samples};
    struct list_section s = {
        .file = path, .function = function, .first = l->rows.len};
    struct textfile *source = NULL;

    if (*path)
        source = l->subject->sources.find(l->subject->sources.state, path);
    add_lines(l, &like, &lines->counts.data[file->first],
              file->end - file->first, source);
    s.end = l->rows.len;
    s.source = source;
    s.is_beyond = source && lines->counts.data[file->end - 1].line >
                                textfile_lines(source);
    *vec_add(&l->sections) = s;
}

void list_collect(struct list *l)
{
    const struct subject *s = l->subject;
    struct function_lines *lines;
    uint32_t *ids;

    l->functions = subject_functions_shown(s);
    lines = mem_new(l->functions, sizeof(*lines));
    ids = mem_new(l->functions, sizeof(*ids));
    for (size_t i = 0; i < l->functions; i++)
        ids[i] = s->functions[i]->id;
    source_lines_count(s->p, s->sel, ids, l->functions, lines);
    l->section_of = mem_new(l->functions + 1, sizeof(*l->section_of));
    for (size_t i = 0; i < l->functions; i++) {
        l->section_of[i] = l->sections.len;
        for (size_t k = 0; k < lines[i].files.len; k++)
            add_section(l, i, &lines[i], &lines[i].files.data[k]);
    }
    l->section_of[l->functions] = l->sections.len;
    free(ids);
    source_lines_release(lines, l->functions);
    free(lines);
}

void list_release(struct list *l)
{
    vec_release(&l->rows);
    vec_release(&l->sections);
    free(l->section_of);
}
