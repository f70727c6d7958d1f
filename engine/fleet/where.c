#include "engine/fleet/where.h"

#include <string.h>

#include "engine/fleet/clickhouse.h"

/*
 * The condition is translated word by word, because SQL has the same words in
 * the same order. The next word either belongs to a comparison, or joins one
 * comparison to the next.
 */
struct where {
    const char *text, *at;
    struct out *sql;
    struct err *err;
    struct arena scratch;
    unsigned open; /* parentheses */
};

enum comparison { IS, IS_NOT, BELOW, UP_TO, ABOVE, FROM, COMPARISONS };

static const char *const signs[] = {
    [IS] = "=",     [IS_NOT] = "!=", [BELOW] = "<",
    [UP_TO] = "<=", [ABOVE] = ">",   [FROM] = ">=",
};

static const struct {
    const char *key, *sql;
} known[] = {
    {"host", "host"},
    {"os", "os"},
    {"file", "file"},
    {"format", "format"},
    {"metric", "metric"},
    {"run", "hash"},
    {"day", "toString(toDate(time, 'UTC'))"},
};

enum { KNOWN = sizeof(known) / sizeof(*known) };

static bool is_key_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (c && strchr("_-.", c));
}

bool where_is_key(const char *key)
{
    const char *at = key;

    while (is_key_char(*at))
        at++;
    return *key && !*at && strcmp(key, "and") != 0 && strcmp(key, "or") != 0 &&
           strcmp(key, "not") != 0;
}

bool where_is_known(const char *key)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (!strcmp(key, known[i].key))
            return true;
    return false;
}

void where_key_sql(const char *key, struct out *sql)
{
    for (size_t i = 0; i < KNOWN; i++) {
        if (strcmp(key, known[i].key) != 0)
            continue;
        out_str(sql, known[i].sql);
        return;
    }
    out_str(sql, "label_values[indexOf(label_keys, ");
    sql_text(sql, key);
    out_str(sql, ")]");
}

static enum err_code expect(struct where *w, const char *what)
{
    return err_set(w->err, ERR_USAGE,
                   "\"%s\": expected %s at character %zu (key=value, and, or, "
                   "not, parentheses)",
                   w->text, what, (size_t)(w->at - w->text) + 1);
}

static void skip_blanks(struct where *w)
{
    w->at += strspn(w->at, " \t\n");
}

/* A word that stands alone: `and`, but not what begins with it. */
static bool take_word(struct where *w, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(w->at, word, n) != 0 || is_key_char(w->at[n]) ||
        strchr("=!<>", w->at[n] ? w->at[n] : ' '))
        return false;
    w->at += n;
    return true;
}

static bool take_char(struct where *w, char c)
{
    skip_blanks(w);
    if (*w->at != c)
        return false;
    w->at++;
    return true;
}

static const char *take_key(struct where *w)
{
    const char *from = w->at;

    while (is_key_char(*w->at))
        w->at++;
    return w->at == from
               ? NULL
               : arena_strndup(&w->scratch, from, (size_t)(w->at - from));
}

/* The longest sign that stands there. */
static bool take_sign(struct where *w, enum comparison *sign)
{
    size_t longest = 0;

    skip_blanks(w);
    for (int i = 0; i < COMPARISONS; i++) {
        size_t n = strlen(signs[i]);

        if (n <= longest || strncmp(w->at, signs[i], n) != 0)
            continue;
        longest = n;
        *sign = (enum comparison)i;
    }
    w->at += longest;
    return longest > 0;
}

static const char *take_value(struct where *w)
{
    bool is_quoted;
    const char *from;
    size_t n;

    skip_blanks(w);
    is_quoted = *w->at == '\'' || *w->at == '"';
    from = w->at + is_quoted;
    n = is_quoted ? strcspn(from, *w->at == '"' ? "\"" : "'")
                  : strcspn(from, " \t\n()");
    if (is_quoted ? !from[n] : !n)
        return NULL;
    w->at = from + n + is_quoted;
    return arena_strndup(&w->scratch, from, n);
}

static void write_order(struct where *w, const char *key, enum comparison sign,
                        const char *value)
{
    static const char numbers[] =
        "arrayMap(x -> toUInt64OrZero(x), extractAll(";

    out_fmt(w->sql, "(%s", numbers);
    where_key_sql(key, w->sql);
    out_fmt(w->sql, ", '[0-9]+')) %s %s", signs[sign], numbers);
    sql_text(w->sql, value);
    out_str(w->sql, ", '[0-9]+')) AND ");
    where_key_sql(key, w->sql);
    out_str(w->sql, " != '')");
}

static enum err_code take_comparison(struct where *w)
{
    const char *key = take_key(w), *value;
    enum comparison sign = IS;

    if (!key)
        return expect(w, "a key");
    if (!take_sign(w, &sign))
        return expect(w, "=, !=, <, <=, > or >=");
    value = take_value(w);
    if (!value)
        return expect(w, "a value");
    if (sign == IS || sign == IS_NOT) {
        bool is_glob = strpbrk(value, "*?") != NULL;

        if (sign == IS_NOT)
            out_str(w->sql, "NOT ");
        out_char(w->sql, '(');
        where_key_sql(key, w->sql);
        out_str(w->sql, is_glob ? " LIKE " : " = ");
        if (is_glob)
            sql_glob(w->sql, value);
        else
            sql_text(w->sql, value);
        out_char(w->sql, ')');
        return ERR_NONE;
    }
    if (!strpbrk(value, "0123456789"))
        return expect(w, "a value with a number in it");
    write_order(w, key, sign, value);
    return ERR_NONE;
}

/* A comparison and the operator before it. */
static enum err_code take_operand(struct where *w)
{
    for (;;) {
        skip_blanks(w);
        if (take_word(w, "not")) {
            out_str(w->sql, "NOT ");
        } else if (take_char(w, '(')) {
            out_char(w->sql, '(');
            w->open++;
        } else {
            return take_comparison(w);
        }
    }
}

static enum err_code translate_condition(struct where *w)
{
    enum err_code code;

    for (;;) {
        code = take_operand(w);
        if (code)
            return code;
        while (w->open && take_char(w, ')')) {
            out_char(w->sql, ')');
            w->open--;
        }
        skip_blanks(w);
        if (!*w->at)
            return w->open ? expect(w, "\")\"") : ERR_NONE;
        if (take_word(w, "and"))
            out_str(w->sql, " AND ");
        else if (take_word(w, "or"))
            out_str(w->sql, " OR ");
        else
            return expect(w, "and, or, or the end");
    }
}

enum err_code where_sql(const char *text, struct out *sql, struct err *err)
{
    struct where w = {.text = text, .at = text, .sql = sql, .err = err};
    enum err_code code;

    out_char(sql, '(');
    code = translate_condition(&w);
    out_char(sql, ')');
    arena_release(&w.scratch);
    return code;
}

/* ---- recordings ---- */

static enum err_code add_where(const char *where, struct out *sql,
                               struct err *err)
{
    if (!where)
        return ERR_NONE;
    out_str(sql, " AND ");
    return where_sql(where, sql, err);
}

enum err_code choose_runs(const struct fleet *f, const struct fleet_question *q,
                          struct out *sql, struct err *err)
{
    enum err_code code;

    out_str(sql, "run GLOBAL IN (SELECT min(run) FROM runs GROUP BY hash)");
    if (q->since > 0)
        out_fmt(sql, " AND toUInt32(time) >= %lld", (long long)q->since);
    code = add_where(f->address.where, sql, err);
    return code ? code : add_where(q->where, sql, err);
}
