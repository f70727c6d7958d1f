#include "engine/analysis/over_time.h"

#include <string.h>

int64_t over_time_start(const struct over_time *t, size_t bucket)
{
    uint64_t length = (uint64_t)(t->to - t->from), n = t->buckets;

    return t->from + (int64_t)(length / n * bucket + length % n * bucket / n);
}

/* The end of what is open is that of the samples. */
static void find_span(struct over_time *t, const struct profile *p,
                      const struct selection *sel)
{
    const struct samples *s = &p->samples;
    const struct filter *f = &sel->filter;
    int64_t end = p->trace.duration_ns;

    if (s->len && s->time[s->len - 1] >= end)
        end = s->time[s->len - 1];
    t->from = f->has_time && f->from > 0 ? f->from : 0;
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

/* By group, its row; NO_ID: not shown. */
static uint32_t *rows_of_groups(const struct ranking *r, size_t rows,
                                size_t groups)
{
    uint32_t *row_of = mem_new(groups, sizeof(*row_of));

    memset(row_of, 0xFF, groups * sizeof(*row_of));
    for (uint32_t i = 0; i < rows; i++)
        row_of[r->rows[i].group] = i;
    return row_of;
}

/* Adds what is in one bucket to its rows. */
static void take_bucket(struct over_time *t, const struct aggregate *groups,
                        const uint32_t *row_of, size_t bucket)
{
    for (size_t g = 0; g < groups->first.len; g++) {
        size_t at = row_of[g] * t->buckets + bucket;

        if (row_of[g] == NO_ID || !groups->inclusive[g])
            continue;
        t->exclusive[at] += groups->exclusive[g];
        t->inclusive[at] += groups->inclusive[g];
    }
}

static void count_bucket(struct over_time *t, const struct profile *p,
                         struct aggregate *groups, const uint32_t *row_of,
                         struct selection *part, size_t bucket)
{
    if (!part->samples)
        return;
    aggregate_add_up(groups, p, part);
    take_bucket(t, groups, row_of, bucket);
    memset(part->stack_counts, 0, p->stacks.len * sizeof(*part->stack_counts));
    t->all[bucket] = part->samples;
    part->samples = 0;
}

/* Samples are in order of time, so one bucket is counted after the other. */
static void count_code(struct over_time *t, const struct profile *p,
                       const struct selection *sel, const struct ranking *r,
                       enum rank_by by, size_t rows)
{
    struct aggregate groups = {0};
    struct selection part = {.samples = 0};
    uint32_t *row_of;
    size_t bucket = 0;

    aggregate_count(&groups, p, sel, by);
    row_of = rows_of_groups(r, rows, groups.first.len);
    part.stack_counts = mem_new(p->stacks.len, sizeof(*part.stack_counts));
    for (size_t i = 0; i < p->samples.len; i++) {
        size_t next;

        if (!selection_has(p, sel, i))
            continue;
        next = bucket_of(t, bucket, p->samples.time[i]);
        if (next != bucket)
            count_bucket(t, p, &groups, row_of, &part, bucket);
        bucket = next;
        part.stack_counts[p->samples.stack[i]] += sample_weight(p, i);
        part.samples += sample_weight(p, i);
    }
    count_bucket(t, p, &groups, row_of, &part, bucket);
    free(part.stack_counts);
    free(row_of);
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
        uint32_t weight = sample_weight(p, i);

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
