#include "engine/analysis/algebra.h"
#include "engine/base/keysort.h"
#include "report/export/thread_samples.h"
#include "report/page/page_data.h"

/* One row for samples of a thread that are alike within a step. */
struct row {
    int64_t step;
    uint32_t node;
    uint16_t code, cpu;
    uint64_t count;
};

typedef VEC(struct row) rows;

static int by_step(const void *x, const void *y)
{
    const struct row *a = x, *b = y;

    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return a->cpu - b->cpu;
}

/* They come in order of their steps: only those of one are sorted. */
static void sort_rows(struct row *list, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && list[end].step == list[i].step;)
            end++;
        if (end - i > 1)
            qsort(list + i, end - i, sizeof(*list), by_step);
    }
}

/* Like ones become one; those from `first` on. */
static void join(rows *r, size_t first)
{
    size_t to = first;

    sort_rows(r->data + first, r->len - first);
    for (size_t i = first; i < r->len; i++) {
        if (to > first && !by_step(&r->data[to - 1], &r->data[i]))
            r->data[to - 1].count += r->data[i].count;
        else
            r->data[to++] = r->data[i];
    }
    r->len = to;
}

/* What --kind and --tier ask of the innermost frame's code. */
static uint16_t code_of(const struct profile *p, uint32_t stack)
{
    const struct location *l =
        &p->locations.data[p->stacks.data[stack].location];

    if (!stack)
        return (uint16_t)TIER_WORDS << LEAF_KINDS;
    return (uint16_t)(location_kinds(l) | (unsigned)location_tier(p, l)
                                              << LEAF_KINDS);
}

static void write_rows(const rows *r, const size_t *counts, size_t threads,
                       bool has_cpus, struct page_bytes *b)
{
    size_t at = 0;

    for (size_t t = 0; t < threads; t++)
        page_bytes_number(b, counts[t]);
    for (size_t t = 0; t < threads; t++)
        for (size_t i = 0; i < counts[t]; i++, at++)
            page_bytes_number(b, (uint64_t)(r->data[at].step -
                                            (i ? r->data[at - 1].step : 0)));
    at = 0;
    for (size_t t = 0; t < threads; t++)
        for (size_t i = 0; i < counts[t]; i++, at++)
            page_bytes_change(b, (int64_t)r->data[at].node -
                                     (i ? (int64_t)r->data[at - 1].node : 0));
    for (at = 0; at < r->len; at++)
        page_bytes_number(b, r->data[at].count - 1);
    for (at = 0; at < r->len; at++)
        page_bytes_number(b, r->data[at].code);
    for (at = 0; at < r->len && has_cpus; at++)
        page_bytes_number(b, r->data[at].cpu);
}

void page_rows(struct page_data *d, const struct page_side *side, int64_t steps,
               bool has_cpus)
{
    const struct profile *p = side->p;
    size_t *counts = mem_new(d->threads.len, sizeof(*counts));
    struct thread_samples samples = thread_samples_new(p, side->sel);
    rows r = {0};

    d->step = d->end / steps + 1;
    for (size_t t = 0; t < d->threads.len; t++) {
        uint32_t thread = d->threads.data[t];
        size_t first = r.len;

        for (size_t i = samples.start[thread]; i < samples.start[thread + 1];
             i++) {
            size_t sample = samples.order[i];
            int64_t time = p->samples.time[sample];
            uint32_t node = d->stacks.node_of[p->samples.stack[sample]];

            *vec_add(&r) =
                (struct row){.step = (time > 0 ? time : 0) / d->step,
                             .node = d->tree.place[node],
                             .code = code_of(p, p->samples.stack[sample]),
                             .cpu = has_cpus ? p->samples.cpu[sample] : 0,
                             .count = sample_weight(p, sample)};
        }
        join(&r, first);
        counts[t] = r.len - first;
    }
    d->rows = r.len;
    d->has_cpus = has_cpus;
    page_bytes_release(&d->samples);
    write_rows(&r, counts, d->threads.len, has_cpus, &d->samples);
    vec_release(&r);
    thread_samples_release(&samples);
    free(counts);
}

/* ---- threads ---- */

/* Processes in order of their ids, and the threads of each likewise. */
static void sort_threads(const struct profile *p, struct keyed *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        keys[i].key = p->threads.data[keys[i].value].tid;
    keysort(keys, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t process = p->threads.data[keys[i].value].process;

        keys[i].key = (uint64_t)p->processes.data[process].pid << 32 | process;
    }
    keysort(keys, n);
}

void page_threads(struct page_data *d, const struct page_side *side)
{
    const struct profile *p = side->p;
    struct keyed *keys = mem_new(p->threads.len, sizeof(*keys));
    size_t n = 0, samples = p->samples.len;
    uint32_t process = NO_ID;

    for (uint32_t i = 0; i < p->threads.len; i++)
        if (side->sel->thread_counts[i])
            keys[n++] = (struct keyed){0, i};
    sort_threads(p, keys, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t of = p->threads.data[keys[i].value].process;

        *vec_add(&d->threads) = keys[i].value;
        if (of != process)
            *vec_add(&d->processes) = of;
        process = of;
    }
    d->end = p->trace.duration_ns > 0 ? p->trace.duration_ns : 0;
    if (samples && p->samples.time[samples - 1] > d->end)
        d->end = p->samples.time[samples - 1];
    free(keys);
}
