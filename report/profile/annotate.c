#include "report/profile/annotate.h"

#include <string.h>

#include "engine/base/hex.h"
#include "engine/base/text.h"
#include "engine/base/textfile.h"
#include "report/header/header.h"
#include "report/table/table.h"

/* A line of the table: an instruction, or what stands above some. */
struct annotate_row {
    const struct annotated *function;
    const struct annotated_part *part;
    const struct annotated_instruction *instruction; /* NULL: source */
    const char *prefix; /* what is drawn before the text */
    const char *text;
    const char *bytes, *inlined_into; /* of data only */
};

struct annotate_view {
    const struct subject *subject;
    VEC(struct annotate_row) rows;
    struct arena arena;
};

/* "> | | ": whether it is jumped to, and how deep it is inlined. */
static const char *prefix_of(struct annotate_view *v, bool is_target,
                             size_t depth)
{
    struct out *text = out_memory();

    out_str(text, is_target ? "> " : "  ");
    while (depth--)
        out_str(text, "| ");
    return out_close_to(text, &v->arena);
}

/* In Markdown, as in data, a value has one text. */
static void add_row(struct annotate_view *v,
                    const struct annotated_instruction *i, size_t depth,
                    const char *text)
{
    struct annotate_row row = {.instruction = i, .text = text};

    row.prefix = prefix_of(v, i && i->is_target, depth);
    if (v->subject->options->format == FORMAT_MARKDOWN) {
        row.text = arena_fmt(&v->arena, "%s%s", row.prefix, text);
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
        add_place(path_base_name(f->file), f->line, text);
    if (*line)
        out_fmt(text, "  %s", line);
    add_row(v, NULL, depth, out_close_to(text, &v->arena));
}

static bool same_frame(const struct annotated_frame *a,
                       const struct annotated_frame *b)
{
    if (a->line != b->line || strcmp(a->function, b->function) != 0)
        return false;
    return a->file && b->file ? !strcmp(a->file, b->file) : a->file == b->file;
}

/* The frame `depth` steps in from the outermost. */
static const struct annotated_frame *frame_at(
    const struct annotated_part *part, const struct annotated_instruction *i,
    size_t depth)
{
    return &part->frames.data[i->frame + i->frame_count - 1 - depth];
}

/* Adds the source lines that differ from those of the instruction before, and
 * at least the innermost one. */
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

/* For reading: source lines above instructions, marks and bars before them. */
static void annotate_drawn_rows(struct annotate_view *v,
                                const struct annotated *function,
                                const struct annotated_part *part)
{
    const struct annotated_instruction *before = NULL;
    size_t first = v->rows.len;

    for (size_t k = 0; k < part->instructions.len; k++) {
        const struct annotated_instruction *i = &part->instructions.data[k];
        size_t depth;
        struct out *text;

        add_sources(v, part, before, i);
        depth = i->frame_count ? i->frame_count - 1 : 0;
        text = out_memory();
        out_str(text, i->text);
        if (i->target_name)
            out_fmt(text, " -> %s", i->target_name);
        add_row(v, i, depth, out_close_to(text, &v->arena));
        before = i;
    }
    for (; first < v->rows.len; first++) {
        v->rows.data[first].function = function;
        v->rows.data[first].part = part;
    }
}

static const char *hex(struct annotate_view *v, struct bytes bytes)
{
    char *text = arena_new(&v->arena, char, HEX_SIZE(bytes.len));

    hex_text(bytes.data, bytes.len, text);
    return text;
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
    return out_close_to(text, &v->arena);
}

/* For programs: instructions alone, with all that is known of each. */
static void annotate_data_rows(struct annotate_view *v,
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

static void annotate_view_release(struct annotate_view *v)
{
    vec_release(&v->rows);
    arena_release(&v->arena);
}

static const struct annotate_row *row_of(const void *rows, size_t row)
{
    return &((const struct annotate_view *)rows)->rows.data[row];
}

static const struct annotated_instruction *at(const void *rows, size_t row)
{
    return row_of(rows, row)->instruction;
}

static const struct annotated_frame *innermost(const void *rows, size_t row)
{
    const struct annotate_row *r = row_of(rows, row);
    const struct annotated_instruction *i = r->instruction;

    return i->frame_count ? &r->part->frames.data[i->frame] : NULL;
}

static struct value annotated(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->function->function->name);
}

static struct value label(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->function->function->label);
}

static struct value module(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->part->module);
}

static struct value weight(const void *rows, uint64_t n)
{
    return value_weight(((const struct annotate_view *)rows)->subject->p, n);
}

static struct value samples(const void *rows, size_t row)
{
    return weight(rows, at(rows, row)->samples);
}

static struct value percent(const void *rows, size_t row)
{
    const struct annotate_view *v = rows;

    return value_percent(at(rows, row)->samples, v->subject->sel->samples);
}

static struct value part_percent(const void *rows, size_t row)
{
    const struct annotate_row *r = row_of(rows, row);

    return value_percent(r->instruction->samples, r->part->samples);
}

/* Text shows what has samples, so that it stands out. */
static struct value shown_samples(const void *rows, size_t row)
{
    const struct annotated_instruction *i = at(rows, row);

    return i && i->samples ? weight(rows, i->samples) : value_none();
}

static struct value shown_percent(const void *rows, size_t row)
{
    const struct annotated_instruction *i = at(rows, row);

    return i && i->samples ? part_percent(rows, row) : value_none();
}

static struct value address(const void *rows, size_t row)
{
    const struct annotated_instruction *i = at(rows, row);

    return i ? value_address(i->address) : value_none();
}

static struct value bytes(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->bytes);
}

static struct value inlined_into(const void *rows, size_t row)
{
    return value_maybe(row_of(rows, row)->inlined_into);
}

static struct value instruction(const void *rows, size_t row)
{
    return value_text(at(rows, row)->text);
}

static struct value drawn(const void *rows, size_t row)
{
    const struct annotate_row *r = row_of(rows, row);
    struct value v = value_text(r->text);

    v.prefix = r->prefix;
    return v;
}

static struct value is_target(const void *rows, size_t row)
{
    return value_flag(at(rows, row)->is_target);
}

static struct value target(const void *rows, size_t row)
{
    const struct annotated_instruction *i = at(rows, row);

    return i->has_target ? value_address(i->target) : value_none();
}

static struct value target_name(const void *rows, size_t row)
{
    return value_maybe(at(rows, row)->target_name);
}

static struct value function(const void *rows, size_t row)
{
    const struct annotated_frame *f = innermost(rows, row);

    return f ? value_text(f->function) : value_none();
}

static struct value file(const void *rows, size_t row)
{
    const struct annotated_frame *f = innermost(rows, row);

    return f ? value_maybe(f->file) : value_none();
}

static struct value line(const void *rows, size_t row)
{
    const struct annotated_frame *f = innermost(rows, row);

    return f && f->line ? value_id(f->line) : value_none();
}

/* For programs; in JSON, where a part is an object, without the first. */
enum { HEADED = 3, DATA_COLUMNS = 16 };

static const struct column data_columns[DATA_COLUMNS] = {
    {"annotated", NULL, false, annotated},
    {"label", NULL, false, label},
    {"module", NULL, false, module},
    {"address", NULL, false, address},
    {"bytes", NULL, false, bytes},
    {"instruction", NULL, false, instruction},
    {"exclusive", NULL, false, samples},
    {"exclusive_percent", NULL, false, percent},
    {"part_percent", NULL, false, part_percent},
    {"is_target", NULL, false, is_target},
    {"target", NULL, false, target},
    {"target_name", NULL, false, target_name},
    {"function", NULL, false, function},
    {"file", NULL, false, file},
    {"line", NULL, false, line},
    {"inlined_into", NULL, false, inlined_into},
};

enum { DRAWN_COLUMNS = 4 };

static const struct column drawn_columns[DRAWN_COLUMNS] = {
    {NULL, "samples", false, shown_samples},
    {NULL, "", false, shown_percent},
    {NULL, "address", false, address},
    {NULL, "instruction", true, drawn},
};

/* ---- formats ---- */

static void print_part_line(const struct subject *s,
                            const struct annotated_part *part, struct out *out)
{
    if (part->problem) {
        out_plain(out, part->problem);
        out_char(out, '\n');
        return;
    }
    if (part->name) {
        out_plain(out, part->name);
        out_str(out, " in ");
    }
    out_plain(out, part->image);
    out_fmt(out, " · 0x%llx to 0x%llx · ", (unsigned long long)part->start,
            (unsigned long long)part->end);
    out_weight_unit(out, s->p, part->samples);
    out_char(out, '\n');
}

static void print_part(const struct subject *s,
                       const struct annotated *function,
                       const struct annotated_part *part, struct out *out)
{
    struct annotate_view v = {.subject = s};
    struct column columns[DRAWN_COLUMNS];
    struct table table = {
        .columns = columns, .column_count = DRAWN_COLUMNS, .rows = &v};
    struct out *line = out_memory();

    print_part_line(s, part, line);
    header_lines(out_text(line, NULL), s->options, "", out);
    out_close(line, NULL);
    memcpy(columns, drawn_columns, sizeof(columns));
    if (!s->options->columns)
        columns[0].header = weight_title(s->p);
    annotate_drawn_rows(&v, function, part);
    table.row_count = table.total = v.rows.len;
    if (v.rows.len && s->options->format == FORMAT_TEXT)
        out_char(out, '\n');
    if (v.rows.len)
        table_write_chosen(&table, s->options->columns, s->options->format,
                           s->options->width, out);
    annotate_view_release(&v);
}

static void write_text(const struct subject *s, struct out *out)
{
    enum format format = s->options->format;

    header_text(s, NULL, out);
    header_lines("a sample's address is where the processor stopped, often "
                 "an instruction or a few late\n",
                 s->options, "", out);
    for (size_t i = 0; i < subject_functions_shown(s); i++) {
        const struct annotated *a = &s->annotated[i];

        if (format == FORMAT_TEXT)
            out_char(out, '\n');
        heading_function(s, a->function, out);
        for (size_t k = 0; k < a->parts.len; k++) {
            if (k)
                out_char(out, '\n');
            print_part(s, a, &a->parts.data[k], out);
        }
    }
    heading_rest(s, out);
}

static void write_csv(const struct subject *s, struct out *out)
{
    struct annotate_view all = {.subject = s};
    struct table table = {
        .columns = data_columns, .column_count = DATA_COLUMNS, .rows = &all};

    for (size_t i = 0; i < subject_functions_shown(s); i++)
        for (size_t k = 0; k < s->annotated[i].parts.len; k++)
            annotate_data_rows(&all, &s->annotated[i],
                               &s->annotated[i].parts.data[k]);
    table.row_count = all.rows.len;
    table_write_chosen(&table, s->options->columns, FORMAT_CSV, 0, out);
    annotate_view_release(&all);
}

static void write_json(const struct subject *s, struct out *out)
{
    struct json json = report_json("annotate", out);

    header_json(s->p, s->sel, &json);
    json_line(&json, 1);
    json_array(&json, "functions");
    for (size_t i = 0; i < subject_functions_shown(s); i++) {
        const struct annotated *a = &s->annotated[i];

        heading_json(s, a->function, &json);
        json_array(&json, "parts");
        for (size_t k = 0; k < a->parts.len; k++) {
            struct annotate_view v = {.subject = s};
            struct table table = {.columns = data_columns + HEADED,
                                  .column_count = DATA_COLUMNS - HEADED,
                                  .rows = &v};

            annotate_data_rows(&v, a, &a->parts.data[k]);
            table.row_count = v.rows.len;
            json_object(&json, NULL);
            json_text(&json, "module", a->parts.data[k].module);
            json_text(&json, "image", a->parts.data[k].image);
            json_text(&json, "name", a->parts.data[k].name);
            json_text(&json, "problem", a->parts.data[k].problem);
            json_address(&json, "start", a->parts.data[k].start);
            json_address(&json, "end", a->parts.data[k].end);
            json_weight(&json, "exclusive", s->p, a->parts.data[k].samples);
            table_json(&table, &json, "rows");
            json_end(&json);
            annotate_view_release(&v);
        }
        json_end(&json);
        json_end(&json);
    }
    json_end(&json);
    json_u64(&json, "total_functions", s->function_count);
    report_json_end(&json);
}

static const struct column_set sets[] = {
    {drawn_columns, DRAWN_COLUMNS},
    {data_columns, DATA_COLUMNS},
    {NULL, 0},
};

const struct report annotate_report = {
    .name = "annotate",
    .help = "instructions of a function, with their samples",
    .about = ABOUT_CODE,
    .takes = TAKES_FUNCTIONS | TAKES_SOURCES | TAKES_COLUMNS,
    .columns = sets,
    .write = {[FORMAT_TEXT] = write_text,
              [FORMAT_JSON] = write_json,
              [FORMAT_CSV] = write_csv,
              [FORMAT_MARKDOWN] = write_text},
};
