/*
 * What code that got hold of a parser could do: a second thread of topfn tries
 * it while the first one waits for the bytes of a trace.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "engine/base/newfile.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

static char folder[TEMP_FOLDER], file[TEMP_FOLDER + 8], other[TEMP_FOLDER + 8];

/* ---- payloads: -1 and errno, as system calls have it ---- */

static long opens(int flags)
{
    int fd = open(file, flags | O_CLOEXEC, 0600);

    return fd < 0 ? -1 : close(fd);
}

static long writes(void)
{
    return opens(O_WRONLY);
}

static long appends(void)
{
    return opens(O_RDWR | O_APPEND);
}

static long creates(void)
{
    return opens(O_RDONLY | O_CREAT);
}

static long truncates(void)
{
    return opens(O_RDONLY | O_TRUNC);
}

static long truncates_by_name(void)
{
    return truncate(file, 0);
}

/* Without O_EXCL such a file can get a name. */
static long makes_nameless(void)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    return fd < 0 ? -1 : close(fd);
}

static long opens_by_struct(void)
{
    enum { OPENAT2 = 437 };
    uint64_t how[3] = {O_WRONLY};

    return syscall(OPENAT2, AT_FDCWD, file, how, sizeof(how));
}

static long writes_memory(void)
{
    int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);

    return fd < 0 ? -1 : close(fd);
}

static long changes_mode(void)
{
    return chmod(file, 0777);
}

static long makes_folder(void)
{
    return mkdir(other, 0700);
}

static long links(void)
{
    return link(file, other);
}

static long links_by_text(void)
{
    return symlink(file, other);
}

static long renames(void)
{
    return rename(file, file);
}

static long unlinks(void)
{
    return unlink(other);
}

static long executes(void)
{
    char *const arguments[] = {(char[]){"true"}, NULL};

    return execve("/bin/true", arguments, NULL);
}

static long executes_by_fd(void)
{
    char *const arguments[] = {(char[]){"true"}, NULL};
    int fd = open("/bin/true", O_RDONLY | O_CLOEXEC);

    return syscall(SYS_execveat, fd, "", arguments, NULL, AT_EMPTY_PATH);
}

static long spawns(void)
{
    char *const arguments[] = {(char[]){"true"}, NULL};
    pid_t child;

    errno = posix_spawn(&child, "/bin/true", NULL, NULL, arguments, NULL);
    return errno ? -1 : 0;
}

static long connects(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET};

    return connect(-1, (struct sockaddr *)&to, sizeof(to));
}

static long makes_socket(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    return fd < 0 ? -1 : close(fd);
}

static long queues(void)
{
    enum { IO_URING_SETUP = 425 };

    return syscall(IO_URING_SETUP, 1, NULL);
}

static long types(void)
{
    return ioctl(STDIN_FILENO, TIOCSTI, "x");
}

static long unshares(void)
{
    return syscall(SYS_unshare, 0);
}

/* Signal 0 only asks whether it may be sent. */
static long signals_another(void)
{
    return syscall(SYS_tgkill, getppid(), getppid(), 0);
}

static long signals_itself(void)
{
    return syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), 0);
}

static long reads(void)
{
    return opens(O_RDONLY);
}

static long keeps_much(void)
{
    int fd = nameless_file(folder);

    return fd < 0 ? -1 : close(fd);
}

enum policy { PLAIN, WITH_OUTPUT, ONLINE, WITHOUT, POLICIES };

static const struct payload {
    const char *name;
    long (*run)(void);
    bool allowed[POLICIES];
} payloads[] = {
    {"reads", reads, {1, 1, 1, 1}},
    {"keeps much", keeps_much, {1, 1, 1, 1}},
    {"writes", writes, {0, 0, 1, 1}},
    {"appends", appends, {0, 0, 1, 1}},
    {"creates", creates, {0, 0, 1, 1}},
    {"truncates", truncates, {0, 0, 1, 1}},
    {"truncates by name", truncates_by_name, {0, 0, 1, 1}},
    {"makes nameless", makes_nameless, {0, 0, 1, 1}},
    {"opens by struct", opens_by_struct, {0, 0, 0, 1}},
    {"writes memory", writes_memory, {0, 0, 1, 1}},
    {"changes mode", changes_mode, {0, 0, 1, 1}},
    {"renames", renames, {0, 1, 1, 1}},
    {"makes a folder", makes_folder, {0, 0, 1, 1}},
    {"links", links, {0, 0, 1, 1}},
    {"links by text", links_by_text, {0, 0, 1, 1}},
    {"unlinks", unlinks, {0, 1, 1, 1}},
    {"connects", connects, {0, 0, 1, 1}},
    {"makes a socket", makes_socket, {0, 0, 1, 1}},
    {"queues", queues, {0, 0, 0, 1}},
    {"types", types, {0, 0, 0, 1}},
    {"unshares", unshares, {0, 0, 0, 1}},
    {"signals another process", signals_another, {0, 0, 0, 1}},
    {"signals itself", signals_itself, {1, 1, 1, 1}},
    {"spawns", spawns, {0, 0, 0, 1}},
    {"executes by fd", executes_by_fd, {0, 0, 0, 0}},
    {"executes", executes, {0, 0, 0, 0}},
};

/* ---- a process of topfn ---- */

static int feed;
static enum policy policy;

static bool is_enclosed(void)
{
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER;
}

static void attack(void)
{
    for (size_t i = 0; i < COUNT(payloads); i++) {
        const struct payload *p = &payloads[i];
        bool refused;

        if (policy == WITHOUT && !p->allowed[WITHOUT])
            continue; /* it would succeed */
        errno = 0;
        refused = p->run() < 0 && errno == EPERM;
        /* Some fail in other ways when nothing refuses them. */
        if (refused == p->allowed[policy] && policy != WITHOUT)
            dprintf(STDERR_FILENO, "%s: %s: %s\n", p->name,
                    refused ? "refused" : "not refused", strerror(errno));
    }
}

/* A trace comes when the attack is over. */
static void *attack_then_feed(void *nothing)
{
    static const char trace[] = "main;work 5\n";

    for (int i = 0; i < 2000 && !is_enclosed() && policy != WITHOUT; i++)
        usleep(1000);
    if (is_enclosed() == (policy == WITHOUT))
        dprintf(STDERR_FILENO, "the sandbox is %s\n",
                policy == WITHOUT ? "on" : "off");
    else
        attack();
    if (write(feed, trace, sizeof(trace) - 1) < 0)
        dprintf(STDERR_FILENO, "cannot feed\n");
    close(feed);
    return nothing;
}

static _Noreturn void be_topfn(int said)
{
    static const char *const more[POLICIES] = {
        [PLAIN] = "-q", [ONLINE] = "--online", [WITHOUT] = "--no-sandbox"};
    char output[TEMP_FOLDER + 16];
    char *arguments[] = {(char[]){"topfn"}, (char[]){"top"},
                         (char[]){"-"},     (char[]){"-q"},
                         (char *)more[policy], NULL};
    int ends[2];
    pthread_t thread;
    enum status status;

    snprintf(output, sizeof(output), "-o%s/out", folder);
    if (policy == WITH_OUTPUT)
        arguments[4] = output;
    if (pipe(ends) || dup2(ends[0], STDIN_FILENO) < 0 ||
        dup2(said, STDERR_FILENO) < 0 ||
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO) < 0)
        abort();
    feed = ends[1];
    if (pthread_create(&thread, NULL, attack_then_feed, NULL))
        abort();
    status = command_main(5, arguments);
    pthread_join(thread, NULL);
    _exit((int)status);
}

TEST_LOOP(nothing_but_what_a_command_needs, POLICIES)
{
    char text[4096] = "", out[TEMP_FOLDER + 8];
    FILE *made;
    int said[2], status;
    ssize_t n, len = 0;
    struct stat st;
    pid_t child;

    temp_folder(folder);
    snprintf(file, sizeof(file), "%s/file", folder);
    snprintf(other, sizeof(other), "%s/other", folder);
    snprintf(out, sizeof(out), "%s/out", folder);
    made = fopen(file, "w");
    ck_assert_ptr_nonnull(made);
    fclose(made);
    policy = (enum policy)_i;
    ck_assert(!pipe(said));
    child = fork();
    if (!child)
        be_topfn(said[1]);
    close(said[1]);
    while ((n = read(said[0], text + len, sizeof(text) - 1 - (size_t)len)) > 0)
        len += n;
    close(said[0]);
    ck_assert(waitpid(child, &status, 0) == child);
    if (strstr(text, "the sandbox is off")) {
        suite_skip(1, "nothing_but_what_a_command_needs: no seccomp filters");
    } else {
        ck_assert_msg(!*text, "%s", text);
        ck_assert_int_eq(status, 0);
        ck_assert_int_eq(!stat(out, &st) && st.st_size > 0,
                         policy == WITH_OUTPUT);
    }
    (void)!rmdir(other);
    temp_folder_remove(folder);
}
