/*
 * SQL over the events of a trace against a bare walk over them. Usage:
 * bench-query [FILE.etl]; without a file, one of a gigabyte is made
 * (TOPFN_BENCH_MB changes that), and one of a quarter of it, to see that memory
 * does not grow with the trace.
 *
 * Every line is the median of several rounds, all sides taking turns, each in
 * a process of its own; times are those of the processor.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/mem.h"
#include "engine/events/events.h"
#include "engine/query/query.h"
#include "tests/support/answer.h"
#include "tests/support/big_trace.h"

enum { ROUNDS = 5 };

struct result {
    double seconds;
    uint64_t count;     /* a fast wrong answer shows */
    uint64_t buffers, skipped;
    uint64_t anonymous; /* KiB */
};

/* ---- what is timed ---- */

static void walk(const char *path, const char *sql, struct result *result)
{
    struct event_options options = {.unordered = true, .no_subjects = true};
    uint64_t *counts = mem_new(1 << 16, sizeof(*counts));
    struct err err = {0};
    struct event_trace *trace = event_trace_open(&path, 1, &err);
    struct event_cursor *c;
    const struct event *e;

    (void)sql;
    if (!trace) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    c = event_cursor_new(trace, &options);
    while ((e = event_next(c))) {
        counts[e->kind->index & 0xffff]++;
        result->count++;
    }
    result->buffers = event_cursor_effort(c).buffers;
}

/* Adds up the last column. */
static void query(const char *path, const char *sql, struct result *result)
{
    struct query_source source = {.paths = &path, .path_count = 1};
    struct query_limits limits = {0, (uint64_t)1 << 30};
    struct err err = {0};
    struct query *q = query_new(NULL, &limits, &err);
    struct query_result *r = NULL;

    if (q && !query_add_trace(q, "main", &source, &err))
        r = query_next(q, &sql, &err);
    while (r && query_step(r))
        result->count +=
            strtoull(query_value(r, query_columns(r) - 1).text, NULL, 10);
    if (!r || query_end(r, &err)) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    result->buffers = query_effort(q).buffers;
    result->skipped = query_effort(q).skipped;
}

struct side {
    const char *name;
    void (*run)(const char *path, const char *sql, struct result *result);
    const char *sql;
};

static const struct side sides[] = {
    {"walk", walk, NULL},
    {"count by name", query,
     "SELECT EventName, COUNT(*) FROM events GROUP BY EventName"},
    {"count all", query, "SELECT count(*) FROM events"},
    {"one provider in one second", query,
     "SELECT count(*) FROM events WHERE provider = 'Windows Kernel'"
     " AND time >= 10 AND time < 11"},
    {"one process", query, "SELECT count(*) FROM events WHERE pid = 0"},
    {"a field of one event", query,
     "SELECT sum(TransferSize > 4096) FROM 'DiskIO/Read'"},
};

enum { SIDES = sizeof(sides) / sizeof(sides[0]) };

/* ---- timing ---- */

static double processor_time(void)
{
    struct rusage use;

    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
}

/* The kernel's high-water mark counts file pages too, so the current figure is
 * read when the work is done and nothing has been given back. */
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
    int ends[2], status;
    pid_t child;

    if (pipe(ends) || (child = fork()) < 0)
        exit(1);
    if (!child) {
        double start = processor_time();

        side->run(path, side->sql, &result);
        result.seconds = processor_time() - start;
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

static void compare(const char *path)
{
    struct result results[SIDES][ROUNDS + 1];
    struct stat st;

    for (int round = 0; round <= ROUNDS; round++)
        for (int i = 0; i < SIDES; i++)
            results[i][round] = run_apart(&sides[i], path);
    printf("%s, %.0f MB, median of %d\n", path,
           stat(path, &st) ? 0 : (double)st.st_size / 1e6, ROUNDS);
    for (int i = 0; i < SIDES; i++) {
        const struct result *r = &results[i][1 + ROUNDS / 2];
        double bound;

        qsort(results[i] + 1, ROUNDS, sizeof(results[i][0]), by_seconds);
        bound = results[0][1 + ROUNDS / 2].seconds;
        printf("  %-28s %7.3f s  %5.2f x walk  %5.0f MiB  %llu"
               "  (%llu buffers, %llu passed over)\n",
               sides[i].name, r->seconds, r->seconds / bound,
               (double)r->anonymous / 1024, (unsigned long long)r->count,
               (unsigned long long)r->buffers, (unsigned long long)r->skipped);
    }
}

static void make_input(const char *path, unsigned long megabytes)
{
    struct big_trace big = {.megabytes = megabytes, .seed = 1};
    struct answer *answer = answer_new();
    FILE *file = fopen(path, "w+b");

    if (!file || !big_trace_write(&big, file, answer) || fclose(file)) {
        perror(path);
        exit(1);
    }
    answer_free(answer);
}

int main(int argc, char **argv)
{
    static const char made[] = "bench-query.etl";
    static const unsigned long parts[] = {4, 1};
    const char *size = getenv("TOPFN_BENCH_MB");
    unsigned long megabytes = size ? strtoul(size, NULL, 10) : 940;

    if (argc > 1) {
        compare(argv[1]);
        return 0;
    }
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        make_input(made, megabytes / parts[i]);
        compare(made);
        unlink(made);
    }
    return 0;
}
