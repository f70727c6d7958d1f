/*
 * worker - processes that answer, one call each at a time.
 *
 *     struct worker *w = workers_find(&workers, line.key);
 *     worker_ask(w, tool, &line);
 *     ... // poll w->out and w->err
 *     if (worker_read(w) && w->done)
 *         use(w->answer.data, w->answer.len, w->status);
 *
 * The server reads no bytes of a recording. A worker does, in the sandbox. It
 * reads the file of its first call, keeps the profile and forks a process for
 * each call, which has the profile as it was read. The next call about that
 * file needs no reading. Killing a worker cancels its call, and a crash in it
 * costs one answer.
 */
#ifndef TOPFN_CLI_MCP_WORKER_H
#define TOPFN_CLI_MCP_WORKER_H

#include <sys/types.h>

#include "cli/mcp/tools.h"

enum { WORKERS = 4 }; /* so many calls at a time, and profiles in memory */

struct worker {
    pid_t pid; /* 0: there is none */
    int in, out, err;
    char *key; /* of the profile that it keeps; "": none */
    bool busy, done;
    uint64_t used; /* when it was asked last: a count of calls */
    VEC(char) answer;
    VEC(char) said; /* on stderr */
    VEC(char) line; /* of stderr, not complete yet */
    int status;     /* of the command, once `done` */
    char step[40];  /* what it does now, and how much of it in percent */
    unsigned percent;
};

struct workers {
    struct worker list[WORKERS];
    const struct tool_server *server;
    uint64_t calls;
};

/* One that keeps this profile and is idle, or a new one; an idle one that was
 * used least recently ends for it. NULL: all are busy, or no process can be
 * started. */
struct worker *workers_find(struct workers *workers, const char *key);

/* Returns false if it cannot be reached; it is to be ended then. */
bool worker_ask(struct workers *workers, struct worker *w,
                const struct tool *tool, const struct command_line *line);

/* Takes what can be read without waiting. Returns false when the process is
 * gone or writes more than it may. */
bool worker_read(struct worker *w);

/* Makes it ready for another call; one that keeps nothing ends. */
void worker_idle(struct worker *w);

/* Kills it with the process of its call. */
void worker_end(struct worker *w);

#endif
