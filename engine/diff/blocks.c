#include "engine/diff/blocks.h"

#include <string.h>

/* Samples of a unit in one of the smallest blocks. */
struct entry {
    uint32_t unit, block;
    uint64_t count;
};

struct counting {
    const struct diff_input *input;
    const struct diff_places *places;
    size_t units;
    double total[BLOCKS_MOST]; /* by block: of all samples */
    VEC(struct entry) entries; /* in order of blocks */
    uint64_t *count;           /* by unit, in this block */
    VEC(uint32_t) touched;     /* units with a count */
    uint64_t *below;           /* by stack; inclusive counts only */
    uint64_t *marks;           /* a bit for each stack with such a count */
    uint32_t highest;          /* of them */
};

/* To the units of a stack. */
static void add(struct counting *c, size_t stack, uint64_t samples)
{
    size_t n;
    const uint32_t *units = diff_places_at(c->places, stack, &n);

    for (size_t i = 0; i < n; i++) {
        if (!c->count[units[i]])
            *vec_add(&c->touched) = units[i];
        c->count[units[i]] += samples;
    }
}

static void mark(struct counting *c, uint32_t stack, uint64_t n)
{
    c->below[stack] += n;
    c->marks[stack / 64] |= UINT64_C(1) << stack % 64;
    if (stack > c->highest)
        c->highest = stack;
}

/* Parents have smaller ids: from the highest down every stack is complete
 * when its turn comes. */
static void spread(struct counting *c)
{
    const struct profile *p = c->input->p;

    for (size_t word = c->highest / 64 + 1; word-- > 0;) {
        while (c->marks[word]) {
            unsigned bit = 63 - (unsigned)__builtin_clzll(c->marks[word]);
            size_t stack = word * 64 + bit;
            uint32_t parent = p->stacks.data[stack].parent;

            c->marks[word] &= ~(UINT64_C(1) << bit);
            add(c, stack, c->below[stack]);
            if (parent)
                mark(c, parent, c->below[stack]);
            c->below[stack] = 0;
        }
    }
    c->highest = 0;
}

static void end_block(struct counting *c, uint32_t block)
{
    if (c->below)
        spread(c);
    for (size_t i = 0; i < c->touched.len; i++) {
        uint32_t unit = c->touched.data[i];

        *vec_add(&c->entries) = (struct entry){unit, block, c->count[unit]};
        c->count[unit] = 0;
    }
    c->touched.len = 0;
}

/* Where a sample lies between the first and the last, as a block. */
struct ruler {
    uint64_t first, span; /* of time or of samples */
    unsigned blocks;
    bool by_time;
};

/* Samples that are selected, whatever they weigh. */
static uint64_t rows_of(const struct diff_input *input)
{
    uint64_t rows = 0;

    if (!input->p->samples.weight)
        return input->sel->samples;
    for (size_t i = 0; i < input->p->samples.len; i++)
        rows += selection_has(input->p, input->sel, i);
    return rows;
}

static uint32_t block_at(const struct ruler *r, int64_t time, uint64_t before)
{
    uint64_t at = r->by_time ? (uint64_t)time - r->first : before;

    return (uint32_t)((double)at / (double)r->span * r->blocks);
}

static struct ruler ruler_of(const struct diff_input *input, bool by_time,
                             uint64_t rows, unsigned blocks)
{
    const struct samples *s = &input->p->samples;
    struct ruler r = {0, rows, blocks, by_time};
    size_t i = 0, j = s->len;

    if (!by_time)
        return r;
    while (i < s->len && !selection_has(input->p, input->sel, i))
        i++;
    while (j > i && !selection_has(input->p, input->sel, j - 1))
        j--;
    r.first = j > i ? (uint64_t)s->time[i] : 0;
    r.span = j > i ? (uint64_t)s->time[j - 1] - r.first + 1 : 1;
    return r;
}

/* Below this no sample is of a later block than `block`: by what they are told
 * apart, less than what rounding could add. */
static uint64_t safe_until(const struct ruler *r, uint32_t block)
{
    double end = ((double)block + 1) * (double)r->span / r->blocks;

    return end > 2 ? (uint64_t)(end * (1 - 1e-9)) - 1 : 0;
}

static void count_samples(struct counting *c, const struct ruler *r)
{
    const struct profile *p = c->input->p;
    const struct samples *s = &p->samples;
    bool all = !s->weight && c->input->sel->samples == s->len;
    uint64_t before = 0, until = safe_until(r, 0);
    uint32_t block = 0;

    for (size_t i = 0; i < s->len; i++) {
        uint32_t weight, at, stack;

        if (!all && !selection_has(p, c->input->sel, i))
            continue;
        stack = diff_places_key(c->places, i);
        weight = sample_weight(p, i);
        if ((r->by_time ? (uint64_t)s->time[i] - r->first : before) >= until) {
            at = block_at(r, s->time[i], before);
            if (at != block) {
                end_block(c, block);
                block = at;
                until = safe_until(r, block);
            }
        }
        if (c->below)
            mark(c, stack, weight);
        else if (c->units)
            add(c, stack, weight);
        c->total[block] += weight;
        before++;
    }
    end_block(c, block);
}

/*
 * Differences between neighbouring blocks, squared and added up by unit. Of
 * shares they are differences less the unit's share of what all samples
 * differ by, which is next to nothing unless samples have weights:
 *
 *     (du - s dT)^2 = du (du - 2 s dT) + s^2 dT^2
 */
struct squares {
    const struct counting *c;
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
        const struct entry *e = &s->c->entries.data[i];

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
    struct counting c = {
        .input = of->input, .places = of->places, .units = of->units};
    struct squares s = {.c = &c, .of = of, .rows = rows_of(of->input)};
    size_t stacks = of->input->p->stacks.len;
    struct ruler ruler;

    *b = (struct diff_blocks){0};
    b->variance = mem_new(of->units + 1, sizeof(*b->variance));
    s.blocks = most_blocks(s.rows);
    if (!s.blocks)
        return;
    ruler = ruler_of(of->input, !of->shares, s.rows, s.blocks);
    c.count = s.count = mem_new(of->units, sizeof(*c.count));
    if (of->places->below) {
        c.below = mem_new(stacks, sizeof(*c.below));
        c.marks = mem_new(stacks / 64 + 1, sizeof(*c.marks));
    }
    count_samples(&c, &ruler);
    estimate(&s, b);
    free(c.below);
    free(c.marks);
    free(c.count);
    vec_release(&c.entries);
    vec_release(&c.touched);
}

void diff_blocks_release(struct diff_blocks *b)
{
    free(b->variance);
}
