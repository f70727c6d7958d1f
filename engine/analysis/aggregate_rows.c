/*
 * Exclusive and inclusive counts from rows of locations: the groups of a row
 * are counted once, with the samples of all stacks that have it.
 *
 * So a group that is in both rows of a stack is counted twice. Few are, as what
 * ran in the kernel is other code than what called it: inner rows are counted
 * first, and where an outer one has a group of theirs, its stacks are gone
 * through one by one, and what was counted too much is taken back.
 */
#include "engine/analysis/aggregate_impl.h"

struct counting {
    MEM_APART struct grouped g;
    struct aggregate_counts counts;
    /* The groups of the row at hand, each once, and by group the turn in which
     * it was one of them last. */
    VEC(uint32_t) met;
    uint32_t *turns, turn;
    bool *inner;         /* by group: whether an inner row has it */
    VEC(uint32_t) doubt; /* groups of an outer row that inner ones have */
};

struct counting_job {
    struct counting *workers;
    const struct stack_rows *rows;
    const struct row_count *counts; /* by row */
    const uint64_t *samples;        /* by stack */
    const bool *inner;              /* by group: whether any inner row has it */
    bool *in_doubt; /* by row: stacks that begin with it are gone through */
};

enum { ROWS_A_TASK = 1 << 12, STACKS_A_TASK = 1 << 14 };

/* Whether a group was met before cannot be foreseen: it is written in any case,
 * and counts if it was not. */
static inline void meet_group(struct counting *c, uint32_t group)
{
    if (group == NO_ID)
        return;
    vec_reserve(&c->met, 1);
    c->met.data[c->met.len] = group;
    c->met.len += c->turns[group] != c->turn;
    c->turns[group] = c->turn;
}

static void meet_frames(struct counting *c, uint32_t location)
{
    const struct profile *p = c->g.p;

    for (uint32_t i = p->frame_start.data[location];
         i < p->frame_start.data[location + 1]; i++) {
        uint32_t group = c->g.of_frame[i];

        meet_group(c, group);
        if (c->g.inlined && p->frames.data[i].inlined && group != NO_ID)
            meet_group(c, group + c->g.inlined);
    }
}

enum { AT_ONCE = 32 }; /* locations */

/* What is looked up for some locations does not wait for what is done with
 * each. */
static void meet_row(struct counting *c, const struct location_row *row)
{
    uint32_t groups[AT_ONCE];

    c->turn++;
    c->met.len = 0;
    vec_reserve(&c->met, row->count);
    for (uint32_t from = 0; from < row->count; from += AT_ONCE) {
        uint32_t left = row->count - from;
        uint32_t n = left < AT_ONCE ? left : AT_ONCE;

        for (uint32_t i = 0; i < n; i++) {
            groups[i] = c->g.of_location[row->locations[from + i]];
            mem_fetch(c->turns + groups[i]);
        }
        for (uint32_t i = 0; i < n; i++)
            if (groups[i] == AGGREGATE_SEVERAL)
                meet_frames(c, row->locations[from + i]);
            else
                meet_group(c, groups[i]);
    }
}

static void count_frame(struct counting *c, uint32_t frame, uint64_t samples)
{
    uint32_t group = c->g.of_frame[frame];

    if (group == NO_ID)
        return;
    c->counts.exclusive[group] += samples;
    if (c->g.inlined && c->g.p->frames.data[frame].inlined)
        c->counts.exclusive[group + c->g.inlined] += samples;
}

/* Samples that were taken in the innermost frame of a row. */
static void count_exclusive(struct counting *c, const struct location_row *row,
                            uint64_t samples)
{
    uint32_t location = row->locations[row->count - 1];
    uint32_t group = c->g.of_location[location];

    if (group == AGGREGATE_SEVERAL)
        count_frame(c, c->g.p->frame_start.data[location], samples);
    else if (group != NO_ID)
        c->counts.exclusive[group] += samples;
}

/* The groups of the row are those at hand then. */
static void count_row(struct counting *c, const struct location_row *row,
                      const struct row_count *count)
{
    meet_row(c, row);
    for (size_t k = 0; k < c->met.len; k++)
        c->counts.inclusive[c->met.data[k]] += count->outer + count->inner;
    if (row_count_ends(count))
        count_exclusive(c, row, row_count_ends(count));
}

/* Inner rows. Few are outer ones, too: these are in doubt all the same. */
static void count_inner(void *context, size_t task, unsigned worker)
{
    const struct counting_job *job = context;
    struct counting *c = &job->workers[worker];
    size_t from = task * ROWS_A_TASK, to = from + ROWS_A_TASK;

    for (size_t i = from; i < to && i < job->rows->list.len; i++) {
        if (!job->counts[i].inner)
            continue;
        count_row(c, &job->rows->list.data[i], &job->counts[i]);
        for (size_t k = 0; k < c->met.len; k++)
            c->inner[c->met.data[k]] = true;
        job->in_doubt[i] = true;
    }
}

/* The others. */
static void count_outer(void *context, size_t task, unsigned worker)
{
    const struct counting_job *job = context;
    struct counting *c = &job->workers[worker];
    size_t from = task * ROWS_A_TASK, to = from + ROWS_A_TASK;

    for (size_t i = from; i < to && i < job->rows->list.len; i++) {
        if (job->counts[i].inner || !job->counts[i].outer)
            continue;
        count_row(c, &job->rows->list.data[i], &job->counts[i]);
        for (size_t k = 0; k < c->met.len; k++)
            job->in_doubt[i] |= job->inner[c->met.data[k]];
    }
}

/* A worker's count may fall below zero, which the others' make good: they are
 * added up modulo 2^64. */
static void take_back(struct counting *c, const struct counting_job *job,
                      struct row_pair stack, uint64_t samples)
{
    meet_row(c, &job->rows->list.data[stack.outer]);
    c->doubt.len = 0;
    for (size_t k = 0; k < c->met.len; k++)
        if (job->inner[c->met.data[k]])
            *vec_add(&c->doubt) = c->met.data[k];
    meet_row(c, &job->rows->list.data[stack.inner]);
    for (size_t k = 0; k < c->doubt.len; k++)
        if (c->turns[c->doubt.data[k]] == c->turn)
            c->counts.inclusive[c->doubt.data[k]] -= samples;
}

static void take_back_some(void *context, size_t task, unsigned worker)
{
    const struct counting_job *job = context;
    size_t from = task * STACKS_A_TASK, to = from + STACKS_A_TASK;

    for (size_t i = from; i < to && i < job->rows->stacks.len; i++) {
        struct row_pair stack = job->rows->stacks.data[i];

        if (job->samples[i] && stack.inner != NO_ID &&
            job->in_doubt[stack.outer])
            take_back(&job->workers[worker], job, stack, job->samples[i]);
    }
}

static size_t rows_tasks(const struct profile *p)
{
    return p->rows.list.len / ROWS_A_TASK + 1;
}

static void begin_counting(struct counting *c, const struct grouped *g,
                           struct aggregate_counts counts)
{
    *c = (struct counting){.g = *g,
                           .counts = counts,
                           .turns = mem_new(g->count, sizeof(*c->turns)),
                           .inner = mem_new(g->count, sizeof(*c->inner))};
}

static void end_counting(struct counting *c)
{
    free(c->turns);
    free(c->inner);
    vec_release(&c->met);
    vec_release(&c->doubt);
}

/* Makes those of the first worker those of all. */
static void join_inner(struct counting *workers, unsigned count, size_t groups)
{
    for (unsigned i = 1; i < count; i++)
        for (size_t k = 0; k < groups; k++)
            workers[0].inner[k] |= workers[i].inner[k];
}

static void count_all(const struct grouped *g, const struct counted *counted,
                      const struct aggregate_counts *of_workers,
                      struct threads *pool)
{
    const struct stack_rows *rows = &g->p->rows;
    unsigned workers = threads_count(pool);
    struct counting *all = mem_new_apart(workers, sizeof(*all));
    struct counting_job job = {
        .workers = all,
        .rows = rows,
        .counts = counted->rows,
        .samples = counted->samples,
        .in_doubt = mem_new(rows->list.len, sizeof(*job.in_doubt)),
    };

    for (unsigned i = 0; i < workers; i++)
        begin_counting(&all[i], g, of_workers[i]);
    threads_run(pool, rows_tasks(g->p), count_inner, &job);
    join_inner(all, workers, g->count);
    job.inner = all[0].inner;
    threads_run(pool, rows_tasks(g->p), count_outer, &job);
    threads_run(pool, rows->stacks.len / STACKS_A_TASK + 1, take_back_some,
                &job);
    for (unsigned i = 0; i < workers; i++)
        end_counting(&all[i]);
    free(all);
    free(job.in_doubt);
}

const struct aggregate_stacks aggregate_rows = {rows_tasks, count_all};
