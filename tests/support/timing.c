#include "tests/support/timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/mem.h"

/* No benchmark can forget it and measure another heap than the program's. */
__attribute__((constructor)) static void begin(void)
{
    mem_map_large();
}

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

static uint64_t anonymous_kib(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[200];
    unsigned long kib = 0;

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

static struct timing run(const struct timed_side *side, const char *path,
                         clockid_t clock, void *result, size_t size)
{
    struct timing timing = {0};
    FILE *told = tmpfile();
    pid_t child = fork();
    int status;

    if (!told || child < 0)
        fail(side->name);
    if (!child) {
        double start = seconds_of(clock);

        side->run(path, side->what, result);
        timing.seconds = seconds_of(clock) - start;
        timing.anonymous = anonymous_kib();
        fwrite(&timing, sizeof(timing), 1, told);
        fwrite(result, size, 1, told);
        _exit(fflush(told) != 0);
    }
    if (waitpid(child, &status, 0) != child || status)
        fail(side->name);
    rewind(told);
    if (fread(&timing, sizeof(timing), 1, told) != 1 ||
        fread(result, size, 1, told) != 1)
        fail(side->name);
    fclose(told);
    return timing;
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
            timings[i] = run(&sides[i], path, clock, result, result_size);
            if (round >= 0)
                seconds[i][round] = timings[i].seconds;
        }
    for (size_t i = 0; i < count; i++)
        timings[i].seconds = median(seconds[i], TIMING_ROUNDS);
    free(seconds);
}
