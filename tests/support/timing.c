#include "tests/support/timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/mem.h"

double seconds_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), ascending);
    return values[count / 2];
}

static uint64_t anonymous_kib(pid_t pid)
{
    char line[200];
    unsigned long kib = 0;
    FILE *file;

    snprintf(line, sizeof(line), "/proc/%d/status", (int)pid);
    file = fopen(line, "r");
    while (file && fgets(line, sizeof(line), file))
        if (sscanf(line, "RssAnon: %lu kB", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib;
}

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* As much as any side takes is in the machine now, and free. */
static void have_memory(void)
{
    enum { ENOUGH = 384 << 20 };
    pid_t child = fork();

    if (!child) {
        void *block = mmap(NULL, ENOUGH, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (block != MAP_FAILED)
            memset(block, 1, ENOUGH);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/* The most that a child has until it ends, well. */
static uint64_t watch(const char *name, pid_t child)
{
    const struct timespec pause = {.tv_nsec = 500000};
    uint64_t most = 0, now;
    int status;
    pid_t ended;

    while (!(ended = waitpid(child, &status, WNOHANG))) {
        now = anonymous_kib(child);
        most = now > most ? now : most;
        nanosleep(&pause, NULL);
    }
    if (ended != child || status)
        fail(name);
    return most;
}

static double run(const struct timed_side *side, const char *path,
                  clockid_t clock, void *result, size_t size,
                  uint64_t *anonymous)
{
    FILE *told = tmpfile();
    double seconds;
    pid_t child = fork();
    int status;

    if (!told || child < 0)
        fail(side->name);
    if (!child) {
        double start = seconds_of(clock);

        side->run(path, side->what, result);
        seconds = seconds_of(clock) - start;
        fwrite(&seconds, sizeof(seconds), 1, told);
        fwrite(result, size, 1, told);
        _exit(fflush(told) != 0);
    }
    if (anonymous)
        *anonymous = watch(side->name, child);
    else if (waitpid(child, &status, 0) != child || status)
        fail(side->name);
    rewind(told);
    if (fread(&seconds, sizeof(seconds), 1, told) != 1 ||
        fread(result, size, 1, told) != 1)
        fail(side->name);
    fclose(told);
    return seconds;
}

void take_turns(const struct timed_side *sides, size_t count, const char *path,
                clockid_t clock, struct timing *timings, void *results,
                size_t result_size)
{
    double(*seconds)[TIMING_ROUNDS] = calloc(count, sizeof(*seconds));

    if (!seconds)
        fail("take_turns");
    for (int round = -1; round < TIMING_ROUNDS; round++)
        for (size_t i = 0; i < count; i++) {
            void *result = (char *)results + i * result_size;

            memset(result, 0, result_size);
            have_memory();
            if (round < 0)
                run(&sides[i], path, clock, result, result_size,
                    &timings[i].anonymous);
            else
                seconds[i][round] =
                    run(&sides[i], path, clock, result, result_size, NULL);
        }
    for (size_t i = 0; i < count; i++)
        timings[i].seconds = median(seconds[i], TIMING_ROUNDS);
    free(seconds);
}
