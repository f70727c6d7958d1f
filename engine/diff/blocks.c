#include "engine/diff/blocks.h"

#include <string.h>

struct block_entry {
    uint64_t count;
    uint32_t unit;
};

struct block_counts {
    double total[BLOCKS_MOST];       /* by block: of all samples */
    size_t ends[BLOCKS_MOST];        /* by block: behind its last entry */
    VEC(struct block_entry) entries; /* in order of blocks */
};

struct counting {
    const struct diff_input *input;
    const struct diff_places *places;
    struct block_counts *to;
    size_t units;
    uint64_t *count;       /* by unit, in this block */
    VEC(uint32_t) touched; /* units with a count */
    uint64_t *below;       /* by stack; inclusive counts only */
    uint64_t *marks;       /* a bit for each stack with such a count */
    uint32_t highest;      /* of them */
    uint32_t next;         /* block without an end yet */
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

/* Ends all blocks before this one. */
static void end_blocks(struct counting *c, uint32_t block)
{
    while (c->next < block)
        c->to->ends[c->next++] = c->to->entries.len;
}

static void end_block(struct counting *c, uint32_t block)
{
    if (c->below)
        spread(c);
    end_blocks(c, block);
    for (size_t i = 0; i < c->touched.len; i++) {
        uint32_t unit = c->touched.data[i];

        *vec_add(&c->to->entries) =
            (struct block_entry){.unit = unit, .count = c->count[unit]};
        c->count[unit] = 0;
    }
    c->touched.len = 0;
    end_blocks(c, block + 1);
}

/* Tells in which block between the first and the last sample another one lies.
 */
struct ruler {
    uint64_t first, span; /* of time or of samples */
    unsigned blocks;
    bool by_time;
};

static uint64_t block_counts_rows(const struct diff_input *input)
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

static void count_samples(struct counting *c, const struct ruler *r)
{
    const struct profile *p = c->input->p;
    const struct samples *s = &p->samples;
    uint64_t before = 0;
    uint32_t block = 0;

    for (size_t i = 0; i < s->len; i++) {
        uint64_t weight = sample_weight(p, i);
        uint32_t at, stack = diff_places_key(c->places, i);

        if (!selection_has(p, c->input->sel, i))
            continue;
        at = block_at(r, s->time[i], before++);
        if (at != block) {
            end_block(c, block);
            block = at;
        }
        if (c->below)
            mark(c, stack, weight);
        else if (c->units)
            add(c, stack, weight);
        c->to->total[block] += (double)weight;
    }
    end_block(c, block);
}

static void block_counts_take(struct block_counts *counts,
                       const struct diff_blocks_of *of, uint64_t rows,
                       unsigned blocks)
{
    struct ruler ruler = ruler_of(of->input, !of->shares, rows, blocks);
    size_t stacks = of->input->p->stacks.len;
    struct counting c = {.input = of->input,
                         .places = of->places,
                         .to = counts,
                         .units = of->units};

    c.count = mem_new(of->units, sizeof(*c.count));
    if (of->places->below) {
        c.below = mem_new(stacks, sizeof(*c.below));
        c.marks = mem_new(stacks / 64 + 1, sizeof(*c.marks));
    }
    count_samples(&c, &ruler);
    end_blocks(&c, blocks);
    free(c.below);
    free(c.marks);
    free(c.count);
    vec_release(&c.touched);
}

/*
 * Differences between neighbouring blocks, squared and added up by unit. For
 * shares, subtract the unit's share of the difference of all samples, which is
 * almost 0 unless samples have weights:
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

/* The factor by which all units together vary more than independent samples;
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

/* Counts that the recorder added up have no times, and no order either. */
static bool has_times(const struct diff_input *input)
{
    const struct samples *s = &input->p->samples;

    return s->len && s->time[0] != s->time[s->len - 1] &&
           !(s->weight && input->p->trace.adds_up);
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
    s.blocks = has_times(of->input) ? most_blocks(s.rows) : 0;
    if (!s.blocks)
        return;
    block_counts_take(&counts, of, s.rows, s.blocks);
    estimate(&s, b);
    vec_release(&counts.entries);
}

void diff_blocks_release(struct diff_blocks *b)
{
    free(b->variance);
}
