/* import, reopen and comparison of a profile with 3 M samples, against one
 * pass over the samples in memory. Usage: bench-store [file] */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/analysis/rank.h"
#include "engine/base/threads.h"
#include "engine/diff/diff.h"
#include "engine/store/store.h"
#include "tests/support/full_profile.h"
#include "tests/support/timing.h"

enum { SAMPLES = 3000000, STACKS = 200000, LOCATIONS = 40000, ROUNDS = 5 };

static struct profile *synthetic(void)
{
    struct profile *p = profile_new();
    uint64_t state = 1;

    *vec_add(&p->processes) = (struct process){.pid = 1};
    for (uint32_t i = 0; i < 64; i++)
        *vec_add(&p->threads) = (struct thread){.tid = i};
    for (uint32_t i = 0; i < LOCATIONS; i++) {
        struct method m = {.start = 64 * i, .size = 64, .module = NO_ID};
        struct location l = {.method = i, .module = NO_ID};

        m.full_name = strings_addf(p->strings, "Some.Space.Method%u", i / 8);
        methods_add(&p->methods, &m);
        profile_location(p, &l);
    }
    /* Parents near the root are likelier, for stacks of some 20 frames. */
    for (uint32_t i = 1; i < STACKS; i++)
        profile_stack(p, random_below(&state, (uint32_t)p->stacks.len),
                      random_below(&state, LOCATIONS));
    for (uint32_t i = 0; i < SAMPLES; i++) {
        /* Most samples are on few stacks, most stacks on one thread. */
        uint32_t most = 1 + random_below(&state, (uint32_t)p->stacks.len - 1);
        uint32_t stack = 1 + random_below(&state, most);
        uint32_t thread = (stack + (i % 16 == 0)) % 64;

        profile_sample(p, &(struct sample){
                              .time = (int64_t)i * 125000,
                              .thread = thread,
                              .stack = stack,
                              .weight = 1,
                              .cpu = (uint16_t)(i % 8),
                              .flags = SAMPLE_HAS_STACK | SAMPLE_USER_PART,
                          });
    }
    profile_finish(p);
    return p;
}

static double time_touch(const struct profile *p)
{
    static volatile uint64_t seen; /* keeps the sum from being dropped */
    double from = seconds_of(CLOCK_MONOTONIC);
    uint64_t sum = 0;

    for (size_t i = 0; i < p->samples.len; i++)
        sum += p->samples.stack[i] + (uint64_t)p->samples.time[i];
    seen = sum;
    (void)seen;
    return seconds_of(CLOCK_MONOTONIC) - from;
}

static double time_write(const struct profile *p, const char *path)
{
    struct err err = {0};
    double from = seconds_of(CLOCK_MONOTONIC);

    if (store_write(p, path, &err)) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    return seconds_of(CLOCK_MONOTONIC) - from;
}

static struct profile *reopen(const char *path, bool times)
{
    struct err err = {0};
    struct profile *p = store_read(path, times, &err);

    if (!p) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    return p;
}

static double time_read(const char *path, bool times, bool rank)
{
    double from = seconds_of(CLOCK_MONOTONIC);
    struct profile *p = reopen(path, times);
    struct selection *sel;

    sel = selection_new(p, NULL);
    if (sel->samples != SAMPLES)
        exit(1);
    if (rank)
        ranking_free(ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE));
    selection_free(sel);
    profile_free(p);
    return seconds_of(CLOCK_MONOTONIC) - from;
}

struct sides {
    const char *path;
    struct diff_input inputs[2];
};

static void read_side(void *context, size_t i, unsigned worker)
{
    struct sides *s = context;
    struct profile *p = reopen(s->path, true);

    (void)worker;
    s->inputs[i] = (struct diff_input){p, selection_new(p, NULL), i};
}

/* Two recordings of one build, read side by side as the command does. */
static double time_diff(const char *path)
{
    struct diff_options options = DIFF_DEFAULTS;
    struct sides sides = {.path = path};
    double from = seconds_of(CLOCK_MONOTONIC);
    struct threads *pool = threads_new(0);
    struct diff *d;

    threads_run(pool, 2, read_side, &sides);
    threads_free(pool);
    d = diff_new(sides.inputs, 2, &options);
    if (!d->len || d->by_verdict[DIFF_SLOWER])
        exit(1);
    diff_free(d);
    for (int i = 0; i < 2; i++) {
        selection_free((struct selection *)sides.inputs[i].sel);
        profile_free((struct profile *)sides.inputs[i].p);
    }
    return seconds_of(CLOCK_MONOTONIC) - from;
}

static void print(const char *what, double seconds, double touch)
{
    printf("%-26s %7.3f s  %6.2f M samples/s  %6.1fx touch\n", what, seconds,
           SAMPLES / seconds / 1e6, seconds / touch);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "bench-store.topfn";
    double touch[ROUNDS], write[ROUNDS], counts[ROUNDS], times[ROUNDS];
    double diffs[ROUNDS], bound;
    struct profile *p = synthetic();
    struct stat st;

    for (int i = 0; i < ROUNDS; i++) {
        touch[i] = time_touch(p);
        write[i] = time_write(p, path);
        counts[i] = time_read(path, false, true);
        times[i] = time_read(path, true, false);
        diffs[i] = time_diff(path);
    }
    if (!stat(path, &st))
        printf("%d samples, %d stacks, %.1f MB\n", SAMPLES, STACKS,
               (double)st.st_size / 1e6);
    bound = median(touch, ROUNDS);
    print("touch", bound, bound);
    print("store_write", median(write, ROUNDS), bound);
    print("store_read counts, rank", median(counts, ROUNDS), bound);
    print("store_read with times", median(times, ROUNDS), bound);
    print("two of these, diff", median(diffs, ROUNDS), bound);
    unlink(path);
    profile_free(p);
    return 0;
}
