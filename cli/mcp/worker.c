#include "cli/mcp/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "cli/command.h"
#include "cli/load/load.h"
#include "cli/terminal/terminal.h"
#include "engine/base/mem.h"
#include "engine/base/sandbox.h"
#include "engine/base/text.h"

/* A call, as it goes through a pipe: `size` bytes of words follow, each with
 * its NUL. */
struct question {
    uint32_t size, words;
    uint32_t tool; /* its number */
    uint32_t file; /* the word that is the file to keep; 0: none */
};

enum {
    ANSWER_MOST = 4 << 20, /* commands stop before it (--max-output) */
    SAID_MOST = 16 << 10,
};

/* A line of stderr that begins with it is not for people: nothing else that
 * is said has control characters. */
enum { MARK = '\1' };

/* ---- in the worker ---- */

/* The system ends this process when `parent` ends, which started it: a server
 * that is killed leaves no call behind. One that was killed before the system
 * knew is not this process's parent any more. */
static void end_with_parent(pid_t parent)
{
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(STATUS_NO_INPUT);
}

static void report_progress(void *context, const char *step, uint64_t done,
                            uint64_t total)
{
    static int reported = -1;
    int percent = total ? (int)(100.0 * (double)done / (double)total) : 0;

    (void)context;
    if (percent == reported)
        return;
    reported = percent;
    dprintf(STDERR_FILENO, "%cP %d %s\n", MARK, percent, step);
}

static bool read_all(int fd, void *to, size_t n)
{
    char *at = to;

    while (n) {
        ssize_t got = read(fd, at, n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

static enum status list_recordings(const struct tool_server *server, int argc,
                                   char **argv)
{
    struct out *out = out_stream(stdout);
    struct options o;
    struct err err = {0};

    if (!options_parse(&o, argc - 1, argv + 1, &err))
        folders_list(&server->folders, o.report.rows, out);
    options_release(&o);
    out_close(out, &err);
    return status_of_output(err.code);
}

/* Runs the command in a process of its own. Returns its exit status. */
static int run_apart(const struct tool_server *server, const struct tool *tool,
                     int argc, char **argv)
{
    int status = 0;
    pid_t self = getpid(), child = fork();

    if (!child) {
        end_with_parent(self);
        close(STDIN_FILENO);
        if (open("/dev/null", O_RDONLY) < 0)
            _exit(STATUS_NO_INPUT);
        status = (int)(tool == tool_find("recordings")
                           ? list_recordings(server, argc, argv)
                           : command_main(argc, argv));
        fflush(stdout);
        _exit(status);
    }
    if (child < 0) {
        say("no process can be started: %s", strerror(errno));
        return STATUS_NO_MEMORY;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    say("the process that read the recording was ended by signal %d",
        WTERMSIG(status));
    return STATUS_BUG;
}

/* The options and words of the first call stay: the profile refers to them. */
static void keep_file(int argc, char **argv, const char *file)
{
    static struct options options;
    struct err err = {0};

    if (options_parse(&options, argc - 1, argv + 1, &err))
        return;
    say_quietly(true);
    load_keep(&options, file);
    say_quietly(false);
}

static _Noreturn void serve(const struct tool_server *server)
{
    struct sandbox allowed = {.network = server->options->online,
                              .creates = server->options->online,
                              .forks = true};
    bool first = true;
    struct question q;

    signal(SIGPIPE, SIG_DFL);
    bars_report_to(report_progress);
    (void)sandbox_enter(&allowed);
    while (read_all(STDIN_FILENO, &q, sizeof(q))) {
        char *bytes = mem_new(q.size + 1, 1), *at = bytes;
        char **argv = mem_new(q.words + 1, sizeof(*argv));
        int status;

        if (!read_all(STDIN_FILENO, bytes, q.size))
            break;
        for (uint32_t i = 0; i < q.words; i++, at += strlen(at) + 1)
            argv[i] = at;
        if (q.file && first)
            keep_file((int)q.words, argv, argv[q.file]);
        status = run_apart(server, &tools[q.tool], (int)q.words, argv);
        dprintf(STDERR_FILENO, "%cD %d\n", MARK, status);
        if (!first) {
            free(bytes);
            free(argv);
        }
        first = false;
    }
    _exit(STATUS_OK);
}

/* ---- in the server ---- */

static void close_pipes(struct worker *w)
{
    close(w->in);
    close(w->out);
    close(w->err);
}

/* The ends of other workers' pipes must not stay open in this one. */
static _Noreturn void begin_worker(struct workers *workers, pid_t server,
                                   int pipes[3][2])
{
    for (size_t i = 0; i < WORKERS; i++)
        if (workers->list[i].pid)
            close_pipes(&workers->list[i]);
    end_with_parent(server);
    setpgid(0, 0);
    for (int i = 0; i < 3; i++)
        dup2(pipes[i][i > 0], i);
    for (int i = 0; i < 3; i++) {
        close(pipes[i][0]);
        close(pipes[i][1]);
    }
    serve(workers->server);
}

static bool start(struct workers *workers, struct worker *w, const char *key)
{
    int pipes[3][2], made = 0;
    pid_t self = getpid(), pid = -1;

    while (made < 3 && !pipe(pipes[made]))
        made++;
    if (made == 3)
        pid = fork();
    if (!pid)
        begin_worker(workers, self, pipes);
    for (int i = 0; i < made; i++) {
        close(pipes[i][i > 0]);
        if (pid < 0)
            close(pipes[i][i == 0]);
    }
    if (pid < 0)
        return false;
    setpgid(pid, pid);
    *w = (struct worker){.pid = pid,
                         .in = pipes[0][1],
                         .out = pipes[1][0],
                         .err = pipes[2][0],
                         .key = text_dup(key)};
    fcntl(w->out, F_SETFL, O_NONBLOCK);
    fcntl(w->err, F_SETFL, O_NONBLOCK);
    return true;
}

void worker_end(struct worker *w)
{
    if (!w->pid)
        return;
    kill(-w->pid, SIGKILL);
    while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    close_pipes(w);
    free(w->key);
    vec_release(&w->answer);
    vec_release(&w->said);
    vec_release(&w->line);
    *w = (struct worker){.pid = 0};
}

struct worker *workers_find(struct workers *workers, const char *key)
{
    struct worker *oldest = NULL;

    for (size_t i = 0; i < WORKERS; i++) {
        struct worker *w = &workers->list[i];

        if (w->pid && !w->busy && *key && !strcmp(w->key, key))
            return w;
        if (!w->busy && (!oldest || w->used < oldest->used))
            oldest = w;
    }
    if (!oldest)
        return NULL;
    worker_end(oldest);
    return start(workers, oldest, key) ? oldest : NULL;
}

bool worker_ask(struct workers *workers, struct worker *w,
                const struct tool *tool, const struct command_line *line)
{
    struct question q = {.tool = (uint32_t)(tool - tools),
                         .words = (uint32_t)line->words.len};
    VEC(char) bytes = {0};
    size_t sent = 0;

    vec_reserve(&bytes, sizeof(q));
    bytes.len = sizeof(q);
    for (size_t i = 0; i < line->words.len; i++) {
        size_t n = strlen(line->words.data[i]) + 1;

        if (line->words.data[i] == line->file)
            q.file = (uint32_t)i;
        vec_reserve(&bytes, n);
        memcpy(bytes.data + bytes.len, line->words.data[i], n);
        bytes.len += n;
    }
    q.size = (uint32_t)(bytes.len - sizeof(q));
    memcpy(bytes.data, &q, sizeof(q));
    while (sent < bytes.len) {
        ssize_t n = write(w->in, bytes.data + sent, bytes.len - sent);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break;
        sent += (size_t)n;
    }
    w->busy = true;
    w->used = ++workers->calls;
    vec_release(&bytes);
    return sent == sizeof(q) + q.size;
}

static void take_line(struct worker *w)
{
    char *line = w->line.data;
    size_t n = w->line.len;

    if (*line != MARK) {
        vec_reserve(&w->said, n);
        if (w->said.len + n <= SAID_MOST) {
            memcpy(w->said.data + w->said.len, line, n);
            w->said.len += n;
        }
        w->line.len = 0;
        return;
    }
    line[n - 1] = '\0';
    if (line[1] == 'D') {
        w->status = atoi(line + 2);
        w->done = true;
    } else {
        (void)sscanf(line + 2, "%u %39[^\n]", &w->percent, w->step);
    }
    w->line.len = 0;
}

/* False at the end of a pipe. */
static bool read_said(struct worker *w)
{
    char bytes[4096];
    ssize_t n;

    while ((n = read(w->err, bytes, sizeof(bytes))) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            /* A process that was ended may have begun a line. */
            if (bytes[i] == MARK && w->line.len) {
                *vec_add(&w->line) = '\n';
                take_line(w);
            }
            if (w->line.len < SAID_MOST || bytes[i] == '\n')
                *vec_add(&w->line) = bytes[i];
            if (bytes[i] == '\n')
                take_line(w);
        }
    }
    return n < 0 && errno == EAGAIN;
}

static bool read_answer(struct worker *w)
{
    enum { STEP = 64 << 10 };
    ssize_t n;

    do {
        vec_reserve(&w->answer, STEP);
        n = read(w->out, w->answer.data + w->answer.len, STEP);
        if (n > 0)
            w->answer.len += (size_t)n;
    } while (n > 0 && w->answer.len <= ANSWER_MOST);
    return n < 0 && errno == EAGAIN;
}

/* stderr first: it says when the answer is complete, which then is in the
 * other pipe. */
bool worker_read(struct worker *w)
{
    bool said = read_said(w);

    return read_answer(w) && (said || w->done);
}

void worker_idle(struct worker *w)
{
    w->busy = w->done = false;
    w->answer.len = w->said.len = w->line.len = 0;
    w->step[0] = '\0';
    if (!*w->key)
        worker_end(w);
}
