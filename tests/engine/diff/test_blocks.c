/* How counts vary in the course of a trace, against the definition worked out
 * block by block. */
#include "engine/diff/blocks.h"

#include <math.h>

#include "engine/diff/side.h"
#include "tests/support/drawn_profile.h"
#include "tests/support/suite.h"

enum { UNITS_MOST = 80 };

/* A recording whose units are its functions. */
struct world {
    struct profile *p;
    struct diff_input input;
    struct diff_places places;
    uint32_t unit_of[UNITS_MOST];
    uint64_t counts[UNITS_MOST];
    double grain[UNITS_MOST + 1];
    struct diff_blocks_of of;
};

static bool is_below(const struct world *w, uint32_t stack, uint32_t unit)
{
    const struct profile *p = w->p;

    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t location = p->stacks.data[stack].location;

        for (uint32_t f = p->frame_start.data[location];
             f < p->frame_start.data[location + 1]; f++) {
            if (p->frames.data[f].function == unit)
                return true;
            if (!w->places.below)
                return false;
        }
    }
    return false;
}

static void open_world(struct world *w, struct profile *p, bool inclusive,
                       bool shares)
{
    *w = (struct world){.p = p};
    ck_assert_uint_lt(p->functions.len, UNITS_MOST);
    w->input = (struct diff_input){p, selection_new(p, NULL), false};
    for (uint32_t i = 0; i < p->functions.len; i++)
        w->unit_of[i] = i;
    diff_places_of_functions(&w->places, &w->input, w->unit_of, inclusive);
    w->of = (struct diff_blocks_of){
        .input = &w->input,
        .places = &w->places,
        .units = p->functions.len,
        .shares = shares,
        .counts = w->counts,
        .grain = w->grain,
    };
    for (uint32_t u = 0; u < w->of.units; u++) {
        w->grain[u] = 1 + 0.01 * u;
        for (size_t i = 0; i < p->samples.len; i++)
            if (is_below(w, p->samples.stack[i], u))
                w->counts[u] += sample_weight(p, i);
    }
}

static void close_world(struct world *w)
{
    diff_places_release(&w->places);
    selection_free((struct selection *)w->input.sel);
    profile_free(w->p);
}

static unsigned block_of(const struct world *w, size_t i, unsigned blocks)
{
    const int64_t *time = w->p->samples.time;
    size_t n = w->p->samples.len;
    double at = (double)i, span = (double)n;

    if (!w->of.shares) {
        at = (double)(time[i] - time[0]);
        span = (double)(time[n - 1] - time[0] + 1);
    }
    return (unsigned)(at / span * blocks);
}

/* Squares of what the unit's count, less its share of all, differs by from
 * block to block; of unit `units`, all samples. */
static double squares_of(const struct world *w, uint32_t unit, unsigned most,
                         unsigned blocks)
{
    double count[BLOCKS_MOST] = {0}, all[BLOCKS_MOST] = {0}, share = 0, sum = 0;
    const struct profile *p = w->p;

    for (size_t i = 0; i < p->samples.len; i++) {
        unsigned b = block_of(w, i, most) / (most / blocks);

        all[b] += (double)sample_weight(p, i);
        if (unit < w->of.units && is_below(w, p->samples.stack[i], unit))
            count[b] += (double)sample_weight(p, i);
    }
    if (unit == w->of.units)
        share = 1;
    else if (w->of.shares)
        share = (double)w->counts[unit] / (double)w->input.sel->samples;
    for (unsigned b = 1; b < blocks; b++)
        sum += pow(count[b] - count[b - 1] - share * (all[b] - all[b - 1]), 2);
    return sum;
}

static bool is_long_enough(const struct world *w, unsigned most,
                           unsigned blocks)
{
    double total = (double)w->input.sel->samples, seen = 0, expected = 0;
    double length = (double)w->p->samples.len / blocks, factor;

    for (uint32_t u = 0; u < w->of.units; u++) {
        double n = (double)w->counts[u];

        seen += squares_of(w, u, most, blocks) / 2;
        expected += w->grain[u] * n * (1 - n / total);
    }
    if (!w->of.units) {
        seen = squares_of(w, 0, most, blocks) / 2;
        expected = w->grain[0] * total;
    }
    factor = expected > 0 ? seen * blocks / (blocks - 1) / expected : 1;
    return pow(length, 3) > 2 * (double)w->p->samples.len * factor * factor;
}

static void check(struct world *w, unsigned most, unsigned wanted)
{
    struct diff_blocks b;
    unsigned blocks = most;
    double n;

    diff_blocks_count(&b, &w->of);
    while (blocks > BLOCKS_LEAST && !is_long_enough(w, most, blocks))
        blocks /= 2;
    ck_assert_uint_eq(b.blocks, wanted);
    ck_assert_uint_eq(blocks, wanted);
    n = blocks;
    ck_assert(fabs(b.df - 2 * (n - 1) * (n - 1) / (3 * n - 4)) < 1e-9);
    for (uint32_t u = 0; u <= w->of.units; u++) {
        double v = squares_of(w, u, most, blocks) * n / (n - 1) / 2;

        ck_assert_msg(fabs(b.variance[u] - v) <= 1e-9 * v,
                      "unit %u: %g, not %g", u, b.variance[u], v);
    }
    diff_blocks_release(&b);
}

static const struct {
    unsigned samples;
    double burst;
    uint32_t heaviest;
    bool inclusive, shares;
    unsigned most, blocks; /* at first, and when they are long enough */
} cases[] = {
    {4096, 1, 0, false, true, 512, 128},
    {4096, 1, 0, false, false, 512, 128},
    {4096, 1, 0, true, true, 512, 128},
    {4096, 1, 0, true, false, 512, 128},
    {4096, 30, 0, false, true, 512, 16},
    {4095, 5, 0, false, true, 256, 32},
    {3000, 5, 0, false, false, 256, 32},
    {3000, 5, 9000, false, true, 256, 16},
    {3000, 5, 9000, true, false, 256, 16},
    {3000, 5, UINT32_MAX, false, true, 256, 16},
    {3000, 5, UINT32_MAX, true, false, 256, 16},
    {8000, 3, 0, false, true, 512, 64},
    {128, 1, 0, false, true, 16, 16},
    {32, 1, 0, false, true, 16, 16},
};

TEST(variances_are_as_defined)
{
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        struct program program = program_new(30, cases[i].burst);
        struct world w;

        program.heaviest = cases[i].heaviest;
        open_world(&w, program_record(&program, cases[i].samples, i + 1),
                   cases[i].inclusive, cases[i].shares);
        check(&w, cases[i].most, cases[i].blocks);
        close_world(&w);
    }
}

/* Fewer than two samples for each of 16 blocks say nothing. */
TEST(few_samples_have_no_blocks)
{
    struct program program = program_new(5, 1);
    struct diff_blocks b;
    struct world w;

    open_world(&w, program_record(&program, 31, 1), false, true);
    diff_blocks_count(&b, &w.of);
    ck_assert_uint_eq(b.blocks, 0);
    ck_assert(b.variance[0] == 0 && b.variance[w.of.units] == 0);
    diff_blocks_release(&b);
    close_world(&w);
}

/* Without units the length is chosen by all samples. */
TEST(all_samples_vary_by_themselves)
{
    static const struct {
        unsigned fast; /* samples in a row that come nine times as fast */
        unsigned blocks;
    } rates[] = {{1, 256}, {20, 64}, {400, 16}};
    struct program program = program_new(5, 1);

    for (size_t k = 0; k < COUNT(rates); k++) {
        int64_t now = 0;
        struct world w;

        open_world(&w, program_record(&program, 2100, 3), false, false);
        diff_places_release(&w.places);
        w.places = (struct diff_places){0};
        diff_places_of_none(&w.places, &w.input);
        w.of.units = 0;
        w.grain[0] = 1.5;
        for (size_t i = 0; i < w.p->samples.len; i++) {
            w.p->samples.time[i] = now;
            now += i / rates[k].fast % 2 ? 9000 : 1000;
        }
        check(&w, 256, rates[k].blocks);
        close_world(&w);
    }
}
