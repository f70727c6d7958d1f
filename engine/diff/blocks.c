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
struct varying {
    double sum, share;
    uint64_t count, last_count; /* in this block, and in the last one with it */
    uint32_t last_block;        /* that one, + 1; 0: none yet */
};

struct squares {
    const struct block_counts *c;
    const struct diff_blocks_of *of;
    uint64_t rows; /* samples, whatever their weight */
    struct varying *units;
    double whole;          /* what a unit's sum is of all samples */
    VEC(uint32_t) touched; /* units with a count */
    uint32_t blocks;
    double drift[BLOCKS_MOST]; /* by block: dT, from the one before */
};

/* The unit's count changed by this much from the block before. */
static void differ(const struct squares *s, struct varying *u, uint32_t block,
                   double change)
{
    u->sum += change * (change - 2 * u->share * s->drift[block]);
}

static void step(const struct squares *s, struct varying *u, uint32_t block)
{
    double now = (double)u->count, last = (double)u->last_count;
    uint32_t met = u->last_block;

    if (met && met < block) {
        differ(s, u, met, -last);
        last = 0;
    }
    if (block)
        differ(s, u, block, met ? now - last : now);
    u->last_block = block + 1;
    u->last_count = u->count;
    u->count = 0;
}

static void step_all(struct squares *s, uint32_t block)
{
    for (size_t i = 0; i < s->touched.len; i++)
        step(s, &s->units[s->touched.data[i]], block);
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
        struct varying *u = &s->units[i];

        if (u->last_block && u->last_block < s->blocks)
            differ(s, u, u->last_block, -(double)u->last_count);
        u->sum += u->share * u->share * drifts;
    }
    s->whole = drifts;
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
    size_t i = 0;

    for (size_t u = 0; u < s->of->units; u++)
        s->units[u].sum = s->units[u].last_block = 0;
    add_drift(s, shift);
    for (uint32_t block = 0; block < s->blocks; block++) {
        for (; i < s->c->ends[((block + 1) << shift) - 1]; i++) {
            const struct block_entry *e = &s->c->entries.data[i];

            if (!s->units[e->unit].count)
                *vec_add(&s->touched) = e->unit;
            s->units[e->unit].count += e->count;
        }
        step_all(s, block);
    }
    step_out(s);
}

/* By what factor all units together vary more than independent samples;
 * without any, all samples. */
static double excess(const struct squares *s)
{
    double total = (double)s->of->input->sel->samples;
    double seen = 0, independent = 0;

    if (!s->of->units) {
        seen = s->whole / 2;
        independent = s->of->grain[0] * total;
    }
    for (size_t i = 0; i < s->of->units; i++) {
        double n = (double)s->of->counts[i];

        seen += s->units[i].sum / 2;
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
    const struct diff_blocks_of *of = s->of;
    double scale, n;

    s->units = mem_new(of->units, sizeof(*s->units));
    for (size_t i = 0; of->shares && i < of->units; i++)
        s->units[i].share =
            (double)of->counts[i] / (double)of->input->sel->samples;
    choose_length(s);
    b->blocks = s->blocks;
    n = b->blocks;
    scale = n / (n - 1) / 2;
    for (size_t i = 0; i < of->units; i++)
        b->variance[i] = s->units[i].sum * scale;
    b->variance[of->units] = s->whole * scale;
    b->df = 2 * (n - 1) * (n - 1) / (3 * n - 4);
    free(s->units);
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
    estimate(&s, b);
    block_counts_release(&counts);
}

void diff_blocks_release(struct diff_blocks *b)
{
    free(b->variance);
}
