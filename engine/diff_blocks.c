#include "engine/diff_blocks.h"

#include <string.h>

/* Samples of a unit in one of the smallest blocks. */
struct entry {
    uint32_t unit, block;
    uint64_t count;
};

struct counting {
    const struct diff_input *input;
    const struct diff_places *places;
    VEC(struct entry) entries; /* in order of blocks */
    uint64_t *count;           /* by unit, in this block */
    VEC(uint32_t) touched;     /* units with a count */
    uint64_t *below;           /* by stack; inclusive counts only */
    uint64_t *marks;           /* a bit for each stack with such a count */
    uint32_t highest;          /* of them */
};

static void add(struct counting *c, uint32_t unit, uint64_t n)
{
    if (!c->count[unit])
        *vec_add(&c->touched) = unit;
    c->count[unit] += n;
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
            for (uint32_t i = c->places->start[stack];
                 i < c->places->start[stack + 1]; i++)
                add(c, c->places->units.data[i], c->below[stack]);
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

static uint32_t block_at(const struct ruler *r, int64_t time, uint64_t before)
{
    uint64_t at = r->by_time ? (uint64_t)time - r->first : before;

    return (uint32_t)((double)at / (double)r->span * r->blocks);
}

static struct ruler ruler_of(const struct diff_input *input, bool by_time,
                             unsigned blocks)
{
    const struct samples *s = &input->p->samples;
    struct ruler r = {0, input->sel->samples, blocks, by_time};
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
    uint64_t before = 0;
    uint32_t block = 0;

    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t weight, stack = p->samples.stack[i], at;

        if (!selection_has(p, c->input->sel, i))
            continue;
        weight = sample_weight(p, i);
        at = block_at(r, p->samples.time[i], before);
        if (at != block) {
            end_block(c, block);
            block = at;
        }
        if (c->below)
            mark(c, stack, weight);
        else
            add(c, c->places->units.data[c->places->start[stack]], weight);
        before += weight;
    }
    end_block(c, block);
}

/* Differences between neighbouring blocks, squared and added up by unit. */
struct squares {
    const struct counting *c;
    double *sum;           /* by unit */
    uint32_t *last_block;  /* by unit, where it was met last; + 1 */
    uint64_t *last_count;  /* by unit, there */
    uint64_t *count;       /* by unit, in this block */
    VEC(uint32_t) touched;
    uint32_t blocks;
};

static void step(struct squares *s, uint32_t unit, uint32_t block)
{
    double now = (double)s->count[unit], last = (double)s->last_count[unit];
    uint32_t met = s->last_block[unit];

    if (met && met == block)
        s->sum[unit] += (now - last) * (now - last);
    else
        s->sum[unit] += (met ? last * last : 0) + (block ? now * now : 0);
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

/* The last falls: to blocks without the unit. */
static void step_out(struct squares *s, size_t units)
{
    for (size_t i = 0; i < units; i++) {
        double last = (double)s->last_count[i];

        if (s->last_block[i] && s->last_block[i] < s->blocks)
            s->sum[i] += last * last;
    }
}

static void add_squares(struct squares *s, unsigned shift, size_t units)
{
    uint32_t block = 0;

    memset(s->sum, 0, units * sizeof(*s->sum));
    memset(s->last_block, 0, units * sizeof(*s->last_block));
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
    step_out(s, units);
}

/* By what factor all units together vary more than independent samples. */
static double excess(const struct squares *s, const struct diff_blocks *b,
                     size_t units)
{
    double seen = 0, independent = 0, total = (double)b->total;

    for (size_t i = 0; i < units; i++) {
        double n = (double)b->counts[i];

        seen += s->sum[i] / 2;
        independent += n * (1 - n / total);
    }
    return independent > 0 ? seen * s->blocks / (s->blocks - 1) / independent
                           : 1;
}

/* Doubles the blocks until they are long enough. */
static void choose_length(struct squares *s, struct diff_blocks *b,
                          size_t units)
{
    double total = (double)b->total;
    unsigned shift = 0;

    for (;; shift++, s->blocks /= 2) {
        double length = total / s->blocks, factor;

        add_squares(s, shift, units);
        factor = excess(s, b, units);
        if (s->blocks <= BLOCKS_LEAST ||
            length * length * length > 2 * total * factor * factor)
            break;
    }
    b->blocks = s->blocks;
}

/* The variance of von Neumann's estimate is (3B - 4) / (B - 1)^2 for normal
 * counts, as that of a chi-squared with this many degrees of freedom. */
static void estimate(struct counting *c, struct diff_blocks *b, size_t units,
                     unsigned blocks)
{
    struct squares s = {.c = c, .count = c->count, .blocks = blocks};
    double scale, n;

    s.sum = b->variance;
    s.last_block = mem_new(units, sizeof(*s.last_block));
    s.last_count = mem_new(units, sizeof(*s.last_count));
    choose_length(&s, b, units);
    n = b->blocks;
    scale = n / (n - 1) / 2;
    for (size_t i = 0; i < units; i++)
        b->variance[i] *= scale;
    b->df = 2 * (n - 1) * (n - 1) / (3 * n - 4);
    free(s.last_block);
    free(s.last_count);
    vec_release(&s.touched);
}

static unsigned most_blocks(uint64_t samples)
{
    unsigned blocks = BLOCKS_MOST;

    while (blocks > BLOCKS_LEAST && samples / blocks < 8)
        blocks /= 2;
    return samples / blocks < 2 ? 0 : blocks;
}

void diff_blocks_count(struct diff_blocks *b, const struct diff_input *input,
                       const struct diff_places *places, size_t units,
                       bool by_time)
{
    struct counting c = {.input = input, .places = places};
    unsigned blocks = most_blocks(input->sel->samples);
    struct ruler ruler = ruler_of(input, by_time, blocks ? blocks : 1);
    size_t stacks = input->p->stacks.len;

    *b = (struct diff_blocks){.total = input->sel->samples};
    b->counts = mem_new(units, sizeof(*b->counts));
    b->variance = mem_new(units, sizeof(*b->variance));
    c.count = mem_new(units, sizeof(*c.count));
    if (places->below) {
        c.below = mem_new(stacks, sizeof(*c.below));
        c.marks = mem_new(stacks / 64 + 1, sizeof(*c.marks));
    }
    count_samples(&c, &ruler);
    for (size_t i = 0; i < c.entries.len; i++)
        b->counts[c.entries.data[i].unit] += c.entries.data[i].count;
    if (blocks)
        estimate(&c, b, units, blocks);
    free(c.below);
    free(c.marks);
    free(c.count);
    vec_release(&c.entries);
    vec_release(&c.touched);
}

void diff_blocks_release(struct diff_blocks *b)
{
    free(b->counts);
    free(b->variance);
}
