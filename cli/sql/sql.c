#include "cli/sql/sql.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/terminal/output.h"
#include "cli/terminal/say.h"
#include "engine/base/mem.h"
#include "report/sql/query.h"

enum { LONGEST_FILE = 1 << 20 };

/* ---- time ---- */

/* A single function of SQL cannot be interrupted. */
static void on_alarm(int number)
{
    static const char message[] =
        "topfn: the statement takes more than the time it may: --max-time\n";

    (void)number;
    output_abandon();
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
        timer.it_value.tv_usec =
            (suseconds_t)(max_time % 1000000000 / 1000);
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
        say_hint("topfn query --schema shows what there is");
    return status_of_input(err->code);
}

/* Text and Markdown of several are set apart. */
static bool needs_gap(const struct options *o)
{
    return o->report.format == FORMAT_TEXT ||
           o->report.format == FORMAT_MARKDOWN;
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
        if (!first && needs_gap(o))
            out_char(output_out(*output), '\n');
        set_alarm(o->max_time);
        code = query_write(r, &o->report, o->max_memory, output_out(*output),
                           &err);
        set_alarm(0);
    }
    return err.code ? complain(&err) : STATUS_OK;
}

enum status sql_run(struct query *q, const char *sql, const struct options *o)
{
    struct output *output = NULL;
    enum status status = run_all(q, sql, o, &output);
    struct err err = {0};

    if (output && output_close(output, &err) && !status) {
        say("%s", err.message);
        status = status_of_output(err.code);
    }
    return status;
}

enum status sql_show_schema(const struct options *o)
{
    struct err err = {0};
    struct output *output = output_open(o->output, &err);

    if (output) {
        query_schema_write(&o->report, output_out(output));
        output_close(output, &err);
    }
    if (err.code)
        say("%s", err.message);
    return status_of_output(err.code);
}

char *sql_read(const char *path, enum status *status)
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
