/*
 * A table is read by its names: of the first rows of every trace there is, at
 * the widths of three terminals, every function's own name stays whole, and
 * what goes into a pipe has every label whole.
 */
#include <dirent.h>

#include "cli/load/load.h"
#include "cli/terminal/terminal.h"
#include "tests/support/suite.h"

enum { FIRST = 20 };

static const size_t widths[] = {80, 100, 140, 0};

enum { WIDTHS = COUNT(widths) };

/* Over all traces. */
static struct {
    size_t traces, rows, whole[WIDTHS];
} seen;

/* Parameters, "[part]" or "lambda" begin where nothing is open. */
static bool ends_name(const char *at)
{
    return *at == '(' || !strncmp(at, " [", 2) || !strncmp(at, " (", 2) ||
           !strncmp(at, " lambda", 7) || !strncmp(at, " async", 6) ||
           !strncmp(at, " iterator", 9);
}

/* By another rule than that of shorten.c: what stands behind the last dot or
 * colon outside of brackets, without its arguments. */
static void own_name(const char *label, char *name, size_t size)
{
    const char *operator_name = strstr(label, "operator"), *start = label, *at;
    int depth = 0;

    if (operator_name) {
        snprintf(name, size, "operator");
        return;
    }
    for (at = label; *at; at++) {
        if (!depth && at > start && ends_name(at) && strncmp(at, "(anon", 5))
            break;
        depth += strchr("<([{", *at) != NULL;
        depth -= depth && strchr(">)]}", *at) && at > label && at[-1] != '-';
        if (!depth && !strncmp(at, "::", 2))
            start = ++at + 1;
        else if (!depth && strchr("./ ", *at) && at[1] && at > start)
            start = at + 1;
    }
    snprintf(name, size, "%.*s", (int)(at - start), start);
    if (strchr(name, '<') > name) /* arguments of generics may shrink */
        *strchr(name, '<') = '\0';
}

static char *top(const struct subject *subject, size_t width)
{
    struct report_options options = *subject->options;
    struct subject fitted = *subject;
    struct out *out = out_memory();
    char *text;

    options.width = width;
    fitted.options = &options;
    top_report.write[FORMAT_TEXT](&fitted, out);
    text = strdup(out_text(out, NULL));
    out_close(out, NULL);
    return text;
}

/* The first row below the line of headers. */
static char *rows_of(char *text)
{
    char *header = strstr(text, "\nexclusive");

    return header ? strchr(header + 1, '\n') : NULL;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);

    return n >= k && !strcmp(text + n - k, end);
}

static void check_row(const char *path, const char *row, const char *label,
                      size_t width)
{
    char name[4096];
    bool whole;

    own_name(label, name, sizeof(name));
    whole = widths[width] ? strstr(row, name) != NULL : ends_with(row, label);
    seen.whole[width] += whole;
    if (!whole)
        printf("%s, %zu columns: \"%s\" is not in: %s\n", path, widths[width],
               widths[width] ? name : label, row);
}

/* Cuts the next row off. A name that does not fit beside the module stands on
 * a line of its own below, which begins where the numbers end. */
static char *next_row(char **rest)
{
    static const char below[] = "\n                        ";
    char *row = *rest + (**rest == '\n'), *end = strchr(row, '\n');

    if (end && !strncmp(end, below, sizeof(below) - 1))
        end = strchr(end + 1, '\n');
    *rest = end ? end + 1 : row + strlen(row);
    if (end)
        *end = '\0';
    return *row ? row : NULL;
}

static void check_text(const char *path, const struct subject *subject,
                       const struct ranking *r, size_t width)
{
    char *text = top(subject, widths[width]), *rest = rows_of(text);

    for (size_t i = 0; i < r->len && i < FIRST; i++) {
        const char *label = profile_label(subject->p, r->rows[i].id);
        char *row = next_row(&rest);

        ck_assert_msg(row != NULL, "%s has no row %zu", path, i);
        if (*label)
            check_row(path, row, label, width);
    }
    free(text);
}

static void check_profile(const char *path, const struct options *o,
                          const struct profile *p)
{
    struct selection *sel = selection_new(p, &o->report.filter);
    struct subject subject = {.options = &o->report, .p = p, .sel = sel};
    struct ranking *r =
        ranking_top(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE, FIRST);

    for (size_t w = 0; sel->samples && w < WIDTHS; w++)
        check_text(path, &subject, r, w);
    for (size_t i = 0; i < r->len && i < FIRST; i++)
        seen.rows += *profile_label(p, r->rows[i].id) != '\0';
    seen.traces += sel->samples > 0;
    ranking_free(r);
    selection_free(sel);
}

static void check_folder(const char *folder, const struct options *o)
{
    struct dirent **names;
    int n = scandir(folder, &names, NULL, alphasort);

    for (int i = 0; i < n; i++) {
        enum status status;
        struct profile *p = NULL;
        char path[1000];
        const char *file = path;

        snprintf(path, sizeof(path), "%s/%s", folder, names[i]->d_name);
        if (names[i]->d_name[0] != '.' && !strstr(path, ".txt"))
            p = load(o, &file, 1, LOAD_BUSY, &status);
        if (p) {
            load_for_people(p, o);
            check_profile(path, o, p);
            profile_free(p);
        }
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

/* The options keep pointing at these. */
static char *r2r, *dotnet;

static void parse(struct options *o)
{
    static char top_word[] = "top", symbols[] = "--symbols",
                pdb[] = "testdata/pdb", waits[] = "--waits", limit[] = "-n20";
    char *arguments[] = {top_word, symbols, pdb,   symbols, NULL,
                         symbols,  NULL,    waits, limit};
    struct err err = {0};

    arguments[4] = r2r = traces_path("symbols", "r2r", "");
    arguments[6] = dotnet = traces_path("symbols", "dotnet", "");
    ck_assert_int_eq(options_parse(o, COUNT(arguments),
                                   arguments, &err),
                     ERR_NONE);
}

TEST(names_stay_whole)
{
    static const char *const own[] = {"etl", "nettrace", "container", "diff"};
    static const char *const others[] = {
        "etl",         "nettrace", "nettrace/conformance", "vsp", "vspx",
        "diagsession", "perfdata",
    };
    struct options o;
    size_t own_traces;

    say_quietly(true);
    parse(&o);
    for (size_t i = 0; i < COUNT(own); i++) {
        char folder[100];

        snprintf(folder, sizeof(folder), "testdata/%s", own[i]);
        check_folder(folder, &o);
    }
    own_traces = seen.traces;
    ck_assert_uint_ge(own_traces, 20);
    for (size_t i = 0; i < COUNT(others); i++) {
        char *folder = traces_path(others[i], "", "");

        check_folder(folder, &o);
        free(folder);
    }
    if (seen.traces == own_traces)
        suite_skip(1, "no real traces");
    for (size_t w = 0; w < WIDTHS; w++) {
        printf("%zu columns: %zu of %zu names whole, in %zu traces\n",
               widths[w], seen.whole[w], seen.rows, seen.traces);
        ck_assert_uint_eq(seen.whole[w], seen.rows);
    }
    options_release(&o);
    free(r2r);
    free(dotnet);
}
