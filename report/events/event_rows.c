#include "report/events/event_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/events/schema.h"

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
    vec_release(&r->cells);
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
    *vec_add(&r->cells) = (struct event_cell){r->texts.len, bare};
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

static void write_chosen(struct event_rows *r)
{
    for (size_t i = 0; i < r->chosen.len; i++) {
        size_t at = r->chosen.data[i];
        const struct event_cell *cell = &r->cells.data[at];

        write(r, &r->columns[at], &r->texts.data[cell->at], cell->bare, !i,
              i + 1 == r->chosen.len);
    }
    r->cells.len = r->texts.len = 0;
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

bool event_columns_have(const event_column_list *columns, const char *names,
                        const char **wrong, size_t *n)
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
        put(r, r->format == FORMAT_CSV ? "" : "-", false);
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
