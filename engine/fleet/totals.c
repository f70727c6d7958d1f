#include "engine/fleet/totals.h"

#include <stdlib.h>
#include <string.h>

#include "engine/fleet/choose.h"
#include "engine/fleet/rows.h"
#include "engine/model/profile.h"

/* Of all that is chosen. What differs is unknown, and of several systems or
 * formats none is named. */
static const char columns[] =
    "SELECT sum(recordings), uniqExactIf(host, host != ''), sum(samples), "
    "sum(duration_ns), "
    "max(duration_ns), toUInt64(min(time)), min(interval_ns), "
    "max(interval_ns), "
    "toUInt64(max(cpus)), toUInt64(max(pointer_size)), "
    "toUInt64(min(singles)), sum(idle), "
    "sum(events), sum(lost_events), sum(lost_buffers), sum(skipped_bytes), "
    "sum(skipped_ranges), sum(malformed), sum(cut_stacks), "
    "uniqExact(metric), uniqExact(format), uniqExact(os), "
    "min(metric), min(format), min(os), groupArray(run) FROM runs WHERE ";

struct totals {
    uint64_t runs, hosts, samples, duration, longest, time, least_interval,
        most_interval, cpus, pointer_size, singles, idle, events, lost_events,
        lost_buffers, skipped_bytes, skipped_ranges, malformed, cut_stacks,
        metrics, formats, systems;
};

enum { NUMBERS = sizeof(struct totals) / sizeof(uint64_t) };

static uint32_t get_string(struct reader *r, struct profile *p)
{
    struct bytes text = row_get_bytes(r);

    return strings_add(p->strings, (const char *)text.data, text.len);
}

static int64_t bounded(uint64_t n)
{
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static void fill(struct profile *p, const struct totals *n,
                 bool overlaid)
{
    struct trace_info *t = &p->trace;
    struct quality *q = &p->quality;

    t->recordings = n->runs;
    t->hosts = n->hosts;
    t->duration_ns = bounded(overlaid ? n->longest : n->duration);
    t->start_unix_ns = (int64_t)(n->time & UINT32_MAX) * 1000000000;
    t->interval_ns =
        n->least_interval == n->most_interval ? bounded(n->least_interval) : 0;
    t->cpus = overlaid ? 0 : (uint32_t)n->cpus;
    t->pointer_size = (uint32_t)n->pointer_size;
    t->adds_up = n->singles;
    t->idle_not_kept = n->idle;
    t->events = n->events;
    q->lost_events = n->lost_events;
    q->lost_buffers = n->lost_buffers;
    q->skipped_bytes = n->skipped_bytes;
    q->skipped_ranges = n->skipped_ranges;
    q->malformed = n->malformed;
    q->cut_stacks = n->cut_stacks;
}

static void get_runs(struct reader *r, struct fleet_ids *runs)
{
    size_t n = row_get_count(r, sizeof(uint64_t));

    runs->all.len = 0;
    vec_reserve(&runs->all, n);
    for (size_t i = 0; i < n; i++)
        *vec_add(&runs->all) = reader_u64(r);
}

static enum err_code take_totals(struct fleet *f, struct answer *answer,
                                 bool overlaid, struct profile *p,
                                 struct totals *n, struct fleet_ids *runs,
                                 struct err *err)
{
    struct reader r = fleet_reader(f, answer, err);
    uint64_t *numbers = (uint64_t *)n;
    uint32_t metric;

    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = reader_u64(&r);
    metric = get_string(&r, p);
    p->trace.format = get_string(&r, p);
    p->trace.os = get_string(&r, p);
    get_runs(&r, runs);
    if (r.failed)
        return ERR_CORRUPT;
    if (!n->runs)
        return err_set(err, ERR_NOT_FOUND, "%s: no such recordings (topfn "
                       "runs lists those there are)", f->address.text);
    if (n->metrics > 1)
        return err_set(err, ERR_USAGE,
                       "%s: samples of %llu kinds do not add up: choose one "
                       "with --where metric=...",
                       f->address.text, (unsigned long long)n->metrics);
    profile_set_metric_text(p, strings_get(p->strings, metric));
    if (n->formats > 1)
        p->trace.format = strings_add(p->strings, "mixed", 5);
    if (n->systems > 1)
        p->trace.os = 0;
    fill(p, n, overlaid);
    return ERR_NONE;
}

/* ---- inputs ---- */

static int by_number(const void *x, const void *y)
{
    const struct fleet_unit *a = x, *b = y;

    return (a->number > b->number) - (a->number < b->number);
}

/* In the order of the answer, each behind the other. */
static enum err_code take_units(struct fleet *f, struct answer *answer,
                                struct profile *p, struct fleet_units *units,
                                struct err *err)
{
    struct reader r = fleet_reader(f, answer, err);
    int64_t at = 0;

    units->all.len = 0;
    p->trace.inputs.len = 0;
    while (reader_more(&r)) {
        struct fleet_unit unit = {.number = reader_u64(&r), .from = at};
        uint32_t name = get_string(&r, p);
        int64_t span = bounded(reader_u64(&r));

        span = span > 0 ? span : 1;
        if (span > INT64_MAX - at)
            reader_fail(&r, ERR_CORRUPT, "times are too long");
        if (r.failed)
            return ERR_CORRUPT;
        *vec_add(&units->all) = unit;
        *vec_add(&p->trace.inputs) =
            (struct trace_input){name, at, at + span};
        at += span;
    }
    /* Of one run nothing else tells how much counts vary. */
    p->trace.adds_up &= p->trace.inputs.len > 1;
    if (units->all.len)
        qsort(units->all.data, units->all.len, sizeof(*units->all.data),
              by_number);
    return r.failed ? ERR_CORRUPT : ERR_NONE;
}

/* Runs in order of time, others by the numbers in what they are called. */
static enum err_code ask_units(struct fleet *f, const struct fleet_question *q,
                               const struct fleet_ids *runs,
                               struct answer *answer, struct err *err)
{
    struct out *number = out_memory(), *name = out_memory();
    struct out *sql = out_memory();
    enum err_code code;

    choose_unit(q, number, name);
    out_fmt(sql,
            "SELECT %s AS number, %s AS name, sum(duration_ns) FROM runs "
            "WHERE run IN ids GROUP BY number, name",
            out_text(number, NULL), out_text(name, NULL));
    if (!strcmp(q->apart, "run"))
        out_str(sql, ", time, hash ORDER BY time, hash");
    else
        out_str(sql, " ORDER BY arrayMap(x -> toUInt64OrZero(x), "
                     "extractAll(name, '[0-9]+')), name");
    code = fleet_ask(f, out_text(sql, NULL), runs, answer, err);
    out_close(number, NULL);
    out_close(name, NULL);
    out_close(sql, NULL);
    return code;
}

enum err_code fleet_totals(struct fleet *f, const struct fleet_question *q,
                           const char *chosen, bool times, struct profile *p,
                           struct fleet_units *units, struct fleet_chosen *runs,
                           struct err *err)
{
    struct out *sql = out_memory();
    struct answer answer = {0};
    struct totals n = {0};
    enum err_code code;

    out_str(sql, columns);
    out_str(sql, chosen);
    code = fleet_ask(f, out_text(sql, NULL), NULL, &answer, err);
    out_close(sql, NULL);
    if (!code)
        code = take_totals(f, &answer, times && !q->apart, p, &n, &runs->runs,
                           err);
    fleet_answer_release(&answer);
    runs->samples = n.samples;
    if (code || !q->apart)
        return code;
    code = ask_units(f, q, &runs->runs, &answer, err);
    if (!code)
        code = take_units(f, &answer, p, units, err);
    fleet_answer_release(&answer);
    return code;
}
