#include <string.h>

#include "engine/base/map.h"
#include "report/diff.h"
#include "report/header.h"

/*
 * folded - one line per distinct stack: process;outermost;...;innermost COUNT
 *
 * What flame graph tools read. In names `;` becomes `:` and control
 * characters become spaces, as the format has no way to quote them.
 */

struct folded_line {
    const char *text;
    uint64_t count, after; /* `after`: of --diff only */
};

/* A stack in a process: the same stack occurs in several, as images and the
 * kernel are shared. */
struct in_process {
    uint32_t process, stack;
    uint64_t count;
};

struct folding {
    const struct profile *p;
    VEC(struct in_process) stacks;
    VEC(struct folded_line) lines;
    VEC(uint32_t) path; /* frames, innermost first */
    const char **names; /* by function, on first use */
    struct arena arena;
    bool after, diff; /* side of what is added; whether there are sides */
};

static void collect_stacks(struct folding *f, const struct selection *sel)
{
    const struct profile *p = f->p;
    struct map ids = {0};

    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t fresh = (uint32_t)f->stacks.len, id;
        uint32_t stack = p->samples.stack[i];
        uint32_t process = p->threads.data[p->samples.thread[i]].process;

        if (!selection_has(p, sel, i))
            continue;
        id = map_add(&ids, stack, process, fresh);
        if (id == fresh)
            *vec_add(&f->stacks) = (struct in_process){process, stack, 0};
        f->stacks.data[id].count += sample_weight(p, i);
    }
    map_release(&ids);
}

/* U+0080 to U+009F: some terminals obey them. */
static bool is_c1_control(const char *c)
{
    return (unsigned char)c[0] == 0xC2 && (unsigned char)c[1] >= 0x80 &&
           (unsigned char)c[1] < 0xA0;
}

static const char *cleaned(struct folding *f, const char *name)
{
    char *copy = arena_strndup(&f->arena, name, strlen(name));

    for (char *c = copy; *c; c++) {
        if (*c == ';')
            *c = ':';
        else if ((unsigned char)*c < ' ' || *c == 0x7F)
            *c = ' ';
        else if (is_c1_control(c))
            c[0] = c[1] = ' ';
    }
    return copy;
}

static const char *frame_name(struct folding *f, uint32_t frame)
{
    uint32_t function = f->p->frames.data[frame].function;

    if (!f->names[function])
        f->names[function] =
            cleaned(f, function_name(f->p, function, &f->arena));
    return f->names[function];
}

static void find_path(struct folding *f, uint32_t stack)
{
    const struct profile *p = f->p;

    f->path.len = 0;
    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t location = p->stacks.data[stack].location;
        uint32_t end = p->frame_start.data[location + 1];

        for (uint32_t i = p->frame_start.data[location]; i < end; i++)
            *vec_add(&f->path) = i;
    }
}

static void append(char **at, const char *text)
{
    size_t n = strlen(text);

    memcpy(*at, text, n);
    *at += n;
}

static void add_line(struct folding *f, const struct in_process *s)
{
    const char *process = cleaned(f, process_label(f->p, s->process));
    size_t size = strlen(process) + 1;
    char *text, *at;

    find_path(f, s->stack);
    for (size_t i = 0; i < f->path.len; i++)
        size += strlen(frame_name(f, f->path.data[i])) + 1;
    text = at = arena_new(&f->arena, char, size);
    append(&at, process);
    for (size_t i = f->path.len; i-- > 0;) {
        *at++ = ';';
        append(&at, frame_name(f, f->path.data[i]));
    }
    *vec_add(&f->lines) =
        f->after ? (struct folded_line){text, 0, s->count}
                 : (struct folded_line){text, s->count, 0};
}

static int by_text(const void *x, const void *y)
{
    const struct folded_line *a = x, *b = y;

    return strcmp(a->text, b->text);
}

/* Stacks that differ in addresses only have become equal lines. */
static void sort_and_join(struct folding *f)
{
    size_t n = 0;

    if (f->lines.len)
        qsort(f->lines.data, f->lines.len, sizeof(*f->lines.data), by_text);
    for (size_t i = 0; i < f->lines.len; i++) {
        const struct folded_line *line = &f->lines.data[i];

        if (n && !by_text(&f->lines.data[n - 1], line)) {
            f->lines.data[n - 1].count += line->count;
            f->lines.data[n - 1].after += line->after;
        } else {
            f->lines.data[n++] = *line;
        }
    }
    f->lines.len = n;
}

static struct value stack_value(const void *rows, size_t row)
{
    return value_text(((const struct folding *)rows)->lines.data[row].text);
}

static struct value count_value(const void *rows, size_t row)
{
    return value_count(((const struct folding *)rows)->lines.data[row].count);
}

static const struct column columns[] = {
    {"stack", "stack", true, stack_value},
    {"count", "count", false, count_value},
};

/* The lines alone: tools that read them know no trust line. */
static void print_lines(const struct folding *f, struct out *out)
{
    for (size_t i = 0; i < f->lines.len; i++) {
        out_str(out, f->lines.data[i].text);
        out_char(out, ' ');
        out_u64(out, f->lines.data[i].count);
        if (f->diff) {
            out_char(out, ' ');
            out_u64(out, f->lines.data[i].after);
        }
        out_char(out, '\n');
    }
}

static void add_profile(struct folding *f, const struct profile *p,
                        const struct selection *sel)
{
    f->p = p;
    f->names = mem_new(p->functions.len, sizeof(*f->names));
    f->stacks.len = 0;
    collect_stacks(f, sel);
    for (size_t i = 0; i < f->stacks.len; i++)
        add_line(f, &f->stacks.data[i]);
    free(f->names);
}

static void release(struct folding *f)
{
    vec_release(&f->stacks);
    vec_release(&f->lines);
    vec_release(&f->path);
    arena_release(&f->arena);
}

static void write_two_sides(const struct subject *s, struct out *out)
{
    struct folding f = {.diff = true};

    for (size_t i = 0; i < s->input_count; i++) {
        f.after = s->inputs[i].after;
        add_profile(&f, s->inputs[i].p, s->inputs[i].sel);
    }
    sort_and_join(&f);
    print_lines(&f, out);
    release(&f);
}

static void write_lines(const struct subject *s, struct out *out)
{
    struct folding f = {0};

    add_profile(&f, s->p, s->sel);
    sort_and_join(&f);
    print_lines(&f, out);
    release(&f);
}

static void write_table(const struct subject *s, struct out *out)
{
    struct folding f = {0};
    struct table table = {columns, 2, &f, 0, 0};

    add_profile(&f, s->p, s->sel);
    sort_and_join(&f);
    table.row_count = table.total = f.lines.len;
    report_table(s, "folded", &table, out);
    release(&f);
}

const struct report folded_report = {
    .name = "folded",
    .help = "one line per distinct stack, for flame graph tools",
    .takes = TAKES_FOLDED,
    .write = {[FORMAT_TEXT] = write_lines,
              [FORMAT_JSON] = write_table,
              [FORMAT_CSV] = write_table,
              [FORMAT_MARKDOWN] = write_table},
};

/* Two counts a line, as difffolded writes them; no format that is read by
 * other tools has room for them. */
const struct report folded_diff_report = {
    .name = "folded --diff",
    .about = ABOUT_SIDES,
    .write = {[FORMAT_TEXT] = write_two_sides},
};
