#include "engine/analysis/over_time.h"

#include <string.h>

int64_t over_time_start(const struct over_time *t, size_t bucket)
{
    uint64_t length = (uint64_t)(t->to - t->from), n = t->buckets;

    return t->from + (int64_t)(length / n * bucket + length % n * bucket / n);
}

/* A time that has a next one. */
static int64_t not_last(int64_t time)
{
    return time < INT64_MAX ? time : INT64_MAX - 1;
}

/* The end of what is open is that of the samples. */
static void find_span(struct over_time *t, const struct profile *p,
                      const struct selection *sel)
{
    const struct filter *f = &sel->filter;
    int64_t end = not_last(profile_end(p));

    t->from = f->has_time && f->from > 0 ? not_last(f->from) : 0;
    t->to = f->has_time && f->to <= end ? f->to : end + 1;
    if (t->to <= t->from)
        t->to = t->from + 1;
}

static size_t bucket_of(const struct over_time *t, size_t bucket, int64_t time)
{
    while (bucket + 1 < t->buckets && time >= over_time_start(t, bucket + 1))
        bucket++;
    return bucket;
}

/* ---- code ---- */

/* One bucket after the other, stack by stack: only those that were sampled in
 * it are gone along, so that many short buckets cost no more than a few. */
struct counting {
    struct over_time *t;
    const struct profile *p;
    uint32_t *row_of_frame;    /* NO_ID: not shown */
    uint32_t *row_of_location; /* see aggregate_by_location */
    uint64_t *samples;         /* by stack, in this bucket */
    VEC(uint32_t) stacks;      /* that have some */
    uint64_t *last;            /* by row: the way that led there last */
    uint64_t way;              /* from a stack to the root; the first is 1 */
    size_t bucket;
};

/* Rows take the place of their groups; groups that are not shown have none. */
static void rows_of_frames(struct aggregate *groups, const struct profile *p,
                           const struct ranking *r, size_t rows)
{
    size_t n = groups->first.len;
    uint32_t *row_of = mem_new(n, sizeof(*row_of));

    memset(row_of, 0xFF, n * sizeof(*row_of));
    for (uint32_t i = 0; i < rows; i++)
        row_of[r->rows[i].group] = i;
    for (size_t i = 0; i < p->frames.len; i++)
        if (groups->of_frame[i] != NO_ID)
            groups->of_frame[i] = row_of[groups->of_frame[i]];
    free(row_of);
}

/* Once a way, however often it leads there. */
static inline void meet_row(struct counting *c, uint32_t row, uint64_t samples)
{
    if (row == NO_ID || c->last[row] == c->way)
        return;
    c->last[row] = c->way;
    c->t->inclusive[row * c->t->buckets + c->bucket] += samples;
}

static void meet_rows(struct counting *c, uint32_t location, uint64_t samples)
{
    uint32_t end = c->p->frame_start.data[location + 1];

    for (uint32_t i = c->p->frame_start.data[location]; i < end; i++)
        meet_row(c, c->row_of_frame[i], samples);
}

static void count_inclusive(struct counting *c, uint32_t stack,
                            uint64_t samples)
{
    const struct stack *stacks = c->p->stacks.data;

    c->way++;
    for (; stack; stack = stacks[stack].parent) {
        uint32_t location = stacks[stack].location;
        uint32_t row = c->row_of_location[location];

        if (row == AGGREGATE_SEVERAL)
            meet_rows(c, location, samples);
        else
            meet_row(c, row, samples);
    }
}

/* The stack without frames is nobody's. */
static void count_stack(struct counting *c, uint32_t stack, uint64_t samples)
{
    uint32_t location = c->p->stacks.data[stack].location, row;

    if (!stack)
        return;
    row = c->row_of_frame[c->p->frame_start.data[location]];
    if (row != NO_ID)
        c->t->exclusive[row * c->t->buckets + c->bucket] += samples;
    if (!c->t->exclusive_only)
        count_inclusive(c, stack, samples);
}

enum { AHEAD = 16 }; /* samples */

static void end_bucket(struct counting *c)
{
    while (c->stacks.len) {
        uint32_t stack = c->stacks.data[--c->stacks.len];

        if (c->stacks.len > STACKS_SOON)
            stacks_fetch(&c->p->stacks,
                         c->stacks.data[c->stacks.len - STACKS_SOON]);
        count_stack(c, stack, c->samples[stack]);
        c->samples[stack] = 0;
    }
}

/* Samples are in order of time. */
static void count_samples(struct counting *c, const struct selection *sel)
{
    const struct samples *s = &c->p->samples;

    for (size_t i = 0; i < s->len; i++) {
        uint64_t weight = sample_weight(c->p, i);
        uint32_t stack = s->stack[i];
        size_t bucket;

        if (i + AHEAD < s->len)
            mem_fetch(&c->samples[s->stack[i + AHEAD]]);
        if (!selection_has(c->p, sel, i))
            continue;
        bucket = bucket_of(c->t, c->bucket, s->time[i]);
        if (bucket != c->bucket)
            end_bucket(c);
        c->bucket = bucket;
        if (!c->samples[stack])
            *vec_add(&c->stacks) = stack;
        c->samples[stack] += weight;
        c->t->all[bucket] += weight;
    }
    end_bucket(c);
}

static void count_code(struct over_time *t, const struct profile *p,
                       const struct selection *sel, const struct ranking *r,
                       enum rank_by by, size_t rows)
{
    struct counting c = {.t = t, .p = p};
    struct aggregate groups = {0};

    aggregate_group(&groups, p, by);
    rows_of_frames(&groups, p, r, rows);
    c.row_of_frame = groups.of_frame;
    c.row_of_location = aggregate_by_location(p, groups.of_frame);
    c.samples = mem_new(p->stacks.len, sizeof(*c.samples));
    c.last = mem_new(rows, sizeof(*c.last));
    count_samples(&c, sel);
    free(c.last);
    free(c.samples);
    free(c.row_of_location);
    vec_release(&c.stacks);
    aggregate_release(&groups);
}

/* ---- processes and threads ---- */

static void count_lives(struct over_time *t, const struct profile *p,
                        const struct selection *sel, const struct ranking *r,
                        enum rank_by by, size_t rows)
{
    struct map ids = {0};
    size_t bucket = 0;

    for (uint32_t i = 0; i < rows; i++)
        map_add(&ids, r->rows[i].id, 0, i);
    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t thread = p->samples.thread[i], row;
        uint64_t weight = sample_weight(p, i);

        if (!selection_has(p, sel, i))
            continue;
        bucket = bucket_of(t, bucket, p->samples.time[i]);
        t->all[bucket] += weight;
        row = map_get(
            &ids, by == RANK_THREAD ? thread : p->threads.data[thread].process,
            0);
        if (row == MAP_NONE)
            continue;
        t->exclusive[row * t->buckets + bucket] += weight;
        t->inclusive[row * t->buckets + bucket] += weight;
    }
    map_release(&ids);
}

void over_time_count(struct over_time *t, const struct profile *p,
                     const struct selection *sel, const struct ranking *r,
                     enum rank_by by, size_t rows)
{
    find_span(t, p, sel);
    t->exclusive = mem_new(rows * t->buckets, sizeof(uint64_t));
    t->inclusive = mem_new(rows * t->buckets, sizeof(uint64_t));
    t->all = mem_new(t->buckets, sizeof(uint64_t));
    if (by == RANK_PROCESS || by == RANK_THREAD)
        count_lives(t, p, sel, r, by, rows);
    else
        count_code(t, p, sel, r, by, rows);
}

void over_time_release(struct over_time *t)
{
    free(t->exclusive);
    free(t->inclusive);
    free(t->all);
}
