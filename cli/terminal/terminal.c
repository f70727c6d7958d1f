#include "cli/terminal/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/out.h"
#include "engine/base/text.h"
#include "report/table/text.h"

enum status status_of_input(enum err_code code)
{
    switch (code) {
    case ERR_NONE:
        return STATUS_OK;
    case ERR_IO:
    case ERR_NOT_FOUND:
        return STATUS_NO_INPUT;
    case ERR_USAGE:
        return STATUS_USAGE;
    default:
        return STATUS_BAD_INPUT;
    }
}

enum status status_of_output(enum err_code code)
{
    switch (code) {
    case ERR_NONE:
        return STATUS_OK;
    case ERR_NOT_FOUND:
        return STATUS_CANNOT_CREATE;
    case ERR_USAGE:
        return STATUS_USAGE;
    default:
        return STATUS_CANNOT_WRITE;
    }
}

enum status say_input_error(const struct err *err)
{
    if (err->code)
        say("%s", err->message);
    return status_of_input(err->code);
}

enum status say_output_error(const struct err *err)
{
    if (err->code)
        say("%s", err->message);
    return status_of_output(err->code);
}

static bool quiet;
static size_t say_width;
static struct out *held; /* hints; NULL: they are printed at once */

void say_in_width(size_t width)
{
    say_width = width;
}

size_t say_columns(void)
{
    return say_width;
}

/* To `kept`; NULL: to stderr. */
static void say_list(struct out *kept, const char *prefix, const char *format,
                     va_list args)
{
    char text[2048];
    struct out *line = out_memory(), *out = kept ? kept : out_stream(stderr);

    vsnprintf(text, sizeof(text), format, args);
    out_str(line, prefix);
    out_plain(line, text);
    wrap(out_text(line, NULL), say_width, out);
    out_char(out, '\n');
    out_close(line, NULL);
    if (!kept)
        out_close(out, NULL);
}

void say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say_list(NULL, "topfn: ", format, args);
    va_end(args);
}

void say_warning(const char *format, ...)
{
    va_list args;

    if (quiet)
        return;
    va_start(args, format);
    say_list(NULL, "topfn: ", format, args);
    va_end(args);
}

static bool stdout_is_pipe(void)
{
    struct stat st;

    return !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode);
}

void say_hint(const char *format, ...)
{
    va_list args;

    if (!say_is_watched())
        return;
    va_start(args, format);
    say_list(held, "", format, args);
    va_end(args);
}

void hints_hold(void)
{
    held = out_memory();
}

size_t hints_lines(void)
{
    const char *text = held && !stdout_is_pipe() ? out_text(held, NULL) : "";
    size_t lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

void hints_end(bool print)
{
    struct out *out = out_stream(stderr);

    if (print && hints_lines())
        out_str(out, out_text(held, NULL));
    out_close(out, NULL);
    out_close(held, NULL);
    held = NULL;
}

void say_quietly(bool be_quiet)
{
    quiet = be_quiet;
}

bool say_is_watched(void)
{
    return !quiet && isatty(STDERR_FILENO);
}

enum { PATIENCE_MS = 500, REFRESH_MS = 100, BAR_WIDTH = 30, LINE_WIDTH = 78 };

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void draw(const char *what, uint64_t done, uint64_t total)
{
    struct out *out = out_stream(stderr);
    uint64_t filled;

    if (!total || done > total)
        done = total;
    filled = total ? done / (total / BAR_WIDTH + 1) : 0;
    if (done == total)
        filled = BAR_WIDTH;
    out_str(out, "\r[");
    out_repeat(out, '#', (size_t)filled);
    out_repeat(out, '.', BAR_WIDTH - (size_t)filled);
    out_str(out, "] ");
    out_cell(out, what, LINE_WIDTH - BAR_WIDTH - 3, true);
    out_close(out, NULL);
}

static void show(void *context, const char *what, uint64_t done, uint64_t total)
{
    struct bar *bar = context;
    int64_t now = now_ms();

    if (now - bar->start < PATIENCE_MS || now - bar->shown < REFRESH_MS)
        return;
    bar->shown = now;
    draw(what, done, total);
}

static void (*bars_show)(void *context, const char *what, uint64_t done,
                         uint64_t total);

void bars_report_to(void (*report)(void *context, const char *what,
                                   uint64_t done, uint64_t total))
{
    bars_show = report;
}

struct progress bar_start(struct bar *bar)
{
    *bar = (struct bar){.start = now_ms()};
    if (bars_show)
        return (struct progress){bars_show, bar};
    if (!say_is_watched())
        return (struct progress){NULL, NULL};
    return (struct progress){show, bar};
}

void bar_end(struct bar *bar)
{
    if (bar->shown)
        fprintf(stderr, "\r%*s\r", LINE_WIDTH, "");
}

enum { SIZE_MIN_USED = 20, SIZE_MAX_USED = 10000 };

/* A size that the environment sets; 0: none that can be used. */
static size_t size_from(const char *variable)
{
    const char *text = getenv(variable);
    char *end;
    unsigned long n;

    if (!text || !*text)
        return 0;
    n = strtoul(text, &end, 10);
    return *end || n > SIZE_MAX_USED ? 0 : n;
}

struct terminal terminal_find(int fd)
{
    struct terminal t = {.there = isatty(fd)};
    struct winsize size;

    if (!t.there)
        return t;
    t.columns = size_from("COLUMNS");
    t.lines = size_from("LINES");
    if (!ioctl(fd, TIOCGWINSZ, &size)) {
        t.columns = t.columns ? t.columns : size.ws_col;
        t.lines = t.lines ? t.lines : size.ws_row;
    }
    if (t.columns < SIZE_MIN_USED)
        t.columns = 80;
    if (!t.lines)
        t.lines = 24;
    return t;
}

bool terminal_takes_colours(enum colour_choice choice)
{
    const char *refused = getenv("NO_COLOR"), *kind = getenv("TERM");

    if (choice != COLOUR_AUTO)
        return choice == COLOUR_ALWAYS;
    return isatty(STDOUT_FILENO) && !(refused && *refused) && kind && *kind &&
           strcmp(kind, "dumb") != 0;
}

static const char *pager_command(void)
{
    const char *pager = getenv("TOPFN_PAGER");

    if (!pager)
        pager = getenv("PAGER");
    if (!pager)
        pager = "less";
    return !*pager || !strcmp(pager, "cat") ? NULL : pager;
}

/* A process that becomes the pager when text comes. */
static struct {
    pid_t process; /* 0: none */
    int in;
} pager;

/* The command is the user's own, from the environment, so a shell runs it as
 * git has it run. */
static _Noreturn void wait_for_text(int in, const char *command)
{
    enum { NOT_STARTED = 127 };
    struct pollfd text = {.fd = in, .events = POLLIN};

    while (poll(&text, 1, -1) < 0 && errno == EINTR)
        continue;
    if (!(text.revents & POLLIN))
        _exit(0);
    if (dup2(in, STDIN_FILENO) >= 0)
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(NOT_STARTED);
}

bool terminal_pager_prepare(void)
{
    const char *command = pager_command();
    int ends[2];

    if (pager.process || !command)
        return pager.process;
    if (pipe(ends))
        return false;
    setenv("LESS", "FRX", 0);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pager.process = fork();
    if (!pager.process) {
        close(ends[1]);
        wait_for_text(ends[0], command);
    }
    close(ends[0]);
    pager.in = ends[1];
    if (pager.process < 0) {
        pager.process = 0;
        close(pager.in);
    }
    return pager.process;
}

int terminal_pager_end(void)
{
    int status = 0;

    if (!pager.process)
        return 0;
    close(pager.in);
    while (waitpid(pager.process, &status, 0) < 0 && errno == EINTR)
        continue;
    pager.process = 0;
    return status;
}

/* A pager may be left before it has read all. */
static void feed(int fd, const char *text, size_t n)
{
    while (n) {
        ssize_t written = write(fd, text, n);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        text += written;
        n -= (size_t)written;
    }
}

bool terminal_page(const char *text, size_t n)
{
    enum { NO_SUCH_COMMAND = 127 };
    struct sigaction ignore = {.sa_handler = SIG_IGN}, broken, interrupt;
    int status;

    if (!terminal_pager_prepare())
        return false;
    sigaction(SIGPIPE, &ignore, &broken);
    sigaction(SIGINT, &ignore, &interrupt);
    feed(pager.in, text, n);
    status = terminal_pager_end();
    sigaction(SIGPIPE, &broken, NULL);
    sigaction(SIGINT, &interrupt, NULL);
    return !WIFEXITED(status) || WEXITSTATUS(status) != NO_SUCH_COMMAND;
}
