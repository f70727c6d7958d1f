/*
 * What a question about stacks costs beside reading them: a trace of 3 M
 * samples is read, and asked. TOPFN_BENCH_MB changes its size.
 *
 * Every line is the median of several rounds in one process, in CPU time; the
 * ratio is to the read of the same run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/analysis/algebra.h"
#include "engine/model/profile.h"
#include "tests/support/big_trace.h"
#include "tests/support/opened.h"
#include "tests/support/timing.h"

enum { ROUNDS = 3 };

static struct profile *read_profile(const char *path)
{
    struct read_options options = {.threads = 1};
    struct profile *p = opened_profile(path, &options);

    unnamed_fold(p);
    return p;
}

struct question {
    const char *text;
    struct filter filter;
};

#define WORD(w)                                                                \
    {                                                                          \
        .data = (const char *[]){w}, .len = 1                                  \
    }

static const struct question questions[] = {
    {"--focus '*1*'", {.focus = WORD("*1*")}},
    {"--focus 're:1.*2'", {.focus = WORD("re:1.*2")}},
    {"--module '*.dll'", {.modules = WORD("*.dll")}},
    {"--group modules", {.groups = WORD("modules")}},
    {"--group just-my-code", {.groups = WORD("just-my-code")}},
    {"--fold '*3*'", {.folds = WORD("*3*")}},
    {"--fold-percent 1", {.fold_percent = 100}},
    {"--hide '*3*'", {.hides = WORD("*3*")}},
    {"--show-from '*2*'", {.show_from = WORD("*2*")}},
    {"group, fold, focus, hide and show-from",
     {.groups = WORD("modules"),
      .folds = WORD("*3*"),
      .focus = WORD("*1*"),
      .hides = WORD("*5*"),
      .show_from = WORD("*2*")}},
};

enum { QUESTIONS = sizeof(questions) / sizeof(*questions) };

static double times[QUESTIONS + 1][ROUNDS];

static void run_round(const char *path, int round)
{
    for (size_t q = 0; q < QUESTIONS; q++) {
        double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        struct profile *p = read_profile(path);
        struct selection *sel;

        if (!q)
            times[QUESTIONS][round] =
                seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start;
        if (!q && !round)
            printf("%zu samples, %zu distinct stacks, %zu functions\n",
                   p->samples.len, p->stacks.len, p->functions.len);
        start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        algebra_apply(p, &questions[q].filter, NULL);
        sel = selection_new(p, &questions[q].filter);
        times[q][round] = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start;
        selection_free(sel);
        profile_free(p);
    }
}

int main(void)
{
    struct big_trace big = {.megabytes = big_trace_megabytes(), .seed = 7};
    char path[] = "/tmp/topfn-bench-XXXXXX";
    double read;

    close(mkstemp(path));
    big_trace_make(&big, path);
    for (int round = 0; round < ROUNDS; round++)
        run_round(path, round);
    read = median(times[QUESTIONS], ROUNDS);
    printf("%-40s %8.3f s\n", "read, one thread", read);
    for (size_t q = 0; q < QUESTIONS; q++) {
        double t = median(times[q], ROUNDS);

        printf("%-40s %8.3f s  %5.3f of the read\n", questions[q].text, t,
               t / read);
    }
    unlink(path);
    return 0;
}
