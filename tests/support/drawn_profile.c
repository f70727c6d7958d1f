#include "tests/support/drawn_profile.h"

#include <stdio.h>

#include "tests/support/profile_builder.h"

uint64_t drawn_state(uint32_t seed)
{
    uint64_t state = (seed + UINT64_C(1)) * UINT64_C(0x9E3779B97F4A7C15);

    for (int i = 0; i < 8; i++)
        drawn_uniform(&state);
    return state;
}

double drawn_uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * UINT64_C(0x2545F4914F6CDD1D) >> 11) * 0x1p-53;
}

struct program program_new(unsigned functions, double burst)
{
    struct program program = {.functions = functions, .burst = burst};

    for (unsigned i = 0; i < functions; i++)
        program.weight[i] = 1.0 / (i + 1);
    return program;
}

static double total_weight(const struct program *program)
{
    double sum = 0;

    for (unsigned i = 0; i < program->functions; i++)
        sum += program->weight[i];
    return sum;
}

double program_share(const struct program *program, unsigned i)
{
    return 100 * program->weight[i] / total_weight(program);
}

static double burst_of(const struct program *program, unsigned i)
{
    return program->steady && i % 2 ? 1 : program->burst;
}

/* What runs on for long is begun less often. */
static double chance(const struct program *program, unsigned i)
{
    return program->weight[i] * program->burst / burst_of(program, i);
}

static double total_chance(const struct program *program)
{
    double sum = 0;

    for (unsigned i = 0; i < program->functions; i++)
        sum += chance(program, i);
    return sum;
}

static unsigned draw(const struct program *program, double sum,
                     uint64_t *state)
{
    double at = drawn_uniform(state) * sum;
    unsigned i = 0;

    while (i + 1 < program->functions && at >= chance(program, i))
        at -= chance(program, i++);
    return i;
}

static uint32_t draw_weight(const struct program *program, uint64_t *state)
{
    double rarity = drawn_uniform(state) + 0.01;

    return 1 + (uint32_t)(program->heaviest / 100.0 / rarity);
}

/* In the place of samples that were drawn. */
static void place_once(struct profile *p, unsigned n, uint32_t stack,
                       uint64_t *state)
{
    size_t free_places = p->samples.len > n ? p->samples.len - n : 0;
    size_t at = (size_t)(drawn_uniform(state) * (double)free_places);

    for (unsigned i = 0; i < n && at + i < p->samples.len; i++)
        p->samples.stack[at + i] = stack;
}

/* One sample of every function, to have its stack; then as drawn. */
struct profile *program_record(const struct program *program,
                               unsigned samples, uint32_t seed)
{
    struct builder *b = builder_new("app.etl");
    uint32_t thread = builder_thread(b, 10, "app.exe", 11);
    struct profile *p = builder_profile(b);
    double sum = total_chance(program);
    uint64_t state = drawn_state(seed);
    uint32_t stacks[PROGRAM_MOST] = {0};
    unsigned at = draw(program, sum, &state);

    for (unsigned i = 0; i < program->functions; i++) {
        char text[80];

        snprintf(text, sizeof(text), "app.exe!main;app.exe!group%u;"
                 "app.exe!work%u", i % 7, i);
        builder_samples(b, thread, 1,
                        program->names[i] ? program->names[i] : text);
        stacks[i] = p->samples.stack[i];
    }
    p->samples.len = 0;
    for (unsigned i = 0; i < samples; i++) {
        if (drawn_uniform(&state) * burst_of(program, at) < 1)
            at = draw(program, sum, &state);
        profile_sample(
            p,
            &(struct sample){
                .time = (int64_t)i * 1000000,
                .thread = thread,
                .stack = stacks[at],
                .weight = program->heaviest ? draw_weight(program, &state) : 1,
                .flags = SAMPLE_HAS_STACK | SAMPLE_USER_PART,
            });
    }
    for (unsigned i = 0; i < program->functions; i++)
        if (program->once[i])
            place_once(p, program->once[i], stacks[i], &state);
    p->trace.duration_ns = (int64_t)samples * 1000000;
    return builder_finish(b);
}

struct profile *half_new(const struct profile *p, uint32_t seed, bool rest)
{
    struct profile *half = mem_new(1, sizeof(*half));
    const struct samples *s = &p->samples;
    uint64_t state = drawn_state(seed);

    *half = *p;
    half->samples = (struct samples){0};
    for (size_t i = 0; i < s->len; i++) {
        if ((drawn_uniform(&state) < 0.5) == rest)
            continue;
        profile_sample(half, &(struct sample){
                                 .time = s->time[i],
                                 .thread = s->thread[i],
                                 .stack = s->stack[i],
                                 .weight = 1,
                                 .cpu = s->cpu[i],
                                 .flags = s->flags[i],
                             });
    }
    return half;
}

void half_free(struct profile *half)
{
    struct samples *s = &half->samples;

    free(s->time);
    free(s->thread);
    free(s->stack);
    free(s->cpu);
    free(s->flags);
    free(half);
}
