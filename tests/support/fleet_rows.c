#include "tests/support/fleet_rows.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/reader.h"
#include "engine/fleet/clickhouse.h"

/* Of hashes and drawn numbers. */
static bool is_id(const char *column)
{
    static const char *const names[] = {"id",        "module",    "method",
                                        "functions", "locations", "process",
                                        "stack",     "run"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (!strcmp(column, names[i]))
            return true;
    return false;
}

static void put_number(struct fleet_rows *rows, const char *column,
                       uint64_t value, struct out *out)
{
    uint32_t at;

    if (!value || !is_id(column)) {
        out_u64(out, value);
        return;
    }
    at = map_add(&rows->known, value, 0, rows->count + 1);
    rows->count = at > rows->count ? at : rows->count;
    out_fmt(out, "@%u", at);
}

/* Bytes that are no text in hex: x00ff. */
static void put_text(struct bytes text, struct out *out)
{
    bool plain = true;

    for (size_t i = 0; i < text.len; i++)
        plain &= text.data[i] >= ' ' && text.data[i] < 0x7f;
    out_char(out, plain ? '\'' : 'x');
    for (size_t i = 0; i < text.len; i++)
        if (plain)
            out_char(out, (char)text.data[i]);
        else
            out_fmt(out, "%02x", text.data[i]);
    if (plain)
        out_char(out, '\'');
}

static unsigned bytes_of(const char *type)
{
    static const struct {
        const char *type;
        unsigned bytes;
    } known[] = {{"UInt64", 8},
                 {"UInt32", 4},
                 {"UInt16", 2},
                 {"DateTime", 4},
                 {"Date", 2},
                 {"UInt8", 1}};

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (!strncmp(type, known[i].type, strlen(known[i].type)))
            return known[i].bytes;
    return 0; /* a text */
}

/* A value of this type, which may stand in parentheses. */
static void put_value(struct fleet_rows *rows, const struct fleet_column *c,
                      const char *type, struct reader *r, struct out *out)
{
    unsigned bytes = bytes_of(type);
    uint64_t value = 0;

    if (!bytes) {
        put_text(row_get_bytes(r), out);
        return;
    }
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)reader_u8(r) << 8 * i;
    put_number(rows, c->name, value, out);
}

static void put_column(struct fleet_rows *rows, const struct fleet_column *c,
                       struct reader *r, struct out *out)
{
    const char *element = strchr(c->type, '(');
    size_t n;

    if (!element) {
        put_value(rows, c, c->type, r, out);
        return;
    }
    n = row_get_count(r, 1);
    out_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        out_str(out, i ? "," : "");
        put_value(rows, c, element + 1, r, out);
    }
    out_char(out, ']');
}

char *fleet_rows_text(struct fleet_rows *rows, enum fleet_table_id table,
                      const void *bytes, size_t n)
{
    const struct fleet_table *t = &fleet_tables[table];
    struct reader r = reader_of("rows", bytes, n, 0, NULL);
    struct out *out = out_memory();
    const char *text;
    char *copy;

    while (reader_more(&r)) {
        for (size_t i = 0; i < t->width; i++) {
            out_str(out, i ? " " : "");
            put_column(rows, &t->columns[i], &r, out);
        }
        out_str(out, r.failed ? "?" : "\n");
    }
    text = out_text(out, &n);
    copy = mem_new(n + 1, 1);
    memcpy(copy, text, n);
    out_close(out, NULL);
    return copy;
}

/* ---- the other way round ---- */

static const char *take_text(const char *at, struct out *rows)
{
    const char *end = strchr(at + 1, *at == '\'' ? '\'' : ' ');
    struct out *bytes = out_memory();
    const char *text;
    size_t n;

    end = end ? end : at + strlen(at);
    for (const char *digit = at + 1; *at == 'x' && digit < end; digit += 2) {
        char pair[] = {digit[0], digit[1], '\0'};

        row_u8(bytes, (uint8_t)strtoul(pair, NULL, 16));
    }
    if (*at == '\'')
        out_bytes(bytes, at + 1, (size_t)(end - at - 1));
    text = out_text(bytes, &n);
    row_bytes(rows, text, n);
    out_close(bytes, NULL);
    return end + (*end == '\'');
}

static const char *take_value(const char *at, const char *type,
                              struct out *rows)
{
    unsigned bytes = bytes_of(type);
    uint64_t value;
    char *end;

    if (!bytes)
        return take_text(at, rows);
    value = strtoull(at + (*at == '@'), &end, 10);
    for (unsigned i = 0; i < bytes; i++)
        row_u8(rows, (uint8_t)(value >> 8 * i));
    return end;
}

static const char *take_array(const char *at, const char *type,
                              struct out *rows)
{
    struct out *values = out_memory();
    const char *text;
    size_t n = 0;

    for (at++; *at && *at != ']'; n++) {
        at = take_value(at, type, values);
        at += *at == ',';
    }
    row_count(rows, n);
    text = out_text(values, &n);
    out_bytes(rows, text, n);
    out_close(values, NULL);
    return at + 1;
}

struct out *fleet_rows_of(enum fleet_table_id table, const char *text)
{
    const struct fleet_table *t = &fleet_tables[table];
    struct out *rows = out_memory();

    while (*text) {
        for (size_t i = 0; i < t->width; i++) {
            const char *type = t->columns[i].type;

            if (*text == '[')
                text = take_array(text, strchr(type, '(') + 1, rows);
            else
                text = take_value(text, type, rows);
            text += strspn(text, " \n");
        }
    }
    return rows;
}

void fleet_rows_release(struct fleet_rows *rows)
{
    map_release(&rows->known);
}
