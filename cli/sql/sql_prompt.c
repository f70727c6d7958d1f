/*
 * Statements that are typed. Ctrl-C ends the statement that runs, or what was
 * typed of one; a second one while it still runs ends the program.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sql/sql.h"
#include "cli/sql/typed_lines.h"
#include "cli/terminal/say.h"
#include "engine/base/vec.h"

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
