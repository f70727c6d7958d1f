#include "cli/terminal/terminal.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/text.h"

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

struct terminal terminal_find(void)
{
    struct terminal t = {.there = isatty(STDOUT_FILENO)};
    struct winsize size;

    if (!t.there)
        return t;
    t.columns = size_from("COLUMNS");
    t.lines = size_from("LINES");
    if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size)) {
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

/* The command is the user's own, from the environment, so a shell runs it as
 * git has it run. */
static pid_t start(const char *command, int in, int other)
{
    char shell[] = "sh", option[] = "-c";
    char *line = text_copy(command, strlen(command));
    char *arguments[] = {shell, option, line, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child = -1;

    setenv("LESS", "FRX", 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, in);
    posix_spawn_file_actions_addclose(&actions, other);
    if (posix_spawn(&child, "/bin/sh", &actions, NULL, arguments, environ))
        child = -1;
    posix_spawn_file_actions_destroy(&actions);
    free(line);
    return child;
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
    const char *command = pager_command();
    struct sigaction ignore = {.sa_handler = SIG_IGN}, broken, interrupt;
    int ends[2], status = 0;
    pid_t child;

    if (!command || pipe(ends))
        return false;
    child = start(command, ends[0], ends[1]);
    close(ends[0]);
    if (child < 0) {
        close(ends[1]);
        return false;
    }
    sigaction(SIGPIPE, &ignore, &broken);
    sigaction(SIGINT, &ignore, &interrupt);
    feed(ends[1], text, n);
    close(ends[1]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    sigaction(SIGPIPE, &broken, NULL);
    sigaction(SIGINT, &interrupt, NULL);
    return !WIFEXITED(status) || WEXITSTATUS(status) != NO_SUCH_COMMAND;
}
