/*
 * Reading ETL against the bound that memory sets: "touch" adds up the words
 * of the same mapped file. Usage: bench-etl [FILE.etl]; without a file, one
 * of a gigabyte is made (TOPFN_BENCH_MB changes that).
 *
 * Every line is the median of several rounds, all sides taking turns, each in
 * a process of its own so that memory is its own too.
 *
 * How long touching takes depends on the pages that the system keeps the file
 * in: 0.1 s a gigabyte where it was just written, a third of that where it was
 * read from a disk in large ones. So "x touch" is of a run, and seconds are
 * what runs are compared by.
 *
 * What a second thread gains depends on how far the cores are apart: what one
 * writes the other has to fetch. Cores with a cache in common have a line there
 * and back in 0.1 us, others in 0.5, and a virtual machine may have been given
 * the ones now and the others ten seconds later. Or what it was given as two
 * are halves of one. So the same work is also done by two processes at once,
 * which have nothing to do with each other: two threads can be expected to take
 * half of that time.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/analysis/hot_path.h"
#include "engine/analysis/rank.h"
#include "engine/base/mem.h"
#include "engine/base/threads.h"
#include "engine/format/etl/etl.h"
#include "engine/format/etl/event.h"
#include "tests/support/big_trace.h"
#include "tests/support/opened.h"

/* ---- clocks, medians, and sides that take turns ---- */

enum { TIMING_ROUNDS = 5 }; /* that count; one goes before, to warm up */

/* Work on a file, which leaves in `result` what it came to: a fast wrong
 * answer shows. */
struct timed_side {
    const char *name;
    void (*run)(const char *path, const void *what, void *result);
    const void *what;
};

struct timing {
    double seconds;     /* the median */
    uint64_t anonymous; /* the most memory that is no file's, KiB */
};

static double seconds_of(clockid_t clock)
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

/* The middle one; sorts them. */
static double median(double *values, size_t count)
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

/* Every round is a process of its own, so that memory is its own, too. As the
 * kernel's high-water mark counts pages of files, it is looked at again and
 * again, in the round that goes before. One result of each side is kept.
 *
 * The host of a virtual machine takes memory away that nobody used for some
 * seconds; to have it back takes ten times as long as to clear it, as long as a
 * quarter of the work itself. So some is used, and left, before each side. */
static void take_turns(const struct timed_side *sides, size_t count, const char *path,
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

/* ---- what is measured ---- */


static struct entry map_file(const char *path)
{
    struct entry entry = {.name = path};
    struct stat st;
    int fd = open(path, O_RDONLY);

    if (fd < 0 || fstat(fd, &st)) {
        perror(path);
        exit(1);
    }
    entry.size = (size_t)st.st_size;
    entry.data = mmap(NULL, entry.size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    return entry;
}

/* ---- what is timed ---- */

static void touch(const char *path, const void *what, void *result)
{
    struct entry entry = map_file(path);
    uint64_t sum = 0, word;

    for (size_t i = 0; i + 8 <= entry.size; i += 8) {
        memcpy(&word, entry.data + i, 8);
        sum += word;
    }
    (void)what;
    *(uint64_t *)result = sum;
}

struct log {
    struct entry entry;
    struct etl_file file;
    etl_buffers buffers;
    uint8_t *scratch; /* room for one unpacked buffer */
};

static void open_log(struct log *log, const char *path)
{
    *log = (struct log){
        .entry = map_file(path),
        .scratch = mem_new(LARGEST_BUFFER, 1),
    };
    if (etl_file_open(&log->file, &log->entry, NULL))
        exit(1);
    etl_index_file(&log->buffers, &log->file, 0, profile_new());
}

static struct bytes events_of(const struct log *log, size_t buffer)
{
    bool damaged;

    return etl_buffer_events(&log->file, &log->buffers.data[buffer],
                             log->scratch, &damaged);
}

/* Unpacks every buffer into memory. Buffers that are not packed are copied: the
 * lower bound for packed ones. */
static void unpack(const char *path, const void *what, void *result)
{
    struct log log;
    uint64_t bytes = 0;

    open_log(&log, path);
    for (size_t i = 0; i < log.buffers.len; i++) {
        struct bytes events = events_of(&log, i);

        if (events.data != log.scratch)
            memcpy(log.scratch, events.data, events.len);
        bytes += events.len;
    }
    (void)what;
    *(uint64_t *)result = bytes;
}

/* Every record, counted by type; nothing else. */
static void walk(const char *path, const void *what, void *result)
{
    uint32_t *counts = mem_new(65536, sizeof(*counts));
    struct log log;
    uint64_t events = 0;

    open_log(&log, path);
    for (size_t i = 0; i < log.buffers.len; i++) {
        struct bytes bytes = events_of(&log, i);
        struct etl_event e;
        size_t pos = 0;

        while (etl_step(bytes.data, bytes.len, &pos, &e) == STEP_EVENT) {
            counts[e.hook]++;
            events++;
        }
    }
    (void)what;
    *(uint64_t *)result = events;
}

/* As the command reads, by `threads`: busy samples, without their times. */
static void top(const char *path, const void *threads, void *result)
{
    struct read_options options = {.threads = *(const unsigned *)threads,
                                   .without_times = true,
                                   .without_idle = true};
    struct profile *p = opened_profile(path, &options);
    struct selection *sel = selection_new(p, NULL);
    struct hot_path hot = {0};

    ranking_top(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE, 30);
    hot_path_find(&hot, p, sel);
    *(uint64_t *)result = sel->samples;
}

/* The same by another process, too, at the same time. */
static void top_twice(const char *path, const void *threads, void *result)
{
    pid_t other = fork();
    int status;

    top(path, threads, result);
    if (!other)
        _exit(0);
    if (other < 0 || waitpid(other, &status, 0) != other || status)
        exit(1);
}

static atomic_uint ball;

enum { RETURNS = 100000 };

static void *return_balls(void *nothing)
{
    for (unsigned i = 0; i < RETURNS; i++) {
        while (atomic_load(&ball) != 2 * i + 1)
            continue;
        atomic_store(&ball, 2 * i + 2);
    }
    return nothing;
}

/* Nanoseconds that a line takes from one core to another and back. */
static double distance(void)
{
    double start = seconds_of(CLOCK_MONOTONIC);
    pthread_t other;

    atomic_store(&ball, 0);
    if (threads_online() < 2 ||
        pthread_create(&other, NULL, return_balls, NULL))
        return 0;
    for (unsigned i = 0; i < RETURNS; i++) {
        atomic_store(&ball, 2 * i + 1);
        while (atomic_load(&ball) != 2 * i + 2)
            continue;
    }
    pthread_join(other, NULL);
    return (seconds_of(CLOCK_MONOTONIC) - start) / RETURNS * 1e9;
}

static const unsigned one = 1, two = 2;

static const struct timed_side sides[] = {
    {"touch", touch, NULL},
    {"unpack, 1 thread", unpack, NULL},
    {"walk, 1 thread", walk, NULL},
    {"top, 1 thread", top, &one},
    {"top, 2 threads", top, &two},
    {"top, 1, twice", top_twice, &one},
};

enum { SIDES = sizeof(sides) / sizeof(sides[0]) };

static void compare(const char *path)
{
    struct timing timings[SIDES];
    uint64_t counts[SIDES];
    struct stat st;
    double megabytes = stat(path, &st) ? 0 : (double)st.st_size / 1e6;
    double before = distance();

    take_turns(sides, SIDES, path, CLOCK_MONOTONIC, timings, counts,
               sizeof(counts[0]));
    printf("%s, %.0f MB, median of %d; core to core and back %.0f ns before, "
           "%.0f after\n",
           path, megabytes, TIMING_ROUNDS, before, distance());
    for (int i = 0; i < SIDES; i++) {
        const struct timing *t = &timings[i];

        printf("  %-16s %7.3f s  %6.2f GB/s  %6.1f x touch  %5.0f MiB", //
               sides[i].name, t->seconds, megabytes / t->seconds / 1e3,
               t->seconds / timings[0].seconds, (double)t->anonymous / 1024);
        if (i)
            printf("  %llu", (unsigned long long)counts[i]);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    static const char *const made[] = {"bench-plain.etl", "bench-packed.etl"};

    if (argc > 1) {
        compare(argv[1]);
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        struct big_trace big = {
            .megabytes = big_trace_megabytes(), .seed = 1, .compressed = i};

        big_trace_make(&big, made[i]);
        compare(made[i]);
        unlink(made[i]);
    }
    return 0;
}
