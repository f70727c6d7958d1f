/*
 * drawn_profile - recordings of a made-up program with known shares.
 *
 *     struct program program = program_new(100, 10);
 *     struct profile *a = program_record(&program, 20000, 1);
 *     program.weight[3] *= 1.2;
 *     struct profile *b = program_record(&program, 20000, 2);
 *
 * Function i of `functions` is sampled with a probability in proportion to
 * its weight (1 / (i + 1) at first). It runs on for `burst` samples on
 * average, as functions do: samples are not independent, and counts vary
 * about 2 * burst - 1 times as much as if they were; with `steady` every
 * second function does not, from the second on. With `heaviest` samples
 * weigh from about 1 to that many microseconds, few of them much: half the
 * total is in a tenth of the samples. A function that comes `once` has so many
 * samples in a row at one place, beside what its weight gives it. Equal seeds
 * give equal recordings on every machine.
 */
#ifndef TOPFN_TESTS_DRAWN_PROFILE_H
#define TOPFN_TESTS_DRAWN_PROFILE_H

#include "engine/model/profile.h"

enum { PROGRAM_MOST = 256 };

struct program {
    unsigned functions;
    double burst;
    bool steady;
    uint32_t heaviest; /* 0: no weights */
    double weight[PROGRAM_MOST];
    unsigned once[PROGRAM_MOST];
    const char *names[PROGRAM_MOST]; /* stacks; NULL: "app.exe!main;..." */
};

struct program program_new(unsigned functions, double burst);

/* Function i's true share, in percent. */
double program_share(const struct program *program, unsigned i);

struct profile *program_record(const struct program *program,
                               unsigned samples, uint32_t seed);

/* A random half of the samples, or what it leaves, of a profile that stays
 * the owner of all else. Free with half_free. */
struct profile *half_new(const struct profile *p, uint32_t seed, bool rest);
void half_free(struct profile *half);

/* xorshift64*: uniform in [0, 1). The state is not 0. */
double drawn_uniform(uint64_t *state);
uint64_t drawn_state(uint32_t seed);

#endif
