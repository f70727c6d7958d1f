#include "report/events/event_modes.h"

#include <inttypes.h>

#include "engine/events/schema.h"
#include "engine/input/trace_events.h"
#include "report/events/event_rows.h"

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
        out_fmt(out, "%s0x%" PRIx64, i ? ";" : "", e->stack[i]);
}

static event_column_list short_columns(const struct event_options *options)
{
    static const struct event_column all[] = {
        {"EventNumber", 11, true},  {"EventName", 20, false},
        {"EventTypeName", 20, false}, {"Timestamp", 27, false},
        {"UserData", 0, false},     {"Stack", 0, false},
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
        event_payload_text(text, e, p->separator,
                           p->mode == EVENTS_FNAMES);
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

void event_modes_write(struct event_trace *trace,
                       const struct event_options *options,
                       const struct event_print *p, struct out *out)
{
    switch (p->mode) {
    case EVENTS_COMPACT:
    case EVENTS_FNAMES:
        write_short(trace, options, p, out);
        break;
    case EVENTS_FULL:
        event_full_write(trace, options, p, out);
        break;
    case EVENTS_META:
        event_meta_write(trace, options, p, out);
        break;
    default:
        event_table_write(trace, options, p, out);
    }
}

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
