#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/load/load.h"
#include "cli/options/options.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "engine/base/arena.h"
#include "engine/base/mem.h"
#include "engine/base/newfile.h"
#include "engine/input/trace_events.h"
#include "engine/sql/query.h"
#include "engine/store/store.h"
#include "report/sql/query.h"

/* query: SQL over profiles and events. */

enum { LONGEST_FILE = 1 << 20 };

/* ---- time ---- */

/* A single function of SQL cannot be interrupted. */
static void on_alarm(int number)
{
    static const char message[] =
        "topfn: the statement exceeds its time limit (--max-time)\n";

    (void)number;
    new_file_abandon();
    (void)!write(STDERR_FILENO, message, sizeof(message) - 1);
    _exit(STATUS_BAD_INPUT);
}

/* Somewhat later than the statement is to end by itself; 0: not at all. */
static void set_alarm(int64_t max_time)
{
    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval timer = {.it_value = {0}};

    if (max_time) {
        timer.it_value.tv_sec = (time_t)(max_time / 1000000000 + 2);
        timer.it_value.tv_usec = (suseconds_t)(max_time % 1000000000 / 1000);
        sigaction(SIGALRM, &action, NULL);
    }
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* ---- statements ---- */

static enum status complain(const struct err *err)
{
    if (!*err->message) /* was said */
        return status_of_input(err->code);
    say("%s", err->message);
    if (strstr(err->message, "no such table") ||
        strstr(err->message, "no such column"))
        say_hint("topfn query --schema lists tables and columns");
    return status_of_input(err->code);
}

static enum status run_all(struct query *q, const char *sql,
                           const struct options *o, struct output **output)
{
    struct err err = {0}, unopened = {0};
    struct query_result *r;
    enum err_code code = ERR_NONE;

    while (!code && (r = query_next(q, &sql, &err))) {
        bool first = !*output;

        if (first)
            *output = output_open(o->output, &unopened);
        if (!*output) {
            query_end(r, NULL);
            say("%s", unopened.message);
            return status_of_output(unopened.code);
        }
        /* Tables for people are set apart. */
        if (!first && format_is_for_people(o->report.format))
            out_char(output_out(*output), '\n');
        set_alarm(o->max_time);
        code = query_write(r, &o->report, o->max_memory, output_out(*output),
                           &err);
        set_alarm(0);
    }
    return err.code ? complain(&err) : STATUS_OK;
}

/* Runs all statements of a text; says why the first that fails ends it. */
static enum status sql_run(struct query *q, const char *sql,
                           const struct options *o)
{
    struct output *output = NULL;
    enum status status = run_all(q, sql, o, &output);
    struct err err = {0};

    if (output && output_close(output, &err) && !status) {
        status = say_output_error(&err);
    }
    return status;
}

/* Reads the SQL of a file ("-": standard input); the caller frees it. Says why
 * and returns NULL when it cannot be read. */
static char *sql_read(const char *path, enum status *status)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    char *text;
    size_t n;

    *status = STATUS_NO_INPUT;
    if (!file) {
        mem_check_errno();
        say("%s: %s", path, strerror(errno));
        return NULL;
    }
    text = mem_new(LONGEST_FILE + 1, 1);
    n = fread(text, 1, LONGEST_FILE, file);
    if (n == LONGEST_FILE || ferror(file) || strlen(text) != n) {
        say("%s: not a text of SQL", path);
        *status = STATUS_BAD_INPUT;
        free(text);
        text = NULL;
    }
    if (file != stdin)
        fclose(file);
    return text;
}

/* Files that are one trace, read when the SQL asks for it. */
struct asked {
    const struct options *options;
    const char *const *files;
    size_t count;
    struct profile *profile;
    enum status status; /* of reading it */
    struct query_source source;
};

struct session {
    const struct options *options;
    struct query *q;
    struct asked *asked; /* the first, then what is attached */
    size_t count;
    struct arena names;
};

static const struct profile *read_profile(void *state, bool event_stacks,
                                          struct err *err)
{
    struct asked *a = state;

    profile_free(a->profile);
    a->profile = load(a->options, a->files, a->count,
                      event_stacks ? LOAD_EVENTS : LOAD_ALL, &a->status);
    if (!a->profile)
        err_set(err, ERR_IO, "%s", ""); /* load has said why */
    return a->profile;
}

static bool is_database(const char *path)
{
    uint8_t head[100];
    FILE *file = strcmp(path, "-") ? fopen(path, "rb") : NULL;
    size_t n = file ? fread(head, 1, sizeof(head), file) : 0;

    if (file)
        fclose(file);
    return store_probe(head, n);
}

static struct asked *add_trace(struct session *s, const char *name,
                               const char *const *files, size_t count,
                               struct err *err)
{
    struct asked *a = &s->asked[s->count++];

    *a = (struct asked){.options = s->options, .files = files, .count = count};
    a->source =
        (struct query_source){read_profile, a, files, count, event_trace_open};
    query_add_trace(s->q, name, &a->source, err);
    return a;
}

static void open_first(struct session *s, const char *const *files,
                       size_t count, struct err *err)
{
    struct query_limits limits = {s->options->max_time, s->options->max_memory};
    bool database = is_database(files[0]);

    if (database && count > 1) {
        err_set(err, ERR_USAGE, "%s is a database: name others with --attach",
                files[0]);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(files[i], "-") && access(files[i], R_OK)) {
            err_set(err, ERR_NOT_FOUND, "%s: cannot be read", files[i]);
            return;
        }
    }
    s->q = query_new(database ? files[0] : NULL, &limits, err);
    if (s->q && !database)
        add_trace(s, "main", files, count, err);
}

/* NAME=FILE */
static void attach(struct session *s, const char *const *pair, struct err *err)
{
    const char *equals = strchr(*pair, '=');
    const char *name =
        arena_strndup(&s->names, *pair, (size_t)(equals - *pair));
    const char **file = arena_new(&s->names, const char *, 1);

    *file = equals + 1;
    if (access(*file, R_OK))
        err_set(err, ERR_NOT_FOUND, "%s: cannot be read", *file);
    else if (is_database(*file))
        query_add_database(s->q, name, *file, err);
    else
        add_trace(s, name, file, 1, err);
}

static enum status open_all(struct session *s, const char *const *files,
                            size_t count)
{
    const struct options *o = s->options;
    struct err err = {0};

    s->asked = mem_new(o->attached.len + 1, sizeof(*s->asked));
    open_first(s, files, count, &err);
    for (size_t i = 0; i < o->attached.len && !err.code; i++)
        attach(s, &o->attached.data[i], &err);
    for (size_t i = 0; i < o->parameters.len && !err.code; i++) {
        const char *equals = strchr(o->parameters.data[i], '=');

        query_parameter(s->q,
                        arena_strndup(&s->names, o->parameters.data[i],
                                      (size_t)(equals - o->parameters.data[i])),
                        equals + 1);
    }
    return say_input_error(&err);
}

/* A failure to read a trace counts more than one of a statement. */
static enum status status_of(const struct session *s, enum status status)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->asked[i].status)
            return s->asked[i].status;
    return status;
}

static enum status run_sql(struct session *s, const char *sql)
{
    enum status status = STATUS_OK;
    char *text = NULL;

    if (*sql == '@')
        text = sql_read(sql + 1, &status);
    if (*sql != '@' || text)
        status = sql_run(s->q, text ? text : sql, s->options);
    free(text);
    return status;
}

/* The last argument is SQL unless it names a file. */
static const char *take_sql(const char *const *arguments, size_t *count)
{
    const char *last = *count > 1 ? arguments[*count - 1] : NULL;

    if (!last || (*last != '@' && !access(last, F_OK)))
        return NULL;
    --*count;
    return last;
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *arguments, size_t count)
{
    struct session s = {.options = o};
    const char *sql;
    enum status status;

    (void)command;
    if (o->sql_schema)
        return print_to(o->output, query_schema_write,
                        &(struct subject){.options = &o->report});
    if (!count) {
        say("no file named after query");
        return STATUS_USAGE;
    }
    sql = take_sql(arguments, &count);
    if (!sql) {
        say("no SQL: topfn query FILE \"SELECT ...\", or @FILE");
        return STATUS_USAGE;
    }
    if (output_is_input(o->output, arguments, count))
        return STATUS_USAGE;
    status = open_all(&s, arguments, count);
    if (!status)
        status = run_sql(&s, sql);
    status = status_of(&s, status);
    if (s.q)
        query_free(s.q);
    for (size_t i = 0; i < s.count; i++)
        profile_free(s.asked[i].profile);
    free(s.asked);
    arena_release(&s.names);
    return status;
}

const struct command query_command = {
    .name = "query",
    .arguments = "FILE... SQL",
    .help = "SQL over a profile and its events",
    .takes = USE_QUERY | USE_LOAD | USE_SYMBOLS | USE_WRITING,
    .run = run,
    .stands_alone = true,
};
