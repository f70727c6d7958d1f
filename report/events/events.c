#include "report/events/events.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/input/trace_events.h"

struct event_rows event_rows_to(struct out *out, enum format format,
                                const char *names)
{
    return (struct event_rows){.out = out,
                               .format = format,
                               .names = format == FORMAT_JSON ? NULL : names};
}

void event_rows_release(struct event_rows *r)
{
    vec_release(&r->chosen);
    free(r->cells);
    vec_release(&r->texts);
}

static const struct event_column *column(struct event_rows *r)
{
    return &r->columns[r->at++];
}

/* One cell of text or CSV. */
static void write_cell(struct event_rows *r, const struct event_column *c,
                       const char *text, bool first, bool last)
{
    size_t used = r->aligned ? out_columns(text) : 0;
    size_t blanks = used < c->width && r->aligned ? c->width - used : 0;

    if (!first)
        out_str(r->out, r->aligned ? "  " : "\t");
    if (c->right)
        out_repeat(r->out, ' ', blanks);
    out_plain(r->out, text);
    if (!c->right && !last)
        out_repeat(r->out, ' ', blanks);
}

static void end_line(struct event_rows *r)
{
    out_str(r->out, r->format == FORMAT_CSV ? "\r\n" : "\n");
}

static void write_csv(struct event_rows *r, const char *text, bool bare,
                      bool first)
{
    out_str(r->out, first ? "" : ",");
    if (bare)
        out_str(r->out, text);
    else
        out_csv(r->out, text);
}

static void write(struct event_rows *r, const struct event_column *c,
                  const char *text, bool bare, bool first, bool last)
{
    if (r->format == FORMAT_CSV)
        write_csv(r, text, bare, first);
    else
        write_cell(r, c, text, first, last);
}

/* Until the row ends. */
static void keep(struct event_rows *r, const char *text, bool bare)
{
    r->cells[r->at - 1] = (struct event_cell){r->row, r->texts.len, bare};
    do
        *vec_add(&r->texts) = *text;
    while (*text++);
}

static void put(struct event_rows *r, const char *text, bool bare)
{
    const struct event_column *c = column(r);

    if (r->names)
        keep(r, text, bare);
    else
        write(r, c, text, bare, r->at == 1, r->at == r->count);
}

static const char *null_text(const struct event_rows *r)
{
    return r->format == FORMAT_CSV ? "" : "-";
}

static void write_chosen(struct event_rows *r)
{
    for (size_t i = 0; i < r->chosen.len; i++) {
        size_t at = r->chosen.data[i];
        const struct event_cell *cell = &r->cells[at];
        bool known = cell->row == r->row;

        write(r, &r->columns[at],
              known ? &r->texts.data[cell->at] : null_text(r),
              known && cell->bare, !i, i + 1 == r->chosen.len);
    }
    r->texts.len = 0;
}

/* The column of this name, or how many there are. */
static size_t find_column(const struct event_column *columns, size_t count,
                          const char *name, size_t n)
{
    size_t i = 0;

    while (i < count && (strlen(columns[i].name) != n ||
                         memcmp(columns[i].name, name, n) != 0))
        i++;
    return i;
}

/* True if all of `names`, between commas, are among these columns; if not,
 * `*wrong` and `*n` are the first that is none. */
static bool event_columns_have(const event_column_list *columns,
                               const char *names, const char **wrong, size_t *n)
{
    for (*wrong = names;; *wrong += *n + 1) {
        *n = strcspn(*wrong, ",");
        if (find_column(columns->data, columns->len, *wrong, *n) ==
            columns->len)
            return false;
        if (!(*wrong)[*n])
            return true;
    }
}

static void choose(struct event_rows *r)
{
    const char *name = r->names;

    while (name) {
        size_t n = strcspn(name, ",");
        size_t at = find_column(r->columns, r->count, name, n);

        if (at < r->count)
            *vec_add(&r->chosen) = at;
        name = name[n] ? name + n + 1 : NULL;
    }
}

void event_rows_heading(struct event_rows *r,
                        const struct event_column *columns, size_t count)
{
    r->columns = columns;
    r->count = count;
    r->at = 0;
    r->aligned = count && columns[0].width;
    choose(r);
    if (r->names)
        r->cells = mem_new(count, sizeof(*r->cells));
    r->row = 1;
    if (r->format == FORMAT_JSON)
        return;
    for (size_t i = 0; i < count; i++)
        put(r, columns[i].name, false);
    write_chosen(r);
    end_line(r);
}

void event_rows_begin(struct event_rows *r)
{
    r->at = 0;
    r->row++;
    if (r->format != FORMAT_JSON)
        return;
    r->json = json_to(r->out);
    json_object(&r->json, NULL);
}

void event_rows_nulls(struct event_rows *r, size_t n)
{
    if (r->format == FORMAT_JSON || r->names)
        r->at += n;
    else
        for (; n; n--)
            put(r, null_text(r), false);
}

void event_rows_null(struct event_rows *r)
{
    event_rows_nulls(r, 1);
}

void event_rows_u64(struct event_rows *r, uint64_t value)
{
    char digits[DECIMAL_SIZE];

    event_rows_bare(r, decimal_text(digits, value));
}

void event_rows_text(struct event_rows *r, const char *text)
{
    if (r->format == FORMAT_JSON)
        json_text(&r->json, column(r)->name, text);
    else
        put(r, text, false);
}

void event_rows_bare(struct event_rows *r, const char *text)
{
    if (r->format == FORMAT_JSON)
        json_bare(&r->json, column(r)->name, text);
    else
        put(r, text, true);
}

void event_rows_end(struct event_rows *r)
{
    if (r->format == FORMAT_JSON)
        json_end(&r->json);
    write_chosen(r);
    end_line(r);
}

void event_rows_guid(struct event_rows *r, const uint8_t *guid)
{
    char text[40];

    if (!guid || guid_is_zero(guid)) {
        event_rows_null(r);
        return;
    }
    event_guid_text(text, guid);
    event_rows_text(r, text);
}

void event_rows_maybe(struct event_rows *r, const char *text)
{
    if (text && *text)
        event_rows_text(r, text);
    else
        event_rows_null(r);
}

void event_rows_number(struct event_rows *r, bool known, uint64_t value)
{
    if (known)
        event_rows_u64(r, value);
    else
        event_rows_null(r);
}

const char *event_mode_name(int mode)
{
    static const char *const names[EVENT_MODES + 1] = {
        "table", "compact", "fnames", "full", "meta", NULL,
    };

    return names[mode];
}

static void put_labels(struct out *out, const struct profile *p, uint32_t stack,
                       const struct frame_style *style)
{
    struct arena names = {0};
    const char *before = "";

    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t l = p->stacks.data[stack].location;

        for (uint32_t f = p->frame_start.data[l];
             f < p->frame_start.data[l + 1]; f++) {
            out_str(out, before);
            out_str(out, frame_name(p, l, f, style, &names));
            before = ";";
        }
    }
    arena_release(&names);
}

void event_stack_text(struct out *out, const struct event *e,
                      struct event_labels *labels)
{
    if (labels && e->stack_count && labels->next < labels->stacks->count) {
        put_labels(out, labels->stacks->recording.profile,
                   event_stack(labels->stacks, labels->next++), &labels->style);
        return;
    }
    for (uint32_t i = 0; i < e->stack_count; i++)
        out_fmt(out, "%s0x%" PRIx64, i ? ";" : "", event_frame(e, i));
}

static event_column_list short_columns(const struct event_options *options)
{
    static const struct event_column all[] = {
        {"EventNumber", 11, true},    {"EventName", 20, false},
        {"EventTypeName", 20, false}, {"Timestamp", 27, false},
        {"UserData", 0, false},       {"Stack", 0, false},
    };
    size_t count = sizeof(all) / sizeof(all[0]) - !options->stacks;
    event_column_list columns = {0};

    for (size_t i = 0; i < count; i++)
        *vec_add(&columns) = all[i];
    return columns;
}

static void write_short(struct event_trace *trace,
                        const struct event_options *options,
                        const struct event_print *p, struct out *out)
{
    event_column_list columns = short_columns(options);
    struct event_cursor *c = event_cursor_new(trace, options);
    struct event_rows rows = event_rows_to(out, p->format, p->columns);
    char stamp[EVENT_TIME_SIZE];
    const struct event *e;
    uint64_t n = 0;

    event_rows_heading(&rows, columns.data, columns.len);
    while ((!p->limit || n++ < p->limit) && (e = event_next(c))) {
        struct out *text = out_memory();

        event_stamp_text(stamp, trace, e->time);
        event_rows_begin(&rows);
        event_rows_u64(&rows, e->number);
        event_rows_text(&rows, e->kind->name);
        event_rows_text(&rows, e->kind->type_name);
        event_rows_text(&rows, stamp);
        event_payload_text(text, e, p->separator, p->mode == EVENTS_FNAMES);
        event_rows_text(&rows, out_text(text, NULL));
        out_close(text, NULL);
        if (options->stacks) {
            text = out_memory();
            event_stack_text(text, e, p->labels);
            event_rows_text(&rows, out_text(text, NULL));
            out_close(text, NULL);
        }
        event_rows_end(&rows);
    }
    event_cursor_free(c);
    event_rows_release(&rows);
    vec_release(&columns);
}

static void write_events(const struct subject *subject, struct out *out)
{
    const struct events_subject *s = (const void *)subject;

    switch (s->print->mode) {
    case EVENTS_COMPACT:
    case EVENTS_FNAMES:
        write_short(s->trace, s->options, s->print, out);
        break;
    case EVENTS_FULL:
        event_full_write(s->trace, s->options, s->print, out);
        break;
    case EVENTS_META:
        event_meta_write(s->trace, s->options, s->print, out);
        break;
    default:
        event_table_write(s->trace, s->options, s->print, out);
    }
}

const struct report events_report = {
    .name = "events",
    .write = {[FORMAT_TEXT] = write_events,
              [FORMAT_JSON] = write_events,
              [FORMAT_CSV] = write_events},
};

/* ---- which columns there are ---- */

static bool table_has(const struct event_print *p, const char **wrong,
                      size_t *n, struct out *there)
{
    const struct column_set *sets = event_table_columns;
    const char *name;

    for (size_t i = 0; (name = column_sets_name(sets, p->format, i)); i++)
        out_fmt(there, "%s%s", i ? ", " : "", name);
    return column_sets_have(sets, p->format, p->columns, wrong, n);
}

static event_column_list columns_of(struct event_trace *trace,
                                    const struct event_options *options,
                                    const struct event_print *p,
                                    struct strings *names)
{
    if (p->mode == EVENTS_FULL)
        return event_full_columns(trace, options, p, names);
    return p->mode == EVENTS_META ? event_meta_columns()
                                  : short_columns(options);
}

bool event_columns_asked(struct event_trace *trace,
                         const struct event_options *options,
                         const struct event_print *p, const char **wrong,
                         size_t *n, struct out *there)
{
    event_column_list columns;
    struct strings *names;
    bool have;

    if (!p->columns || p->format == FORMAT_JSON)
        return true;
    if (p->mode == EVENTS_TABLE)
        return table_has(p, wrong, n, there);
    names = strings_new();
    columns = columns_of(trace, options, p, names);
    have = event_columns_have(&columns, p->columns, wrong, n);
    for (size_t i = 0; p->mode != EVENTS_FULL && i < columns.len; i++) {
        out_str(there, i ? ", " : "");
        out_str(there, columns.data[i].name);
    }
    vec_release(&columns);
    strings_free(names);
    return have;
}
