#include <errno.h>
#include <histedit.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/sql/sql.h"
#include "cli/terminal/terminal.h"
#include "engine/base/library.h"
#include "engine/base/mem.h"
#include "engine/base/vec.h"

/*
 * Statements that are typed. Ctrl-C ends the statement that runs, or what was
 * typed of one; a second one while it still runs ends the program.
 */

#define LIBRARY "libedit.so.2"

enum { KEPT = 1000 /* lines */ };

/* Loaded when there is somebody to type. */
struct editing {
    EditLine *(*init)(const char *program, FILE *in, FILE *out, FILE *messages);
    void (*end)(EditLine *editor);
    int (*set)(EditLine *editor, int what, ...);
    int (*get)(EditLine *editor, int what, ...);
    const char *(*gets)(EditLine *editor, int *n);
    int (*history)(History *history, HistEvent *event, int what, ...);
    History *(*history_init)(void);
    void (*history_end)(History *history);
};

struct typed_lines {
    EditLine *editor; /* NULL: lines come as they are */
    History *history;
    const char *prompt;
    char *line;
    size_t room;
};

static bool load(struct editing *api)
{
    void *library = library_load(LIBRARY);

    return library_find(library, "el_init", &api->init) &&
           library_find(library, "el_end", &api->end) &&
           library_find(library, "el_set", &api->set) &&
           library_find(library, "el_get", &api->get) &&
           library_find(library, "el_gets", &api->gets) &&
           library_find(library, "history", &api->history) &&
           library_find(library, "history_init", &api->history_init) &&
           library_find(library, "history_end", &api->history_end);
}

static struct editing api; /* one prompt at a time */

static const char *prompt_of(EditLine *editor)
{
    struct typed_lines *t = NULL;

    api.get(editor, EL_CLIENTDATA, &t);
    return t->prompt;
}

/* What a dumb terminal cannot show stays with plain lines. */
static void open_editor(struct typed_lines *t)
{
    HistEvent event;

    if (!load(&api))
        return;
    t->editor = api.init("topfn", stdin, stdout, stderr);
    t->history = api.history_init();
    if (!t->editor || !t->history)
        return;
    api.history(t->history, &event, H_SETSIZE, KEPT);
    api.history(t->history, &event, H_SETUNIQUE, 1);
    api.set(t->editor, EL_CLIENTDATA, t);
    api.set(t->editor, EL_PROMPT, prompt_of);
    api.set(t->editor, EL_EDITOR, "emacs");
    api.set(t->editor, EL_HIST, api.history, t->history);
}

static struct typed_lines *typed_lines_open(void)
{
    struct typed_lines *t = mem_new(1, sizeof(*t));
    const char *kind = getenv("TERM");

    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind && *kind &&
        strcmp(kind, "dumb") != 0)
        open_editor(t);
    return t;
}

static void typed_lines_close(struct typed_lines *t)
{
    if (t->editor)
        api.end(t->editor);
    if (t->history)
        api.history_end(t->history);
    free(t->line);
    free(t);
}

static char *copied(struct typed_lines *t, const char *line, size_t n)
{
    free(t->line);
    t->line = mem_new(n + 1, 1);
    memcpy(t->line, line, n);
    return t->line;
}

static char *edited(struct typed_lines *t)
{
    HistEvent event;
    int n = 0;
    const char *line = api.gets(t->editor, &n);

    if (!line || n <= 0)
        return NULL;
    if (line[strspn(line, " \t\r\n")])
        api.history(t->history, &event, H_ENTER, line);
    return copied(t, line, (size_t)n);
}

/* The end of line is the line's. */
static char *typed_lines_next(struct typed_lines *t, const char *prompt)
{
    t->prompt = prompt;
    errno = 0;
    if (t->editor && t->history)
        return edited(t);
    fputs(prompt, stdout);
    fflush(stdout);
    return getline(&t->line, &t->room, stdin) > 0 ? t->line : NULL;
}

struct prompt {
    struct query *query;
    const struct options *options;
    VEC(char) typed; /* of a statement that goes on */
};

/* ---- Ctrl-C ---- */

static struct query *running;

static void on_interrupt(int number)
{
    (void)number;
    if (running)
        query_stop(running);
}

/* Once: the next one has its usual effect. */
static void take_interrupt(void)
{
    struct sigaction action = {.sa_handler = on_interrupt,
                               .sa_flags = (int)SA_RESETHAND};

    sigaction(SIGINT, &action, NULL);
}

/* ---- what is typed ---- */

static void run(const struct prompt *p, const char *sql)
{
    running = p->query;
    sql_run(p->query, sql, p->options);
    running = NULL;
}

static void run_file(const struct prompt *p, const char *path)
{
    enum status status;
    char *sql = sql_read(path, &status);

    if (sql)
        run(p, sql);
    free(sql);
}

static bool is_word(const char *line, const char *word)
{
    size_t n = strlen(word);

    line += *line == '.';
    return !strncmp(line, word, n) && !line[n + strspn(line + n, "; ")];
}

/* A line that is no SQL, where a statement could begin. False: it ends all. */
static bool take_command(struct prompt *p, char *line)
{
    if (is_word(line, "quit") || is_word(line, "exit"))
        return false;
    if (*line == '@')
        run_file(p, line + 1);
    else if (is_word(line, "schema"))
        sql_show_schema(p->options);
    else
        say("statements end with a semicolon; .schema shows every table, "
            "@FILE runs a file, .quit ends");
    return true;
}

static bool is_command(const char *line)
{
    return strchr("@.", *line) || is_word(line, "quit") ||
           is_word(line, "exit") || is_word(line, "help");
}

/* False: it ends all. */
static bool take_line(struct prompt *p, char *line)
{
    size_t n;

    line[strcspn(line, "\r\n")] = '\0';
    if (!p->typed.len && !line[strspn(line, " \t")])
        return true;
    if (!p->typed.len && is_command(line))
        return take_command(p, line);
    if (p->typed.len)
        *vec_add(&p->typed) = '\n';
    n = strlen(line);
    vec_reserve(&p->typed, n + 1);
    memcpy(p->typed.data + p->typed.len, line, n + 1);
    p->typed.len += n;
    if (query_is_complete(p->typed.data)) {
        run(p, p->typed.data);
        p->typed.len = 0;
    }
    return true;
}

enum status sql_prompt(struct query *q, const struct options *o)
{
    struct prompt p = {.query = q, .options = o};
    struct typed_lines *lines = typed_lines_open();
    bool more = true;

    while (more) {
        char *line;

        take_interrupt();
        line = typed_lines_next(lines, p.typed.len ? "   ..> " : "topfn> ");
        if (line) {
            more = take_line(&p, line);
        } else {
            more = errno == EINTR;
            clearerr(stdin);
            p.typed.len = 0;
            putchar('\n');
        }
    }
    vec_release(&p.typed);
    typed_lines_close(lines);
    return STATUS_OK;
}
