#include "report/event_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/events/schema.h"

struct event_rows event_rows_to(struct out *out, enum format format)
{
    return (struct event_rows){.out = out, .format = format};
}

static const struct event_column *column(struct event_rows *r)
{
    return &r->columns[r->at++];
}

static bool is_last(const struct event_rows *r)
{
    return r->at == r->count;
}

/* One cell of text or CSV. */
static void put(struct event_rows *r, const char *text)
{
    const struct event_column *c = column(r);
    size_t used = r->aligned ? out_columns(text) : 0;
    size_t blanks = used < c->width && r->aligned ? c->width - used : 0;

    if (r->format == FORMAT_CSV) {
        out_str(r->out, r->at > 1 ? "," : "");
        out_csv(r->out, text);
        return;
    }
    if (r->at > 1)
        out_str(r->out, r->aligned ? "  " : "\t");
    if (c->right)
        out_repeat(r->out, ' ', blanks);
    out_plain(r->out, text);
    if (!c->right && !is_last(r))
        out_repeat(r->out, ' ', blanks);
}

static void end_line(struct event_rows *r)
{
    out_str(r->out, r->format == FORMAT_CSV ? "\r\n" : "\n");
}

void event_rows_heading(struct event_rows *r,
                        const struct event_column *columns, size_t count)
{
    r->columns = columns;
    r->count = count;
    r->at = 0;
    r->aligned = count && columns[0].width;
    if (r->format == FORMAT_JSON)
        return;
    for (size_t i = 0; i < count; i++)
        put(r, columns[i].name);
    end_line(r);
}

void event_rows_begin(struct event_rows *r)
{
    r->at = 0;
    if (r->format != FORMAT_JSON)
        return;
    r->json = json_to(r->out);
    json_object(&r->json, NULL);
}

void event_rows_null(struct event_rows *r)
{
    if (r->format == FORMAT_JSON)
        column(r);
    else
        put(r, r->format == FORMAT_CSV ? "" : "-");
}

void event_rows_u64(struct event_rows *r, uint64_t value)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, value);
    event_rows_bare(r, text);
}

void event_rows_text(struct event_rows *r, const char *text)
{
    if (r->format == FORMAT_JSON)
        json_text(&r->json, column(r)->name, text);
    else
        put(r, text);
}

void event_rows_bare(struct event_rows *r, const char *text)
{
    if (r->format == FORMAT_JSON)
        json_bare(&r->json, column(r)->name, text);
    else if (r->format == FORMAT_CSV)
        out_fmt(r->out, "%s%s", r->at++ ? "," : "", text);
    else
        put(r, text);
}

void event_rows_end(struct event_rows *r)
{
    if (r->format == FORMAT_JSON)
        json_end(&r->json);
    end_line(r);
}

void event_rows_guid(struct event_rows *r, const uint8_t *guid)
{
    static const uint8_t none[16];
    char text[40];

    if (!guid || !memcmp(guid, none, sizeof(none))) {
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
