#include "tests/support/limited_run.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void in_child(char *const argv[], const char *out, const char *errors)
{
    struct rlimit processor = {LIMITED_SECONDS + 1, LIMITED_SECONDS + 2};
    int to = open(out, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    int null = open("/dev/null", O_RDWR);
    int log = errors ? open(errors, O_CREAT | O_TRUNC | O_WRONLY, 0600) : null;

    setrlimit(RLIMIT_CPU, &processor);
    dup2(null, 0);
    dup2(to, 1);
    dup2(log, 2);
    execv(argv[0], argv);
    _exit(127);
}

static double seconds_of(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

struct limited_run limited_run(char *const argv[], const char *out,
                               const char *errors, unsigned microseconds)
{
    struct limited_run run = {.status = -1};
    struct rusage usage;
    pid_t child = fork();
    int status;

    if (!child)
        in_child(argv, out, errors);
    if (microseconds) {
        usleep(microseconds);
        kill(child, SIGKILL);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return run;
    run.status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    run.seconds = seconds_of(&usage);
    run.kilobytes = usage.ru_maxrss;
    return run;
}

static bool is_status(int status)
{
    static const int known[] = {0, 1, 2, 64, 65, 66, 71, 73, 74};

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (status == known[i])
            return true;
    return false;
}

bool limited_run_is_kind(const struct limited_run *run, size_t size)
{
    return is_status(run->status) && run->seconds <= LIMITED_SECONDS &&
           run->kilobytes <= (long)(2 * size / 1024) + 128L * 1024;
}
