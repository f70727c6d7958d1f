/*
 * Reading ETL against the bound that memory sets: "touch" adds up the words
 * of the same mapped file. Usage: bench-etl [FILE.etl]; without a file, one
 * of a gigabyte is made (TOPFN_BENCH_MB changes that).
 *
 * Every line is the median of several rounds, all sides taking turns, each in
 * a process of its own so that memory is its own too.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/format/etl/etl.h"
#include "engine/format/etl/event.h"
#include "engine/analysis/rank.h"
#include "engine/recording.h"
#include "tests/support/answer.h"
#include "tests/support/big_trace.h"

enum { ROUNDS = 5 };

struct result {
    double seconds;
    uint64_t count;     /* of events or samples: a fast wrong answer shows */
    uint64_t anonymous; /* peak memory that is not the file's, KiB */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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

static uint64_t touch(const char *path)
{
    struct entry entry = map_file(path);
    uint64_t sum = 0, word;

    for (size_t i = 0; i + 8 <= entry.size; i += 8) {
        memcpy(&word, entry.data + i, 8);
        sum += word;
    }
    return sum | 1;
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

/* Every buffer into memory. What is not packed is copied: the bound of what
 * is. */
static uint64_t unpack(const char *path)
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
    return bytes;
}

/* Every record, counted by type; nothing else. */
static uint64_t walk(const char *path)
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
    return events;
}

/* As the command reads: busy samples, without their times. */
static uint64_t top(const char *path, unsigned threads)
{
    struct read_options options = {
        .threads = threads, .without_times = true, .without_idle = true};
    struct err err = {0};
    struct profile *p =
        recording_take(recording_open(&path, 1, &options, &err));
    struct selection *sel;

    if (!p) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    profile_finish(p);
    sel = selection_new(p, NULL);
    ranking_top(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE, 30);
    return sel->samples;
}

static uint64_t top_1(const char *path)
{
    return top(path, 1);
}

static uint64_t top_2(const char *path)
{
    return top(path, 2);
}

struct side {
    const char *name;
    uint64_t (*run)(const char *path);
};

static const struct side sides[] = {
    {"touch", touch},
    {"unpack, 1 thread", unpack},
    {"walk, 1 thread", walk},
    {"top, 1 thread", top_1},
    {"top, 2 threads", top_2},
};

enum { SIDES = sizeof(sides) / sizeof(sides[0]) };

/* ---- timing ---- */

/* Peak of anonymous memory: the kernel's high-water mark counts file pages
 * too, so the current figure is read when the work is done and nothing has
 * been given back. */
static uint64_t anonymous_memory(void)
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

static struct result run_apart(const struct side *side, const char *path)
{
    struct result result = {0};
    double start;
    int ends[2], status;
    pid_t child;

    if (pipe(ends) || (child = fork()) < 0)
        exit(1);
    if (!child) {
        start = now();
        result.count = side->run(path);
        result.seconds = now() - start;
        result.anonymous = anonymous_memory();
        _exit(write(ends[1], &result, sizeof(result)) != sizeof(result));
    }
    close(ends[1]);
    if (read(ends[0], &result, sizeof(result)) != sizeof(result))
        exit(1);
    close(ends[0]);
    waitpid(child, &status, 0);
    return result;
}

static int by_seconds(const void *a, const void *b)
{
    const struct result *x = a, *y = b;

    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static void compare(const char *path, double megabytes)
{
    struct result results[SIDES][ROUNDS + 1];
    double bound;

    for (int round = 0; round <= ROUNDS; round++)
        for (int i = 0; i < SIDES; i++)
            results[i][round] = run_apart(&sides[i], path);
    printf("%s, %.0f MB, median of %d\n", path, megabytes, ROUNDS);
    for (int i = 0; i < SIDES; i++)
        qsort(results[i] + 1, ROUNDS, sizeof(results[i][0]), by_seconds);
    bound = results[0][1 + ROUNDS / 2].seconds;
    for (int i = 0; i < SIDES; i++) {
        const struct result *r = &results[i][1 + ROUNDS / 2];

        printf("  %-16s %7.3f s  %6.2f GB/s  %6.1f x touch  %5.0f MiB", //
               sides[i].name, r->seconds, megabytes / r->seconds / 1e3,
               r->seconds / bound, (double)r->anonymous / 1024);
        if (i)
            printf("  %llu", (unsigned long long)r->count);
        printf("\n");
    }
}

static double make_input(const char *path, bool compressed)
{
    const char *size = getenv("TOPFN_BENCH_MB");
    struct big_trace big = {
        .megabytes = size ? strtoul(size, NULL, 10) : 940,
        .seed = 1,
        .compressed = compressed,
    };
    struct answer *answer = answer_new();
    FILE *file = fopen(path, "w+b");

    if (!file || !big_trace_write(&big, file, answer) || fclose(file)) {
        perror(path);
        exit(1);
    }
    answer_free(answer);
    return (double)big.megabytes;
}

static double file_megabytes(const char *path)
{
    struct stat st;

    return stat(path, &st) ? 0 : (double)st.st_size / 1e6;
}

int main(int argc, char **argv)
{
    static const char *const made[] = {"bench-plain.etl", "bench-packed.etl"};

    mem_map_large();
    if (argc > 1) {
        compare(argv[1], file_megabytes(argv[1]));
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        make_input(made[i], i);
        compare(made[i], file_megabytes(made[i]));
        unlink(made[i]);
    }
    return 0;
}
