#include "report/table/chosen_columns.h"

#include <string.h>

#include "engine/base/arena.h"

static const char *header_of(const struct column *c)
{
    return c->header && *c->header ? c->header : NULL;
}

/* By which it is looked for first, and then. */
static const char *name_of(const struct column *c, enum format format,
                           bool other)
{
    return (format == FORMAT_CSV) != other ? c->key : header_of(c);
}

static bool is_called(const char *name, const char *word, size_t n)
{
    return name && strlen(name) == n && !memcmp(name, word, n);
}

static const struct column *find(const struct column *list, size_t count,
                                 enum format format, const char *word,
                                 size_t n)
{
    for (int other = 0; other < 2; other++)
        for (size_t i = 0; i < count; i++)
            if (is_called(name_of(&list[i], format, other), word, n))
                return &list[i];
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
    struct column *columns;
    size_t n;

    if (!names) {
        table_write(table, format, width, out);
        return;
    }
    columns = arena_new(&arena, struct column, count_names(names));
    chosen.columns = columns;
    chosen.column_count = 0;
    for (;; names += n + 1) {
        const struct column *c =
            find(table->columns, table->column_count, format, names,
                 n = strcspn(names, ","));

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
        if (is_of(sets, format) &&
            find(sets->list, sets->count, format, word, n))
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

/* Of sets before `last`, and of it before column `before`. */
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
