#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/diff/gate.h"

/* Budgets in a file, see gate.h. */

enum { LINE_MOST = 4096 };

struct reading {
    struct gate_rules *rules;
    gate_percent *read_percent;
    const char *path;
    unsigned line;
    struct err *err;
};

static enum err_code fail(struct reading *r, const char *what)
{
    return err_set(r->err, ERR_CORRUPT, "%s:%u: %s", r->path, r->line, what);
}

/* Cuts blanks at both ends; the text is changed in place. */
static char *trimmed(char *text)
{
    size_t n;

    text += strspn(text, " \t\r\n");
    for (n = strlen(text); n && strchr(" \t\r\n", text[n - 1]); n--)
        text[n - 1] = '\0';
    return text;
}

/* The number that a line ends with is cut off it. */
static bool take_percent(struct reading *r, char *text, double *value)
{
    char *last = text + strlen(text);
    uint32_t hundredths;

    while (last > text && !strchr(" \t", last[-1]))
        last--;
    if (!r->read_percent(last, &hundredths))
        return false;
    *last = '\0';
    *value = hundredths / 100.0;
    return true;
}

static const char *kept(struct reading *r, const char *text)
{
    return arena_strndup(&r->rules->arena, text, strlen(text));
}

static enum err_code take_function(struct reading *r, char *rest)
{
    struct gate_limit limit = {.has_max = true};

    if (!take_percent(r, rest, &limit.max))
        return fail(r, "no percentage after the function");
    rest = trimmed(rest);
    if (!*rest)
        return fail(r, "no function named");
    limit.glob = kept(r, rest);
    *vec_add(&r->rules->limits) = limit;
    return ERR_NONE;
}

static enum err_code take_limit(struct reading *r, char *rest, bool *has,
                                double *max)
{
    if (!take_percent(r, rest, max) || *trimmed(rest))
        return fail(r, "no percentage");
    *has = true;
    return ERR_NONE;
}

static enum err_code take_line(struct reading *r, char *line)
{
    char *text = trimmed(line), *rest;
    size_t n = strcspn(text, " \t");

    if (!*text || *text == '#')
        return ERR_NONE;
    rest = trimmed(text + n);
    text[n] = '\0';
    if (!strcmp(text, "function"))
        return take_function(r, rest);
    if (!strcmp(text, "require") && *rest) {
        *vec_add(&r->rules->required) = kept(r, rest);
        return ERR_NONE;
    }
    if (!strcmp(text, "max-regression"))
        return take_limit(r, rest, &r->rules->has_max, &r->rules->max);
    if (!strcmp(text, "max-total"))
        return take_limit(r, rest, &r->rules->has_total,
                          &r->rules->max_total);
    return fail(r, "neither max-regression, max-total, function nor require");
}

enum err_code gate_read(struct gate_rules *rules, const char *path,
                        gate_percent *read_percent, struct err *err)
{
    struct reading r = {rules, read_percent, path, 0, err};
    FILE *file = fopen(path, "re");
    enum err_code code = ERR_NONE;
    char line[LINE_MOST];

    if (!file)
        return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO,
                       "%s: %s", path, strerror(errno));
    while (!code && fgets(line, sizeof(line), file)) {
        r.line++;
        if (strlen(line) == sizeof(line) - 1)
            code = fail(&r, "the line is too long");
        else
            code = take_line(&r, line);
    }
    if (!code && ferror(file))
        code = err_set(err, ERR_IO, "%s: cannot read", path);
    fclose(file);
    return code;
}
