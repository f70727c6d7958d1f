/*
 * What reports take on a large log, with reading it, against a ranking of its
 * functions. Usage: bench-reports [TRACE]; without one, a log of 940 MB is made
 * (TOPFN_BENCH_MB changes that).
 *
 * Every line is the median of several rounds, all sides taking turns, each in
 * a process of its own, on one thread.
 */
#include <stdio.h>
#include <unistd.h>

#include "engine/analysis/calltree.h"
#include "engine/analysis/timeline.h"
#include "engine/base/out.h"
#include "report/export/folded.h"
#include "report/page/page.h"
#include "tests/support/big_trace.h"
#include "tests/support/opened.h"
#include "tests/support/timing.h"

enum { ROWS = 30, PARTS = 32 };

/* A report on all of the samples; what it came to. */
typedef uint64_t report(const struct profile *p, const struct selection *sel);

struct kind {
    report *make;
    bool times; /* it needs those of samples */
};

static uint64_t top(const struct profile *p, const struct selection *sel)
{
    return ranking_top(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE, ROWS)->total;
}

static uint64_t timeline(const struct profile *p, const struct selection *sel)
{
    struct ranking *r =
        ranking_top(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE, ROWS);
    struct over_time when = {.buckets = PARTS};
    struct phases phases = {.parts = {0}};

    over_time_count(&when, p, sel, r, RANK_FUNCTION,
                    r->len < ROWS ? r->len : ROWS);
    phases_find(&phases, p, sel);
    return phases.parts.len;
}

static uint64_t tree(const struct profile *p, const struct selection *sel)
{
    const struct calltree_options options = {.direction = CALLTREE_TOP_DOWN,
                                             .processes = true,
                                             .fold_startup = true};

    return calltree_build(p, sel, &options)->len;
}

static uint64_t folded(const struct profile *p, const struct selection *sel)
{
    struct folded_tree all = {.processes = FOLDED_NAMES};
    struct folded_lines lines = {.tree = &all};
    uint64_t n = 0;

    folded_tree_add(&all, p, sel, false);
    while (folded_lines_next(&lines))
        n++;
    return n;
}

static uint64_t page(const struct profile *p, const struct selection *sel)
{
    struct page_data data = {.rows = 0};

    page_data_make(&data, &(struct page_side){.p = p, .sel = sel}, 1);
    return data.rows;
}

static const struct kind kinds[] = {
    {top, false},    {timeline, true}, {tree, false},
    {folded, false}, {page, true},
};

static void run(const char *path, const void *what, void *result)
{
    const struct kind *kind = what;
    struct read_options options = {
        .threads = 1,
        .without_times = !kind->times,
        .without_idle = true,
    };
    struct profile *p = opened_for_people(path, &options);

    *(uint64_t *)result = kind->make(p, selection_new(p, NULL));
}

static const struct timed_side sides[] = {
    {"top", run, &kinds[0]},    {"timeline", run, &kinds[1]},
    {"tree", run, &kinds[2]},   {"folded", run, &kinds[3]},
    {"page", run, &kinds[4]},
};

enum { SIDES = sizeof(sides) / sizeof(sides[0]) };

static void compare(const char *path)
{
    struct timing timings[SIDES];
    uint64_t counts[SIDES];

    take_turns(sides, SIDES, path, CLOCK_MONOTONIC, timings, counts,
               sizeof(counts[0]));
    printf("%s, median of %d\n", path, TIMING_ROUNDS);
    for (int i = 0; i < SIDES; i++)
        printf("  %-10s %7.3f s  %5.1f x top  %5.0f MiB  %llu\n",
               sides[i].name, timings[i].seconds,
               timings[i].seconds / timings[0].seconds,
               (double)timings[i].anonymous / 1024,
               (unsigned long long)counts[i]);
}

int main(int argc, char **argv)
{
    static const char made[] = "bench-reports.etl";
    struct big_trace big = {.megabytes = big_trace_megabytes(), .seed = 1};

    if (argc > 1) {
        compare(argv[1]);
        return 0;
    }
    big_trace_make(&big, made);
    compare(made);
    unlink(made);
    return 0;
}
