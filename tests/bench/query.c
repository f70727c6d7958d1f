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
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/mem.h"
#include "engine/events/events.h"
#include "engine/input/trace_events.h"
#include "engine/sql/query.h"
#include "tests/support/big_trace.h"
#include "tests/support/timing.h"

struct result {
    uint64_t count;
    uint64_t buffers, skipped;
};

/* ---- what is timed ---- */

static void walk(const char *path, const void *sql, void *result)
{
    struct event_options options = {.unordered = true, .no_subjects = true};
    uint64_t *counts = mem_new(1 << 16, sizeof(*counts));
    struct err err = {0};
    struct event_trace *trace = event_trace_open(&path, 1, &err);
    struct result *sum = result;
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
        sum->count++;
    }
    sum->buffers = event_cursor_effort(c).buffers;
}

/* Adds up the last column. */
static void query(const char *path, const void *sql, void *result)
{
    struct query_source source = {
        .paths = &path, .path_count = 1, .open_events = event_trace_open};
    struct query_limits limits = {0, (uint64_t)1 << 30};
    struct err err = {0};
    struct query *q = query_new(NULL, &limits, &err);
    const char *statement = sql;
    struct query_result *r = NULL;
    struct result *sum = result;

    if (q && !query_add_trace(q, "main", &source, &err))
        r = query_next(q, &statement, &err);
    while (r && query_step(r))
        sum->count +=
            strtoull(query_value(r, query_columns(r) - 1).text, NULL, 10);
    if (!r || query_end(r, &err)) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    sum->buffers = query_effort(q).buffers;
    sum->skipped = query_effort(q).skipped;
}

static const struct timed_side sides[] = {
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

static void compare(const char *path)
{
    struct timing timings[SIDES];
    struct result results[SIDES];
    struct stat st;

    take_turns(sides, SIDES, path, CLOCK_PROCESS_CPUTIME_ID, timings, results,
               sizeof(results[0]));
    printf("%s, %.0f MB, median of %d\n", path,
           stat(path, &st) ? 0 : (double)st.st_size / 1e6, TIMING_ROUNDS);
    for (int i = 0; i < SIDES; i++) {
        const struct timing *t = &timings[i];
        const struct result *r = &results[i];

        printf("  %-28s %7.3f s  %5.2f x walk  %5.0f MiB  %llu"
               "  (%llu buffers, %llu passed over)\n",
               sides[i].name, t->seconds, t->seconds / timings[0].seconds,
               (double)t->anonymous / 1024, (unsigned long long)r->count,
               (unsigned long long)r->buffers, (unsigned long long)r->skipped);
    }
}

int main(int argc, char **argv)
{
    static const char made[] = "bench-query.etl";
    static const unsigned parts[] = {4, 1};

    if (argc > 1) {
        compare(argv[1]);
        return 0;
    }
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        struct big_trace big = {.megabytes = big_trace_megabytes() / parts[i],
                                .seed = 1};

        big_trace_make(&big, made);
        compare(made);
        unlink(made);
    }
    return 0;
}
