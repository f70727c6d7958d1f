#include "report/table/table.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/mem.h"

struct value value_none(void)
{
    return (struct value){.type = VALUE_NONE};
}

struct value value_count(uint64_t number)
{
    return (struct value){.type = VALUE_COUNT, .number = number};
}

struct value value_id(uint64_t number)
{
    return (struct value){.type = VALUE_ID, .number = number};
}

static enum out_style weight_style(uint64_t part, uint64_t whole)
{
    if (part >= whole / 10 && part)
        return STYLE_HOT;
    if (part >= whole / 50 && part)
        return STYLE_WARM;
    return part ? STYLE_PLAIN : STYLE_DIM;
}

struct value value_percent(uint64_t part, uint64_t whole)
{
    return (struct value){.type = VALUE_PERCENT,
                          .number = part,
                          .whole = whole,
                          .style = weight_style(part, whole)};
}

struct value value_bar(uint64_t part, uint64_t whole)
{
    return (struct value){.type = VALUE_BAR, .number = part, .whole = whole};
}

struct value value_address(uint64_t address)
{
    return (struct value){.type = VALUE_ADDRESS, .number = address};
}

struct value value_real(double real, unsigned decimals, bool sign)
{
    return (struct value){
        .type = VALUE_REAL, .real = real, .decimals = decimals, .sign = sign};
}

struct value value_flag(bool flag)
{
    return (struct value){.type = VALUE_FLAG, .number = flag};
}

struct value value_series(const uint64_t *series, size_t n)
{
    return (struct value){.type = VALUE_SERIES, .series = series, .number = n};
}

struct value value_text(const char *text)
{
    return (struct value){.type = VALUE_TEXT, .text = text};
}

struct value value_name(const char *label)
{
    return (struct value){.type = VALUE_NAME, .text = label};
}

struct value value_module(const char *name)
{
    return (struct value){.type = VALUE_MODULE, .text = name};
}

struct value value_path(const char *path)
{
    if (!path || !*path)
        return value_none();
    return (struct value){.type = VALUE_PATH, .text = path};
}

struct value value_maybe(const char *text)
{
    return text && *text ? value_text(text) : value_none();
}

bool value_is_words(const struct value *v)
{
    return v->type == VALUE_TEXT || v->type == VALUE_NAME ||
           v->type == VALUE_MODULE || v->type == VALUE_PATH;
}

bool column_is_blank(const struct column *column, const void *rows,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct value v = column->value(rows, i);

        if (value_is_words(&v) || v.number)
            return false;
    }
    return true;
}

struct value value_numeral(const char *digits)
{
    return (struct value){.type = VALUE_NUMERAL, .text = digits};
}

struct value table_cell(const struct table *t, size_t column, size_t row)
{
    return t->cell ? t->cell(t->rows, row, column)
                   : t->columns[column].value(t->rows, row);
}

static bool has_row(const struct table *t, size_t row)
{
    return t->next ? t->next(t->rows) : row < t->row_count;
}

/* JSON */

static void json_value(struct json *json, const char *key,
                       const struct value *v)
{
    switch (v->type) {
    case VALUE_NONE:
        json_null(json, key);
        break;
    case VALUE_COUNT:
        json_decimal(json, key, v->number, v->decimals);
        break;
    case VALUE_ID:
        json_u64(json, key, v->number);
        break;
    case VALUE_PERCENT:
    case VALUE_BAR:
        json_percent(json, key, v->number, v->whole);
        break;
    case VALUE_ADDRESS:
        json_address(json, key, v->number);
        break;
    case VALUE_REAL:
        json_real(json, key, v->real, v->decimals + 2);
        break;
    case VALUE_TEXT:
    case VALUE_NAME:
    case VALUE_MODULE:
    case VALUE_PATH:
        json_text(json, key, v->text);
        break;
    case VALUE_FLAG:
        json_bool(json, key, v->number);
        break;
    case VALUE_SERIES:
        json_array(json, key);
        for (size_t i = 0; i < v->number; i++)
            json_decimal(json, NULL, v->series[i], v->decimals);
        json_end(json);
        break;
    case VALUE_NUMERAL:
        json_bare(json, key, v->text);
        break;
    }
}

void table_json(const struct table *t, struct json *json, const char *key)
{
    json_array(json, key);
    for (size_t row = 0; has_row(t, row); row++) {
        json_line(json, 2);
        json_object(json, NULL);
        for (size_t i = 0; i < t->column_count; i++) {
            struct value v;

            if (!t->columns[i].key)
                continue;
            v = table_cell(t, i, row);
            json_value(json, t->columns[i].key, &v);
        }
        json_end(json);
    }
    json_end(json);
}

/* CSV */

/* One field, blanks between the numbers. */
static void csv_series(struct out *out, const struct value *v)
{
    for (size_t i = 0; i < v->number; i++) {
        out_str(out, i ? " " : "");
        out_decimal(out, v->series[i], v->decimals, false);
    }
}

/* Writes a value as JSON does, but without quotes, and nothing where there is
 * none. */
static void csv_value(struct out *out, const struct value *v)
{
    struct json json = json_to(out);

    if (value_is_words(v))
        out_csv(out, v->text);
    else if (v->type == VALUE_ADDRESS)
        out_fmt(out, "0x%llx", (unsigned long long)v->number);
    else if (v->type == VALUE_SERIES)
        csv_series(out, v);
    else if (v->type != VALUE_NONE)
        json_value(&json, NULL, v);
}

static void csv_row(const struct table *t, size_t row, struct out *out)
{
    const char *before = "";

    for (size_t i = 0; i < t->column_count; i++) {
        struct value v;

        if (!t->columns[i].key)
            continue;
        v = table_cell(t, i, row);
        out_str(out, before);
        csv_value(out, &v);
        before = ",";
    }
    out_str(out, "\r\n");
}

static void write_csv(const struct table *t, struct out *out)
{
    const char *before = "";

    for (size_t i = 0; i < t->column_count; i++) {
        if (!t->columns[i].key)
            continue;
        out_str(out, before);
        out_csv(out, t->columns[i].key);
        before = ",";
    }
    out_str(out, "\r\n");
    for (size_t row = 0; has_row(t, row); row++)
        csv_row(t, row, out);
}

/* Markdown */

static const char *markdown_header(const struct table *t, size_t column)
{
    const char *header = t->columns[column].header;

    return header && !*header ? "%" : header;
}

static void write_markdown(const struct table *t, struct out *out)
{
    out_char(out, '|');
    for (size_t i = 0; i < t->column_count; i++) {
        if (!t->columns[i].header)
            continue;
        out_char(out, ' ');
        out_markdown(out, markdown_header(t, i));
        out_str(out, " |");
    }
    out_str(out, "\n|");
    for (size_t i = 0; i < t->column_count; i++)
        if (t->columns[i].header)
            out_str(out, column_is_number(t, i) ? "---:|" : "---|");
    out_char(out, '\n');
    for (size_t row = 0; row < t->row_count; row++) {
        out_char(out, '|');
        for (size_t i = 0; i < t->column_count; i++) {
            struct value v = table_cell(t, i, row);

            if (!t->columns[i].header)
                continue;
            out_char(out, ' ');
            if (value_is_words(&v)) {
                /* what is drawn needs columns of equal width */
                for (size_t n = v.prefix ? out_columns(v.prefix) : 0; n; n--)
                    out_str(out, "&nbsp;");
                out_markdown(out, v.text);
            } else {
                value_print(out, &v, 0);
            }
            out_str(out, " |");
        }
        out_char(out, '\n');
    }
}

static void write_json(const struct table *t, struct out *out)
{
    struct json json = json_to(out);

    table_json(t, &json, NULL);
}

static const struct {
    const char *name;
    void (*write)(const struct table *table, struct out *out);
} formats[FORMATS] = {
    [FORMAT_TEXT] = {"text", NULL}, /* the only one with a width */
    [FORMAT_JSON] = {"json", write_json},
    [FORMAT_CSV] = {"csv", write_csv},
    [FORMAT_MARKDOWN] = {"md", write_markdown},
};

const char *format_name(int format)
{
    return format < FORMATS ? formats[format].name : NULL;
}

/* Modules of which none is known. */
static bool says_no_module(const struct column *c, const struct table *t)
{
    size_t known = 0, cells = 0;

    for (size_t row = 0; row < t->row_count && !known; row++) {
        struct value v = c->value(t->rows, row);

        cells += v.type == VALUE_MODULE;
        known += v.type == VALUE_MODULE
                     ? *v.text && !!strcmp(v.text, NAME_UNKNOWN)
                     : v.type != VALUE_NONE;
    }
    return cells && !known;
}

/* For people: without columns that say nothing, but for the names that rows
 * are told by. */
static void write_for_people(const struct table *table, enum format format,
                             size_t width, struct out *out)
{
    struct column *columns = mem_new(table->column_count, sizeof(*columns));
    struct table t = *table;

    for (size_t i = 0; i < t.column_count; i++) {
        columns[i] = table->columns[i];
        if (columns[i].header && !columns[i].stretch && columns[i].value &&
            says_no_module(&columns[i], table))
            columns[i].header = NULL;
    }
    t.columns = columns;
    if (format == FORMAT_TEXT)
        table_write_text(&t, width, out);
    else
        formats[format].write(&t, out);
    free(columns);
}

void table_write(const struct table *table, enum format format, size_t width,
                 struct out *out)
{
    if (format_is_for_people(format))
        write_for_people(table, format, width, out);
    else
        formats[format].write(table, out);
}

/* By which it is looked for first, and then. */
static const char *name_of(const struct column *c, enum format format,
                           bool other)
{
    return (format == FORMAT_CSV) != other
               ? c->key
               : (c->header && *c->header ? c->header : NULL);
}

static bool is_called(const char *name, const char *word, size_t n)
{
    return name && strlen(name) == n && !memcmp(name, word, n);
}

const struct column *column_find(const struct column_set *set,
                                 enum format format, const char *word, size_t n)
{
    for (int other = 0; other < 2; other++)
        for (size_t i = 0; i < set->count; i++)
            if (is_called(name_of(&set->list[i], format, other), word, n))
                return &set->list[i];
    return NULL;
}

static size_t count_names(const char *names)
{
    size_t n = 1;

    while ((names = strchr(names, ',')) != NULL) {
        names++;
        n++;
    }
    return n;
}

void table_write_chosen(const struct table *table, const char *names,
                        enum format format, size_t width, struct out *out)
{
    struct arena arena = {0};
    struct table chosen = *table;
    struct column_set all = {table->columns, table->column_count};
    struct column *columns;
    size_t n;

    if (!names) {
        table_write(table, format, width, out);
        return;
    }
    columns = arena_new(&arena, struct column, count_names(names));
    chosen.columns = columns;
    chosen.chosen = true;
    chosen.column_count = 0;
    for (;; names += n + 1) {
        const struct column *c =
            column_find(&all, format, names, n = strcspn(names, ","));

        if (c) {
            struct column *to = &columns[chosen.column_count++];

            *to = *c;
            to->key = to->header = arena_strndup(&arena, names, n);
        }
        if (!names[n])
            break;
    }
    if (chosen.column_count)
        table_write(&chosen, format, width, out);
    arena_release(&arena);
}

/* A table of other formats has nothing to choose here. */
static bool is_of(const struct column_set *set, enum format format)
{
    for (size_t i = 0; i < set->count; i++)
        if (name_of(&set->list[i], format, false))
            return true;
    return false;
}

static bool is_there(const struct column_set *sets, enum format format,
                     const char *word, size_t n)
{
    for (; sets->list; sets++)
        if (is_of(sets, format) && column_find(sets, format, word, n))
            return true;
    return false;
}

bool column_sets_have(const struct column_set *sets, enum format format,
                      const char *names, const char **wrong, size_t *n)
{
    for (*wrong = names;; *wrong += *n + 1) {
        *n = strcspn(*wrong, ",");
        if (!is_there(sets, format, *wrong, *n))
            return false;
        if (!(*wrong)[*n])
            return true;
    }
}

/* True if a set before `last`, or `last` before column `before`, has the name.
 */
static bool was_named(const struct column_set *sets,
                      const struct column_set *last, size_t before,
                      enum format format, const char *name)
{
    for (const struct column_set *s = sets; s <= last; s++) {
        size_t n = s == last ? before : s->count;

        for (size_t i = 0; is_of(s, format) && i < n; i++)
            if (is_called(name_of(&s->list[i], format, false), name,
                          strlen(name)))
                return true;
    }
    return false;
}

const char *column_sets_name(const struct column_set *sets, enum format format,
                             size_t i)
{
    for (const struct column_set *s = sets; s->list; s++) {
        for (size_t c = 0; is_of(s, format) && c < s->count; c++) {
            const char *name = name_of(&s->list[c], format, false);

            if (name && !was_named(sets, s, c, format, name) && !i--)
                return name;
        }
    }
    return NULL;
}
