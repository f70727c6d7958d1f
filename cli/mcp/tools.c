#include "cli/mcp/tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "report/schemas.h"

enum {
    ROWS_USUAL = 20,
    ROWS_MOST = 1000,
    PERCENT_USUAL = 2, /* of branches of a tree */
    FILES_MOST = 100,
    SHRUNK_MOST = 4
};

#define FILTERS                                                                \
    " process thread module time focus ignore leaf group fold event weight"

const struct tool tools[] = {
    {.name = "recordings",
     .title = "List recordings",
     .about = "The recordings (traces, profiles, topfn databases) in the "
              "folders of this server. Other tools take such a path as file.",
     .takes = "limit",
     .schema = "recordings"},
    {.name = "info",
     .title = "Contents and quality",
     .about = "Contents and quality of a recording: system, duration, "
              "processes, events, lost events, how many stacks are complete "
              "and how many samples have names. Ask this first.",
     .takes = "file! limit event weight",
     .schema = "info",
     .keeps = true},
    {.name = "top",
     .title = "Hot functions",
     .about = "The hottest functions, modules, processes, threads or lines. "
              "exclusive: samples in the function itself; inclusive: samples "
              "with it on their stack; rows are sorted by sort. Percentages "
              "are of trace.samples.",
     .takes = "file! by sort limit" FILTERS,
     .schema = "top",
     .keeps = true},
    {.name = "callers",
     .title = "Callers and callees",
     .about = "Who calls a function and what it calls, with the samples of "
              "each.",
     .takes = "function! file! limit" FILTERS,
     .schema = "callers",
     .keeps = true},
    {.name = "tree",
     .title = "Call tree",
     .about = "The call tree, from the root down or, with bottom_up, from the "
              "hot functions to their callers. root shows one function's part.",
     .takes = "file! min depth bottom_up root" FILTERS,
     .schema = "tree",
     .keeps = true},
    {.name = "list",
     .title = "Source lines",
     .about = "Samples of each source line of a function. The text of a line "
              "is there if the server was started with --source.",
     .takes = "function! file! limit context" FILTERS,
     .schema = "list",
     .keeps = true},
    {.name = "timeline",
     .title = "Phases over time",
     .about = "Samples over time, and the phases of the recording; a phase's "
              "from_ns and to_ns make a time filter.",
     .takes = "file! by sort limit buckets" FILTERS,
     .schema = "timeline",
     .keeps = true},
    {.name = "diff",
     .title = "Compare recordings",
     .about = "What became slower or faster between recordings of before and "
              "after, each with a verdict (slower, faster, new, gone, "
              "inconclusive, unchanged) and a confidence interval. Several "
              "recordings of a side make it more certain.",
     .takes = "before! after! by sort limit normalize" FILTERS,
     .schema = "diff"},
    {.name = "events",
     .title = "Events",
     .about = "The kinds of raw events in a recording, with how many there "
              "are. query has their fields.",
     .takes = "file! limit",
     .schema = "events"},
    {.name = "query",
     .title = "SQL",
     .about = "One SQL statement (SQLite, read-only) over samples, stacks and "
              "events of a recording. SELECT name, sql FROM sqlite_schema "
              "lists the tables and views. Use LIMIT and OFFSET.",
     .takes = "file! sql! event weight",
     .schema = "query",
     .keeps = true},
    {.name = "guide",
     .title = "Guide",
     .about = "One page: in which order to ask, filters, and how to read "
              "answers.",
     .takes = ""},
    {.name = NULL},
};

/* Arguments that are no options, and options with other limits here. */
static const struct {
    const char *name, *type, *about;
} own_arguments[] = {
    {"file", "string",
     "path of a recording; a relative one begins in a folder of the server"},
    {"function", "string",
     "name, last parts of a name, module!name, glob, or re:REGEX"},
    {"sql", "string", "one statement"},
    {"before", NULL, "paths of recordings of the first side"},
    {"after", NULL, "paths of recordings of the second side"},
    {"limit", "integer", "rows, 1 to 1000 (20)"},
    {"min", "number", "drop branches below this percentage (2)"},
};

const struct tool *tool_find(const char *name)
{
    for (const struct tool *t = tools; t->name; t++)
        if (!strcmp(t->name, name))
            return t;
    return NULL;
}

/* ---- the names of a tool's arguments ---- */

enum { NAME_SIZE = 24 };

struct argument {
    char name[NAME_SIZE];
    bool required;
    const struct option *option; /* NULL: a file, function or SQL */
};

/* Moves *takes behind the next name. False at the end. */
static bool next_argument(const char **takes, struct argument *a)
{
    const char *at = *takes + strspn(*takes, " ");
    size_t n = strcspn(at, " !");
    char option[NAME_SIZE];

    if (!n)
        return false;
    snprintf(a->name, sizeof(a->name), "%.*s", (int)n, at);
    a->required = at[n] == '!';
    *takes = at + n + a->required;
    memcpy(option, a->name, sizeof(option));
    for (char *under; (under = strchr(option, '_'));)
        *under = '-';
    /* --before and --after of the command line are marks without a value. */
    a->option = option_find(option, n);
    if (a->option && a->option->use & TAKES_DIFF && !a->option->argument)
        a->option = NULL;
    return true;
}

static bool is_list(const struct argument *a)
{
    return a->option ? a->option->repeats
                     : !strcmp(a->name, "before") || !strcmp(a->name, "after");
}

/* ---- tools/list ---- */

/* A value is one of these, unless the option takes others, too. */
static void write_words(const struct option *o, struct json *json)
{
    struct out *all = out_memory();
    const char *word;

    if (o->set) {
        for (int i = 0; (word = option_word(o, i)); i++)
            out_fmt(all, "%s%s", i ? ", " : "", word);
        json_text(json, "description", out_text(all, NULL));
    } else {
        json_array(json, "enum");
        for (int i = 0; (word = option_word(o, i)); i++)
            json_text(json, NULL, word);
        json_end(json);
    }
    out_close(all, NULL);
}

static void write_argument(const struct argument *a, struct json *json)
{
    const struct option *o = a->option;
    const char *type = o && o->most ? "integer" : "string";
    const char *about = o ? o->help : NULL;

    if (o && !o->argument)
        type = "boolean";
    for (size_t i = 0; i < sizeof(own_arguments) / sizeof(*own_arguments); i++)
        if (!strcmp(own_arguments[i].name, a->name)) {
            type = own_arguments[i].type;
            about = own_arguments[i].about;
        }
    json_object(json, a->name);
    json_text(json, "type", is_list(a) ? "array" : type);
    if (is_list(a)) {
        json_object(json, "items");
        json_text(json, "type", "string");
        json_end(json);
    }
    if (o && option_word(o, 0))
        write_words(o, json);
    if (!o || !o->set || !option_word(o, 0))
        json_text(json, "description", about);
    json_end(json);
}

static void write_input(const struct tool *t, struct json *json)
{
    const char *takes = t->takes;
    struct argument a;

    json_object(json, "inputSchema");
    json_text(json, "type", "object");
    json_object(json, "properties");
    while (next_argument(&takes, &a))
        write_argument(&a, json);
    json_end(json);
    json_array(json, "required");
    takes = t->takes;
    while (next_argument(&takes, &a))
        if (a.required)
            json_text(json, NULL, a.name);
    json_end(json);
    json_bool(json, "additionalProperties", false);
    json_end(json);
}

/* A message is one line, and blank space between values may go. */
static void write_output(const struct tool *t, struct json *json)
{
    struct out *schema = out_memory();
    char *text;

    (void)schema_write(t->schema, schema);
    text = (char *)out_text(schema, NULL);
    for (char *at = text; (at = strchr(at, '\n'));)
        *at = ' ';
    json_bare(json, "outputSchema", text);
    out_close(schema, NULL);
}

void tools_write(struct json *json, bool online)
{
    json_array(json, "tools");
    for (const struct tool *t = tools; t->name; t++) {
        json_object(json, NULL);
        json_text(json, "name", t->name);
        json_text(json, "title", t->title);
        json_text(json, "description", t->about);
        write_input(t, json);
        if (t->schema)
            write_output(t, json);
        json_object(json, "annotations");
        json_bool(json, "readOnlyHint", true);
        json_bool(json, "openWorldHint", online);
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

/* ---- tools/call ---- */

struct caller {
    const struct tool *tool;
    const struct tool_server *server;
    unsigned shrunk;
    struct command_line *line;
    struct err *err;
};

static void add_word(struct command_line *line, const char *text)
{
    *vec_add(&line->words) = arena_strndup(&line->arena, text, strlen(text));
}

/* --name=value; without a value if it is NULL. */
static void add_option(struct command_line *line, const char *name,
                       const char *value)
{
    *vec_add(&line->words) = arena_fmt(&line->arena, "--%s%s%s", name,
                                       value ? "=" : "", value ? value : "");
}

static bool refuse(struct caller *c, const struct argument *a,
                   const char *wanted)
{
    err_set(c->err, ERR_USAGE, "%s: %s is wanted", a->name, wanted);
    return false;
}

static bool add_flag(struct caller *c, const struct argument *a,
                     struct json_value v)
{
    if (!json_is_boolean(v))
        return refuse(c, a, "true or false");
    if (json_is_true(v))
        add_option(c->line, a->option->name, NULL);
    return true;
}

/* A fourth of the rows after each answer that was too long. */
static bool add_limit(struct caller *c, const struct argument *a,
                      struct json_value v)
{
    uint64_t rows = json_is_there(v) ? json_whole_of(v, 0) : ROWS_USUAL;
    char text[24];

    if (!rows || rows > ROWS_MOST)
        return refuse(c, a, "a whole number from 1 to 1000");
    rows >>= 2 * c->shrunk;
    snprintf(text, sizeof(text), "%u", rows ? (unsigned)rows : 1);
    add_option(c->line, a->name, text);
    return true;
}

/* The share of the smallest branch is four times as large after each answer
 * that was too long. */
static bool add_min(struct caller *c, const struct argument *a,
                    struct json_value v)
{
    double percent = json_is_there(v) ? json_number_of(v) : PERCENT_USUAL;
    char text[24];
    unsigned hundredths;

    if ((json_is_there(v) && !json_is_number(v)) || percent < 0 ||
        percent > 100)
        return refuse(c, a, "a number from 0 to 100");
    if (c->shrunk && percent < 0.1)
        percent = 0.1;
    hundredths =
        (unsigned)(percent * 100 * (double)(1u << 2 * c->shrunk) + 0.5);
    hundredths = hundredths < 10000 ? hundredths : 10000;
    snprintf(text, sizeof(text), "%u.%02u", hundredths / 100, hundredths % 100);
    add_option(c->line, a->name, text);
    return true;
}

static bool add_number(struct caller *c, const struct argument *a,
                       struct json_value v)
{
    uint64_t n = json_whole_of(v, UINT64_MAX);
    char text[24];

    if (n > a->option->most)
        return refuse(c, a, "a whole number");
    snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
    add_option(c->line, a->option->name, text);
    return true;
}

static bool add_texts(struct caller *c, const struct argument *a,
                      struct json_value v)
{
    size_t n = json_length(v);

    if (json_text_of(v) && *json_text_of(v)) {
        add_option(c->line, a->option->name, json_text_of(v));
        return true;
    }
    if (!is_list(a) || !json_is_array(v))
        return refuse(c, a, is_list(a) ? "an array of texts" : "a text");
    for (size_t i = 0; i < n; i++) {
        const char *text = json_text_of(json_element(v, i));

        if (!text || !*text)
            return refuse(c, a, "an array of texts");
        add_option(c->line, a->option->name, text);
    }
    return true;
}

static bool add_path(struct caller *c, const char *name)
{
    char path[PATH_MAX];

    if (!folders_find(&c->server->folders, name, path, c->err))
        return false;
    add_word(c->line, path);
    c->line->file = c->line->words.data[c->line->words.len - 1];
    return true;
}

/* "--before", and the files of the side. */
static bool add_side(struct caller *c, const struct argument *a,
                     struct json_value v)
{
    size_t n = json_length(v);

    if (!n || n > FILES_MOST)
        return refuse(c, a, "an array of 1 to 100 paths");
    add_option(c->line, a->name, NULL);
    for (size_t i = 0; i < n; i++) {
        const char *name = json_text_of(json_element(v, i));

        if (!name)
            return refuse(c, a, "an array of paths");
        if (!add_path(c, name))
            return false;
    }
    return true;
}

static bool add_positional(struct caller *c, const struct argument *a,
                           struct json_value v)
{
    const char *text = json_text_of(v);

    if (is_list(a))
        return add_side(c, a, v);
    if (!text || !*text)
        return refuse(c, a, "a text");
    if (!strcmp(a->name, "file"))
        return add_path(c, text);
    /* The blank keeps `query` from taking a statement for the name of a file,
     * which "@FILE" is. */
    *vec_add(&c->line->words) = arena_fmt(
        &c->line->arena, "%s%s", strcmp(a->name, "sql") ? "" : " ", text);
    return true;
}

static bool add_argument(struct caller *c, const struct argument *a,
                         struct json_value v)
{
    /* These two are there in any case. */
    if (!strcmp(a->name, "limit"))
        return add_limit(c, a, v);
    if (!strcmp(a->name, "min"))
        return add_min(c, a, v);
    if (!json_is_there(v))
        return a->required ? refuse(c, a, "a value") : true;
    if (!a->option)
        return add_positional(c, a, v);
    if (!a->option->argument)
        return add_flag(c, a, v);
    return a->option->most ? add_number(c, a, v) : add_texts(c, a, v);
}

/* Options, or what stands behind them. */
static bool add_arguments(struct caller *c, struct json_value arguments,
                          bool options)
{
    const char *takes = c->tool->takes;
    struct argument a;

    while (next_argument(&takes, &a))
        if (options == (a.option != NULL) &&
            !add_argument(c, &a, json_member(arguments, a.name)))
            return false;
    return true;
}

static bool knows_all(struct caller *c, struct json_value arguments)
{
    const char *key;

    for (size_t i = 0; (key = json_key_at(arguments, i)); i++) {
        const char *takes = c->tool->takes;
        struct argument a = {.name = ""};

        while (strcmp(a.name, key) != 0 && next_argument(&takes, &a))
            continue;
        if (strcmp(a.name, key) != 0) {
            err_set(c->err, ERR_USAGE,
                    "%s has no argument \"%.100s\"; it has %s", c->tool->name,
                    key, c->tool->takes);
            return false;
        }
    }
    return true;
}

/* Options of `topfn mcp` that the command takes, too. */
static void add_server_options(struct caller *c, uint64_t takes)
{
    const struct option *names = option_find("names", strlen("names"));
    const struct options *o = c->server->options;

    for (size_t i = 0; i < o->symbols.len && takes & USE_SYMBOLS; i++)
        add_option(c->line, "symbols", o->symbols.data[i]);
    if (o->online && takes & USE_SYMBOLS)
        add_option(c->line, "online", NULL);
    for (int i = 0; names->words[i].word && takes & USE_SYMBOLS; i++)
        if (names->words[i].value == (unsigned)o->names)
            add_option(c->line, "names", names->words[i].word);
    for (size_t i = 0; i < o->sources.len && takes & TAKES_SOURCES; i++)
        add_option(c->line, "source", o->sources.data[i]);
    for (size_t i = 0; i < o->source_maps.len && takes & TAKES_SOURCES; i++)
        add_option(c->line, "source-map", o->source_maps.data[i]);
}

/* The identity of the file, so that a recording that was replaced is read
 * again, and the arguments that decide how it is read. */
static void make_key(struct caller *c, struct json_value arguments)
{
    const char *event = json_get_text(arguments, "event");
    struct stat st = {.st_size = 0};

    (void)!stat(c->line->file, &st);
    c->line->key = arena_fmt(
        &c->line->arena, "%llu %llu %lld.%09ld %lld %s\n%s\n%s\n%s",
        (unsigned long long)st.st_dev, (unsigned long long)st.st_ino,
        (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (long long)st.st_size,
        c->line->file, event, json_get_text(arguments, "weight"),
        *event ? json_get_text(arguments, "by") : "");
}

bool tool_command(const struct tool *t, struct json_value arguments,
                  const struct tool_server *server, unsigned shrunk,
                  struct command_line *line, struct err *err)
{
    struct caller c = {t, server, shrunk, line, err};
    struct command command;
    char most[24];

    *line = (struct command_line){.file = NULL};
    add_word(line, "topfn");
    add_word(line, t->name);
    if (command_find(t->name, &command)) {
        snprintf(most, sizeof(most), "%d", TOOL_ANSWER);
        if (command.takes & USE_OUTPUT)
            add_option(line, "max-output", most);
        if (command.takes & USE_FORMAT)
            add_option(line, "format", "json");
        add_server_options(&c, command.takes);
    }
    if (!knows_all(&c, arguments) || !add_arguments(&c, arguments, true))
        return false;
    if (!strstr(t->takes, "before"))
        add_word(line, "--");
    if (!add_arguments(&c, arguments, false))
        return false;
    if (t->keeps)
        make_key(&c, arguments);
    else
        line->file = NULL;
    return true;
}

bool tool_can_shrink(const struct tool *t, unsigned shrunk)
{
    return shrunk < SHRUNK_MOST &&
           (strstr(t->takes, "limit") || strstr(t->takes, "min"));
}

void command_line_release(struct command_line *line)
{
    vec_release(&line->words);
    arena_release(&line->arena);
}
