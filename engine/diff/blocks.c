#include "engine/diff/blocks.h"

#include <string.h>

#include "engine/diff/block_counts.h"

/*
 * Differences between neighbouring blocks, squared and added up by unit. Of
 * shares they are differences less the unit's share of what all samples
 * differ by, which is next to nothing unless samples have weights:
 *
 *     (du - s dT)^2 = du (du - 2 s dT) + s^2 dT^2
 */
struct squares {
    const struct block_counts *c;
    const struct diff_blocks_of *of;
    uint64_t rows;         /* samples, whatever their weight */
    double *sum;           /* by unit */
    uint32_t *last_block;  /* by unit, where it was met last; + 1 */
    uint64_t *last_count;  /* by unit, there */
    uint64_t *count;       /* by unit, in this block */
    VEC(uint32_t) touched;
    uint32_t blocks;
    double drift[BLOCKS_MOST]; /* by block: dT, from the one before */
};

static double share_of(const struct squares *s, size_t unit)
{
    return s->of->shares ? (double)s->of->counts[unit] /
                               (double)s->of->input->sel->samples
                         : 0;
}

/* The unit's count changed by this much from the block before. */
static void differ(struct squares *s, size_t unit, uint32_t block,
                   double change)
{
    s->sum[unit] +=
        change * (change - 2 * share_of(s, unit) * s->drift[block]);
}

static void step(struct squares *s, uint32_t unit, uint32_t block)
{
    double now = (double)s->count[unit], last = (double)s->last_count[unit];
    uint32_t met = s->last_block[unit];

    if (met && met < block) {
        differ(s, unit, met, -last);
        last = 0;
    }
    if (block)
        differ(s, unit, block, met ? now - last : now);
    s->last_block[unit] = block + 1;
    s->last_count[unit] = s->count[unit];
    s->count[unit] = 0;
}

static void step_all(struct squares *s, uint32_t block)
{
    for (size_t i = 0; i < s->touched.len; i++)
        step(s, s->touched.data[i], block);
    s->touched.len = 0;
}

/* The last falls, to blocks without the unit, and what is the same for all
 * differences of a unit. */
static void step_out(struct squares *s)
{
    double drifts = 0;

    for (uint32_t b = 1; b < s->blocks; b++)
        drifts += s->drift[b] * s->drift[b];
    for (size_t i = 0; i < s->of->units; i++) {
        double share = share_of(s, i);

        if (s->last_block[i] && s->last_block[i] < s->blocks)
            differ(s, i, s->last_block[i], -(double)s->last_count[i]);
        s->sum[i] += share * share * drifts;
    }
    s->sum[s->of->units] = drifts;
}

static void add_drift(struct squares *s, unsigned shift)
{
    uint32_t smallest = s->blocks << shift;

    memset(s->drift, 0, sizeof(s->drift));
    for (uint32_t b = 0; b < smallest; b++) {
        s->drift[b >> shift] += s->c->total[b];
        if ((b >> shift) + 1 < s->blocks)
            s->drift[(b >> shift) + 1] -= s->c->total[b];
    }
}

static void add_squares(struct squares *s, unsigned shift)
{
    uint32_t block = 0;

    memset(s->sum, 0, s->of->units * sizeof(*s->sum));
    memset(s->last_block, 0, s->of->units * sizeof(*s->last_block));
    add_drift(s, shift);
    for (size_t i = 0; i < s->c->entries.len; i++) {
        const struct block_entry *e = &s->c->entries.data[i];

        if (e->block >> shift != block) {
            step_all(s, block);
            block = e->block >> shift;
        }
        if (!s->count[e->unit])
            *vec_add(&s->touched) = e->unit;
        s->count[e->unit] += e->count;
    }
    step_all(s, block);
    step_out(s);
}

/* By what factor all units together vary more than independent samples;
 * without any, all samples. */
static double excess(const struct squares *s)
{
    double total = (double)s->of->input->sel->samples;
    double seen = 0, independent = 0;

    if (!s->of->units) {
        seen = s->sum[0] / 2;
        independent = s->of->grain[0] * total;
    }
    for (size_t i = 0; i < s->of->units; i++) {
        double n = (double)s->of->counts[i];

        seen += s->sum[i] / 2;
        independent += s->of->grain[i] * n * (1 - n / total);
    }
    return independent > 0 ? seen * s->blocks / (s->blocks - 1) / independent
                           : 1;
}

/* Doubles the blocks until they are long enough. */
static void choose_length(struct squares *s)
{
    double rows = (double)s->rows;
    unsigned shift = 0;

    for (;; shift++, s->blocks /= 2) {
        double length = rows / s->blocks, factor;

        add_squares(s, shift);
        factor = excess(s);
        if (s->blocks <= BLOCKS_LEAST ||
            length * length * length > 2 * rows * factor * factor)
            break;
    }
}

/* The variance of von Neumann's estimate is (3B - 4) / (B - 1)^2 for normal
 * counts, as that of a chi-squared with this many degrees of freedom. */
static void estimate(struct squares *s, struct diff_blocks *b)
{
    double scale, n;

    s->sum = b->variance;
    s->last_block = mem_new(s->of->units, sizeof(*s->last_block));
    s->last_count = mem_new(s->of->units, sizeof(*s->last_count));
    choose_length(s);
    b->blocks = s->blocks;
    n = b->blocks;
    scale = n / (n - 1) / 2;
    for (size_t i = 0; i <= s->of->units; i++)
        b->variance[i] *= scale;
    b->df = 2 * (n - 1) * (n - 1) / (3 * n - 4);
    free(s->last_block);
    free(s->last_count);
    vec_release(&s->touched);
}

static unsigned most_blocks(uint64_t rows)
{
    unsigned blocks = BLOCKS_MOST;

    while (blocks > BLOCKS_LEAST && rows / blocks < 8)
        blocks /= 2;
    return rows / blocks < 2 ? 0 : blocks;
}

void diff_blocks_count(struct diff_blocks *b, const struct diff_blocks_of *of)
{
    struct block_counts counts = {.entries = {0}};
    struct squares s = {
        .c = &counts, .of = of, .rows = block_counts_rows(of->input)};

    *b = (struct diff_blocks){0};
    b->variance = mem_new(of->units + 1, sizeof(*b->variance));
    s.blocks = most_blocks(s.rows);
    if (!s.blocks)
        return;
    block_counts_take(&counts, of, s.rows, s.blocks);
    s.count = mem_new(of->units, sizeof(*s.count));
    estimate(&s, b);
    free(s.count);
    block_counts_release(&counts);
}

void diff_blocks_release(struct diff_blocks *b)
{
    free(b->variance);
}
