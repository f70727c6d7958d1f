#include "engine/analysis/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/model/thread_states.h"

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

/* A row counts once for each way to the root, however often it is on it. */
static void count_inclusive(struct counting *c, uint32_t stack,
                            uint64_t samples)
{
    const struct stack *stacks = c->p->stacks.data;

    c->way++;
    for (; stack; stack = stacks[stack].parent) {
        uint32_t location = stacks[stack].location;
        uint32_t end = c->p->frame_start.data[location + 1];

        for (uint32_t i = c->p->frame_start.data[location]; i < end; i++) {
            uint32_t row = c->row_of_frame[i];

            if (row == NO_ID || c->last[row] == c->way)
                continue;
            c->last[row] = c->way;
            c->t->inclusive[row * c->t->buckets + c->bucket] += samples;
        }
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

static void end_bucket(struct counting *c)
{
    while (c->stacks.len) {
        uint32_t stack = c->stacks.data[--c->stacks.len];

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
    c.samples = mem_new(p->stacks.len, sizeof(*c.samples));
    c.last = mem_new(rows, sizeof(*c.last));
    count_samples(&c, sel);
    free(c.last);
    free(c.samples);
    vec_release(&c.stacks);
    aggregate_release(&groups);
}

/* ---- processes, threads, waits and values ---- */

/* The id of the row that a sample is in. */
static uint32_t row_id(const struct profile *p, enum rank_by by, size_t sample)
{
    const struct samples *s = &p->samples;

    switch (by) {
    case RANK_THREAD:
        return s->thread[sample];
    case RANK_PROCESS:
        return p->threads.data[s->thread[sample]].process;
    case RANK_WAIT:
        return sample_wait(s->flags[sample]);
    default:
        return s->value ? s->value[sample] : 0;
    }
}

/* The row may be MAP_NONE. Samples behind the end go to the last bucket. */
static void count_life(struct over_time *t, const struct profile *p,
                       size_t sample, uint32_t row, size_t bucket)
{
    uint64_t left = sample_weight(p, sample);
    unsigned wait = sample_wait(p->samples.flags[sample]);
    enum thread_state state = thread_wait_at(wait).state;
    int64_t from = p->samples.time[sample];

    for (; left; bucket++) {
        uint64_t part = left;

        if (wait && bucket + 1 < t->buckets) {
            int64_t next = over_time_start(t, bucket + 1);

            if ((uint64_t)next - (uint64_t)from < left)
                part = (uint64_t)next - (uint64_t)from;
            from = next;
        }
        left -= part;
        t->all[bucket] += part;
        if (row == MAP_NONE)
            continue;
        t->exclusive[row * t->buckets + bucket] += part;
        t->inclusive[row * t->buckets + bucket] += part;
        if (t->states)
            t->states[(row * THREAD_STATES + state) * t->buckets + bucket] +=
                part;
    }
}

static void count_lives(struct over_time *t, const struct profile *p,
                        const struct selection *sel, const struct ranking *r,
                        enum rank_by by, size_t rows)
{
    struct map ids = {0};
    size_t bucket = 0;

    for (uint32_t i = 0; i < rows; i++)
        map_add(&ids, r->rows[i].id, 0, i);
    for (size_t i = 0; i < p->samples.len; i++) {
        if (!selection_has(p, sel, i))
            continue;
        bucket = bucket_of(t, bucket, p->samples.time[i]);
        count_life(t, p, i, map_get(&ids, row_id(p, by, i), 0), bucket);
    }
    map_release(&ids);
}

void over_time_count(struct over_time *t, const struct profile *p,
                     const struct selection *sel, const struct ranking *r,
                     enum rank_by by, size_t rows)
{
    const struct filter *f = &sel->filter;
    int64_t end = not_last(profile_end(p));

    /* The end of what is open is that of the samples. */
    t->from = f->has_time && f->from > 0 ? not_last(f->from) : 0;
    t->to = f->has_time && f->to <= end ? f->to : end + 1;
    if (t->to <= t->from)
        t->to = t->from + 1;
    t->exclusive = mem_new(rows * t->buckets, sizeof(uint64_t));
    t->inclusive = mem_new(rows * t->buckets, sizeof(uint64_t));
    t->all = mem_new(t->buckets, sizeof(uint64_t));
    if (by == RANK_THREAD && samples_have_waits(&p->samples))
        t->states = mem_new(rows * THREAD_STATES * t->buckets,
                            sizeof(uint64_t));
    if (by == RANK_PROCESS || by == RANK_THREAD || by == RANK_WAIT ||
        by == RANK_VALUE)
        count_lives(t, p, sel, r, by, rows);
    else
        count_code(t, p, sel, r, by, rows);
}

void over_time_release(struct over_time *t)
{
    free(t->exclusive);
    free(t->inclusive);
    free(t->all);
    free(t->states);
}

enum { BUCKETS = 128, LEAST_BUCKETS = BUCKETS / 32, LEAST_SAMPLES = 30 };
enum { FUNCTIONS = 24 }; /* by samples; the rest is one more */

static const double LEAST_DIFFERENCE = 0.1;

/* Samples before each moment, by function: those of [a, b) are one
 * difference. */
struct mix {
    uint64_t before[BUCKETS + 1][FUNCTIONS + 1];
    size_t functions;
    double scatter; /* by what factor neighbours differ more than chance */
};

struct part {
    size_t from, to;
};

static uint64_t count_of(const struct mix *m, size_t f, size_t from, size_t to)
{
    return m->before[to][f] - m->before[from][f];
}

static uint64_t total_of(const struct mix *m, size_t from, size_t to)
{
    uint64_t sum = 0;

    for (size_t f = 0; f < m->functions; f++)
        sum += count_of(m, f, from, to);
    return sum;
}

static double entropy(double n, double total)
{
    return n > 0 ? n * log(n / total) : 0;
}

/* Twice the logarithm of how much likelier two mixes are than one. */
static double ratio(const struct mix *m, size_t from, size_t at, size_t to)
{
    double a = (double)total_of(m, from, at), b = (double)total_of(m, at, to);
    double sum = 0;

    if (a <= 0 || b <= 0)
        return 0;
    for (size_t f = 0; f < m->functions; f++) {
        double x = (double)count_of(m, f, from, at);
        double y = (double)count_of(m, f, at, to);

        sum += entropy(x, a) + entropy(y, b) - entropy(x + y, a + b);
    }
    return 2 * sum;
}

/* Part of the samples that would have to be another function's. */
static double difference(const struct mix *m, size_t from, size_t at, size_t to)
{
    double a = (double)total_of(m, from, at), b = (double)total_of(m, at, to);
    double sum = 0;

    for (size_t f = 0; f < m->functions; f++)
        sum += fabs((double)count_of(m, f, from, at) / a -
                    (double)count_of(m, f, at, to) / b);
    return sum / 2;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* By how much two neighbours of this width differ, in the middle of all: of
 * independent samples about 1. A few changes for good do not move it. */
static double scatter_of(const struct mix *m, size_t width)
{
    double all[BUCKETS];
    size_t n = 0;

    for (size_t at = width; at + width <= BUCKETS; at += width) {
        size_t there = 0;

        for (size_t f = 0; f < m->functions; f++)
            there += count_of(m, f, at - width, at + width) > 0;
        if (there > 1)
            all[n++] =
                ratio(m, at - width, at, at + width) / (double)(there - 1);
    }
    if (!n)
        return 1;
    qsort(all, n, sizeof(*all), ascending);
    return all[n / 2];
}

/* Compares short moments and longer ones: functions run in bursts. */
static double find_scatter(const struct mix *m)
{
    double most = 1;

    for (size_t width = 1; width <= BUCKETS / 16; width *= 2) {
        double scatter = scatter_of(m, width);

        if (scatter > most)
            most = scatter;
    }
    return most;
}

/* ---- cuts ---- */

/* A limit that chance rarely reaches anywhere in a trace: the mean of such a
 * ratio, and four and a half times how it varies. */
static bool is_cut(const struct mix *m, size_t from, size_t at, size_t to)
{
    double freedom = (double)m->functions;
    double chance = freedom + 4.5 * sqrt(2 * freedom) + 8;

    return total_of(m, from, at) >= LEAST_SAMPLES &&
           total_of(m, at, to) >= LEAST_SAMPLES &&
           ratio(m, from, at, to) > chance * m->scatter &&
           difference(m, from, at, to) >= LEAST_DIFFERENCE;
}

/* The bucket at which `part` falls into the two most different halves; 0: it
 * is too short to be cut. */
static size_t best_cut(const struct mix *m, const struct part *part,
                       double *gain)
{
    size_t best = 0;

    *gain = 0;
    for (size_t at = part->from + LEAST_BUCKETS; at + LEAST_BUCKETS <= part->to;
         at++) {
        double g = ratio(m, part->from, at, part->to);

        if (g > *gain) {
            *gain = g;
            best = at;
        }
    }
    return best && is_cut(m, part->from, best, part->to) ? best : 0;
}

/* Cuts the part whose cut gains most. False: no cut gains enough. */
static bool cut_once(const struct mix *m, struct part *parts, size_t *n)
{
    size_t which = 0, where = 0;
    double most = 0;

    for (size_t i = 0; i < *n; i++) {
        double gain;
        size_t at = best_cut(m, &parts[i], &gain);

        if (at && gain > most) {
            most = gain;
            which = i;
            where = at;
        }
    }
    if (!where)
        return false;
    for (size_t i = (*n)++; i > which; i--)
        parts[i] = parts[i - 1];
    parts[which].to = where;
    parts[which + 1].from = where;
    return true;
}

/* ---- both ends ---- */

static void fill(struct mix *m, const struct over_time *t, size_t rows)
{
    m->functions = rows + 1;
    for (size_t i = 0; i < BUCKETS; i++) {
        uint64_t rest = t->all[i];

        for (size_t f = 0; f < rows; f++) {
            uint64_t n = t->exclusive[f * BUCKETS + i];

            m->before[i + 1][f] = m->before[i][f] + n;
            rest -= n;
        }
        m->before[i + 1][rows] = m->before[i][rows] + rest;
    }
    m->scatter = find_scatter(m);
}

static struct phase describe(const struct mix *m, const struct over_time *t,
                             const struct part *part, const struct ranking *r)
{
    struct phase phase = {.function = NO_ID};

    phase.from = part->from ? over_time_start(t, part->from) : TIME_MIN;
    phase.to = part->to < BUCKETS ? over_time_start(t, part->to) : TIME_MAX;
    phase.samples = total_of(m, part->from, part->to);
    for (size_t f = 0; f + 1 < m->functions; f++) {
        uint64_t n = count_of(m, f, part->from, part->to);

        if (n <= phase.taken)
            continue;
        phase.taken = n;
        phase.function = r->rows[f].id;
    }
    return phase;
}

void phases_find(struct phases *phases, const struct profile *p,
                 const struct selection *sel)
{
    struct ranking *r =
        ranking_top(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE, FUNCTIONS);
    size_t rows = r->len < FUNCTIONS ? r->len : FUNCTIONS, n = 1;
    struct part parts[PHASES_MOST] = {{0, BUCKETS}};
    struct over_time t = {.buckets = BUCKETS, .exclusive_only = true};
    struct mix *m = mem_new(1, sizeof(*m));

    over_time_count(&t, p, sel, r, RANK_FUNCTION, rows);
    fill(m, &t, rows);
    while (n < PHASES_MOST && cut_once(m, parts, &n))
        ;
    for (size_t i = 0; i < n; i++)
        *vec_add(&phases->parts) = describe(m, &t, &parts[i], r);
    over_time_release(&t);
    ranking_free(r);
    free(m);
}

void phases_release(struct phases *phases)
{
    vec_release(&phases->parts);
}
