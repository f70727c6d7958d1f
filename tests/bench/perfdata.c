/*
 * bench-perfdata [FILE]: `topfn top` of a recording beside `perf report`, in
 * turn, each in a process of its own. Without a file, one of some 90 MB is
 * recorded: of this program, which calls itself on two threads.
 *
 * Flat is what samples were taken in; with callers also what called that, as
 * `topfn top` always counts. Times are the processors' and the clock's, the
 * median of five rounds; memory is the peak of what is not the file's, and of
 * all that is resident. Stacks are walked by frame pointers (Makefile).
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/mem.h"
#include "tests/support/timing.h"

enum { ROUNDS = 5, SIDES = 3, COMMAND = 600 };

struct run {
    double wall, cpu;
    unsigned long kib, resident_kib;
};

struct side {
    const char *name, *program, *arguments;
    struct run runs[ROUNDS];
};

/* ---- the recorded program ---- */

/* Samples are taken by the processor's time: this many seconds of each thread
 * are of that many bytes on any machine. */
enum { DEEPEST = 12, SECONDS = 9, CALLS_AT_ONCE = 1000 };

/* Two ways to go deeper, chosen by the number: stacks differ. */
__attribute__((noinline)) static uint64_t left(unsigned deep, uint64_t x);

__attribute__((noinline)) static uint64_t right(unsigned deep, uint64_t x)
{
    for (unsigned i = 0; i < 40; i++)
        x = x * 6364136223846793005u + (x >> 17);
    if (deep)
        x ^= x >> 40 & 1 ? left(deep - 1, x) : right(deep - 1, x);
    return x * 3;
}

static uint64_t left(unsigned deep, uint64_t x)
{
    for (unsigned i = 0; i < 60; i++)
        x = x * 2862933555777941757u + (x >> 19);
    if (deep)
        x ^= x >> 41 & 1 ? right(deep - 1, x) : left(deep - 1, x);
    return x * 5;
}

static void *work(void *seed)
{
    uint64_t *x = seed;
    struct timespec t = {0};

    while (t.tv_sec < SECONDS) {
        for (unsigned i = 0; i < CALLS_AT_ONCE; i++)
            *x += left((unsigned)(*x % DEEPEST), *x);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    }
    return NULL;
}

static int be_recorded(void)
{
    uint64_t seeds[] = {1, 2};
    pthread_t thread;

    if (pthread_create(&thread, NULL, work, &seeds[1]))
        return 1;
    work(&seeds[0]);
    return pthread_join(thread, NULL);
}

static bool record(const char *self, const char *path)
{
    char command[COMMAND];

    snprintf(command, sizeof(command),
             "perf record -q -m 4096 -e cpu-clock -c 20000 -g -o %s %s --work "
             ">/dev/null 2>&1",
             path, self);
    return !system(command);
}

/* ---- measuring ---- */

/* Peaks, as far as they are seen: the kernel keeps that of all memory. */
static void note_memory(pid_t pid, struct run *r)
{
    unsigned long kib;
    char path[40], line[200];
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof(line), file))
        if (sscanf(line, "VmHWM: %lu kB", &kib) == 1)
            r->resident_kib = kib;
        else if (sscanf(line, "RssAnon: %lu kB", &kib) == 1 && kib > r->kib)
            r->kib = kib;
    if (file)
        fclose(file);
}

static double from_timeval(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* The child becomes the program: a shell's memory would be another's. */
static struct run run(const char *command)
{
    const struct timespec pause = {.tv_nsec = 500000};
    struct run r = {.wall = seconds_of(CLOCK_MONOTONIC)};
    struct rusage usage;
    pid_t child = fork();
    int status;

    if (!child) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    while (child > 0 && !wait4(child, &status, WNOHANG, &usage)) {
        note_memory(child, &r);
        nanosleep(&pause, NULL);
    }
    if (child < 0 || status) {
        fprintf(stderr, "failed: %s\n", command);
        exit(1);
    }
    r.wall = seconds_of(CLOCK_MONOTONIC) - r.wall;
    r.cpu = from_timeval(usage.ru_utime) + from_timeval(usage.ru_stime);
    return r;
}

static int by_cpu(const void *a, const void *b)
{
    const struct run *x = a, *y = b;

    return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static void compare(const char *program, const char *path)
{
    char command[2 * COMMAND + 100];
    struct side sides[SIDES] = {
        {"topfn top", program, "top", .runs = {{.kib = 0}}},
        {"perf report, flat", "perf", "report --no-children -g none --stdio -i",
         .runs = {{.kib = 0}}},
        {"perf report, with callers", "perf",
         "report --children -g none --stdio -i", .runs = {{.kib = 0}}},
    };

    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned i = 0; i < SIDES; i++) {
            snprintf(command, sizeof(command),
                     "exec %.600s %s %.500s "
                     ">/dev/null 2>&1",
                     sides[i].program, sides[i].arguments, path);
            sides[i].runs[round] = run(command);
        }
    printf("%-26s %8s %8s %8s %10s %12s\n", "", "CPU s", "wall s", "ratio",
           "memory MiB", "resident MiB");
    for (unsigned i = 0; i < SIDES; i++) {
        const struct run *r = &sides[i].runs[ROUNDS / 2];

        qsort(sides[i].runs, ROUNDS, sizeof(*r), by_cpu);
        printf("%-26s %8.2f %8.2f %8.1f %10.1f %12.1f\n", sides[i].name, r->cpu,
               r->wall, r->cpu / sides[0].runs[ROUNDS / 2].cpu,
               (double)r->kib / 1024, (double)r->resident_kib / 1024);
    }
}

int main(int argc, char **argv)
{
    char program[COMMAND], made[] = "/tmp/topfn-bench-XXXXXX";
    const char *path = argc > 1 ? argv[1] : made;
    char *slash;
    struct stat st;

    if (argc > 1 && !strcmp(argv[1], "--work"))
        return be_recorded();
    snprintf(program, sizeof(program), "%.500s", argv[0]);
    slash = strrchr(program, '/');
    snprintf(slash ? slash + 1 : program, 10, "topfn");
    if (argc == 1 && (mkstemp(made) < 0 || !record(argv[0], made))) {
        printf("perf.data: perf cannot record here\n");
    } else if (!stat(path, &st)) {
        printf("perf.data, %.0f MB\n", (double)st.st_size / 1e6);
        compare(program, path);
    }
    if (argc == 1)
        unlink(made);
    return 0;
}
