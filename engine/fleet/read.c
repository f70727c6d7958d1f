#include "engine/fleet/read.h"

#include <stdlib.h>
#include <string.h>

#include "engine/fleet/clickhouse.h"
#include "engine/fleet/fetched_stacks.h"
#include "engine/model/metric.h"

/* An input of the profile: recordings that differ from others in the key. */
struct unit {
    uint64_t number;
    int64_t from; /* its part of time */
};

struct reading {
    struct fleet *f;
    const struct fleet_question *q;
    struct profile *p;
    struct err *err;
    bool times;
    VEC(struct unit) units; /* sorted by number; empty: all are one */
    struct fleet_ids runs;  /* that were chosen */
    uint64_t expected;      /* sum of all weights, as `runs` says */
    struct answer samples;
    uint64_t counted;        /* the same, as `samples` says */
    uint64_t weights;        /* of the samples that the profile has */
    struct fleet_ids stacks; /* of the samples */
};

/* ---- totals ---- */

/* Numbers first, in the order of struct totals. */
static const char columns[] =
    "SELECT count(), uniqExactIf(host, host != ''), sum(samples), "
    "sum(duration_ns), max(duration_ns), toUInt64(min(time)), "
    "min(interval_ns), max(interval_ns), "
    "toUInt64(max(cpus)), toUInt64(max(pointer_size)), "
    "toUInt64(min(singles)), sum(idle), "
    "sum(events), sum(lost_events), sum(lost_buffers), sum(skipped_bytes), "
    "sum(skipped_ranges), sum(malformed), sum(cut_stacks), "
    "uniqExact(metric), uniqExact(format), uniqExact(os), "
    "min(metric), min(format), min(os), groupArray(run) FROM runs WHERE ";

struct totals {
    uint64_t recordings, hosts, samples, duration, longest, time,
        least_interval, most_interval, cpus, pointer_size, singles, idle,
        events, lost_events, lost_buffers, skipped_bytes, skipped_ranges,
        malformed, cut_stacks, metrics, formats, systems;
};

static uint32_t get_string(struct reader *r, struct profile *p)
{
    struct bytes text = row_get_bytes(r);

    return strings_add(p->strings, (const char *)text.data, text.len);
}

static int64_t bounded(uint64_t n)
{
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

/* With times, recordings that are one lie on top of each other, so that no part
 * of the time has their processors. */
static void fill(struct profile *p, const struct totals *n, bool overlaid)
{
    struct trace_info *t = &p->trace;
    struct quality *q = &p->quality;

    t->recordings = n->recordings;
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

/* Values that differ are unknown; of several systems or formats none is
 * named. */
static enum err_code take_totals(struct reading *rd,
                                 const struct answer *answer)
{
    struct reader r = fleet_reader(rd->f, answer, rd->err);
    struct profile *p = rd->p;
    struct totals n;
    uint64_t *numbers = (uint64_t *)&n;
    uint32_t metric;
    size_t runs;

    for (size_t i = 0; i < sizeof(n) / sizeof(*numbers); i++)
        numbers[i] = reader_u64(&r);
    metric = get_string(&r, p);
    p->trace.format = get_string(&r, p);
    p->trace.os = get_string(&r, p);
    runs = row_get_count(&r, sizeof(uint64_t));
    rd->runs.all.len = 0;
    for (size_t i = 0; i < runs; i++)
        *vec_add(&rd->runs.all) = reader_u64(&r);
    if (r.failed)
        return ERR_CORRUPT;
    if (!n.recordings)
        return err_set(rd->err, ERR_NOT_FOUND,
                       "%s: no recordings match ('topfn runs' lists them)",
                       rd->f->address.text);
    if (n.metrics > 1)
        return err_set(rd->err, ERR_USAGE,
                       "%s: samples of %llu different kinds cannot be added "
                       "up: choose one with --where metric=...",
                       rd->f->address.text, (unsigned long long)n.metrics);
    profile_set_metric_text(p, strings_get(p->strings, metric));
    if (n.formats > 1)
        p->trace.format = strings_add(p->strings, "mixed", 5);
    if (n.systems > 1)
        p->trace.os = 0;
    fill(p, &n, rd->times && !rd->q->apart);
    rd->expected = n.samples;
    return ERR_NONE;
}

static enum err_code ask_totals(struct reading *rd, const char *chosen)
{
    struct out *sql = out_memory();
    struct answer answer = {0};
    enum err_code code;

    out_str(sql, columns);
    out_str(sql, chosen);
    code = fleet_ask(rd->f, out_text(sql, NULL), NULL, &answer, rd->err);
    if (!code)
        code = take_totals(rd, &answer);
    fleet_answer_release(&answer);
    out_close(sql, NULL);
    return code;
}

/* ---- inputs ---- */

static int by_number(const void *x, const void *y)
{
    const struct unit *a = x, *b = y;

    return (a->number > b->number) - (a->number < b->number);
}

/* In the order of the answer, each behind the other. */
static enum err_code take_units(struct reading *rd, const struct answer *answer)
{
    struct reader r = fleet_reader(rd->f, answer, rd->err);
    struct trace_info *t = &rd->p->trace;
    int64_t at = 0;

    rd->units.len = 0;
    t->inputs.len = 0;
    while (reader_more(&r)) {
        struct unit unit = {.number = reader_u64(&r), .from = at};
        uint32_t name = get_string(&r, rd->p);
        int64_t span = bounded(reader_u64(&r));

        span = span > 0 ? span : 1;
        if (span > INT64_MAX - at)
            reader_fail(&r, ERR_CORRUPT, "times are too long");
        if (r.failed)
            return ERR_CORRUPT;
        *vec_add(&rd->units) = unit;
        *vec_add(&t->inputs) = (struct trace_input){name, at, at + span};
        at += span;
    }
    /* One recording alone does not tell how much counts vary. */
    t->adds_up &= t->inputs.len > 1;
    if (rd->units.len)
        qsort(rd->units.data, rd->units.len, sizeof(*rd->units.data),
              by_number);
    return r.failed ? ERR_CORRUPT : ERR_NONE;
}

/* The SQL of the number in which recordings that stay apart differ, and of its
 * name, both over `runs`. */
static void unit_sql(const struct fleet_question *q, struct out *number,
                     struct out *name)
{
    if (!strcmp(q->apart, "run")) {
        out_str(number, "run");
        out_str(name, "file");
        return;
    }
    where_key_sql(q->apart, name);
    out_fmt(number, "cityHash64(%s)", out_text(name, NULL));
}

/* Single recordings are in order of time, others by the numbers in their
 * names. */
static enum err_code ask_units(struct reading *rd)
{
    struct out *number = out_memory(), *name = out_memory();
    struct out *sql = out_memory();
    struct answer answer = {0};
    enum err_code code;

    unit_sql(rd->q, number, name);
    out_fmt(sql,
            "SELECT %s AS number, %s AS name, sum(duration_ns) FROM runs "
            "WHERE run IN ids GROUP BY number, name%s",
            out_text(number, NULL), out_text(name, NULL),
            strcmp(rd->q->apart, "run")
                ? " ORDER BY arrayMap(x -> toUInt64OrZero(x), "
                  "extractAll(name, '[0-9]+')), name"
                : ", time, hash ORDER BY time, hash");
    code = fleet_ask(rd->f, out_text(sql, NULL), &rd->runs, &answer, rd->err);
    if (!code)
        code = take_units(rd, &answer);
    fleet_answer_release(&answer);
    out_close(number, NULL);
    out_close(name, NULL);
    out_close(sql, NULL);
    return code;
}

static bool find_unit(const struct reading *rd, uint64_t number, int64_t *from)
{
    const struct unit key = {.number = number}, *found = NULL;

    *from = 0;
    if (!rd->q->apart)
        return true;
    if (rd->units.len)
        found = bsearch(&key, rd->units.data, rd->units.len, sizeof(key),
                        by_number);
    *from = found ? found->from : 0;
    return found;
}

/* ---- samples ---- */

/* A row of samples that were added up. */
struct sum {
    uint64_t unit, stack, time, weight;
};

static struct sum get_sum(struct reader *r)
{
    struct sum s = {.unit = reader_u64(r)};

    s.stack = reader_u64(r);
    s.time = reader_u64(r);
    s.weight = reader_u64(r);
    return s;
}

/* By stack alone, or also by slices of time or by inputs, which the rows of the
 * recordings tell. */
static void write_sums_sql(const struct reading *rd, struct out *sql)
{
    struct out *number = out_memory(), *name = out_memory();

    if (rd->q->apart)
        unit_sql(rd->q, number, name);
    else
        out_str(number, "toUInt64(0)");
    if (rd->q->apart || rd->times)
        out_fmt(sql,
                "SELECT number AS unit, stack, %s AS begins, sum(weight) FROM "
                "samples GLOBAL ANY INNER JOIN (SELECT run, slice_ns, %s AS "
                "number FROM runs WHERE run IN ids) USING run PREWHERE run IN "
                "ids GROUP BY stack, unit, begins",
                rd->times ? "toUInt64(slice) * slice_ns" : "toUInt64(0)",
                out_text(number, NULL));
    else
        out_str(sql, "SELECT toUInt64(0), stack, toUInt64(0), sum(weight) FROM "
                     "samples PREWHERE run IN ids GROUP BY stack");
    out_close(number, NULL);
    out_close(name, NULL);
}

static enum err_code ask_sums(struct reading *rd)
{
    struct out *sql = out_memory();
    struct map known = {0};
    enum err_code code;
    struct reader r;

    rd->samples.bytes.len = 0;
    rd->stacks.all.len = 0;
    rd->counted = 0;
    write_sums_sql(rd, sql);
    code =
        fleet_ask(rd->f, out_text(sql, NULL), &rd->runs, &rd->samples, rd->err);
    out_close(sql, NULL);
    r = fleet_reader(rd->f, &rd->samples, rd->err);
    while (!code && reader_more(&r)) {
        uint32_t fresh = mem_next_id(rd->stacks.all.len);
        struct sum s = get_sum(&r);

        rd->counted += s.weight;
        if (map_add(&known, s.stack, 0, fresh) == fresh)
            *vec_add(&rd->stacks.all) = s.stack;
    }
    map_release(&known);
    return code ? code : r.failed ? ERR_CORRUPT : ERR_NONE;
}

static enum err_code add_sums(struct reading *rd,
                              const struct fetched_stacks *d)
{
    struct reader r = fleet_reader(rd->f, &rd->samples, rd->err);

    while (reader_more(&r)) {
        struct sum s = get_sum(&r);
        const struct sample *known = fetched_stacks_sample(d, s.stack);
        struct sample sample;
        int64_t from;

        if (!known)
            return err_set(rd->err, ERR_CORRUPT,
                           "%s: table stacks: no row with the id %llu",
                           rd->f->address.text, (unsigned long long)s.stack);
        if (r.failed || s.weight > WEIGHTS_MOST - rd->weights ||
            s.time > INT64_MAX / 2 || !find_unit(rd, s.unit, &from)) {
            reader_fail(&r, ERR_CORRUPT, "sample out of range");
            return ERR_CORRUPT;
        }
        sample = *known;
        sample.time = from < INT64_MAX / 2 ? from + (int64_t)s.time : from;
        sample.weight = s.weight;
        rd->weights += s.weight;
        if (s.weight)
            profile_sample(rd->p, &sample);
    }
    samples_sort(&rd->p->samples, TIME_MIN);
    return ERR_NONE;
}

/* ---- all of it ---- */

/* Recordings that come or go between two statements make their answers differ:
 * then the statements are asked again. */
static enum err_code ask_consistent(struct reading *rd, const char *chosen)
{
    enum { ATTEMPTS = 4 };

    for (int i = 0; i < ATTEMPTS; i++) {
        enum err_code code = ask_totals(rd, chosen);

        if (!code && rd->q->apart)
            code = ask_units(rd);
        if (!code)
            code = ask_sums(rd);
        if (code || rd->counted == rd->expected)
            return code;
    }
    return err_set(rd->err, ERR_CORRUPT,
                   "%s: the table runs counts %llu samples, the table samples "
                   "%llu; if recordings are being sent now, try again later",
                   rd->f->address.text, (unsigned long long)rd->expected,
                   (unsigned long long)rd->counted);
}

static enum err_code read_all(struct reading *rd)
{
    const struct fleet_address *a = &rd->f->address;
    struct fetched_stacks d = {.f = rd->f, .p = rd->p, .err = rd->err};
    struct out *chosen = out_memory();
    enum err_code code = fleet_check(rd->f, rd->err);

    *vec_add(&rd->p->trace.files) =
        strings_addf(rd->p->strings, "%s%s%s", a->text, a->where ? "?" : "",
                     a->where ? a->where : "");
    if (!code)
        code = choose_runs(rd->f, rd->q, chosen, rd->err);
    if (!code)
        code = ask_consistent(rd, out_text(chosen, NULL));
    if (!code)
        code = fetched_stacks_load(&d, &rd->stacks);
    if (!code)
        code = add_sums(rd, &d);
    fetched_stacks_release(&d);
    out_close(chosen, NULL);
    return code;
}

struct profile *fleet_read(const char *address, const struct fleet_question *q,
                           bool times, struct err *err)
{
    struct reading rd = {.q = q, .err = err, .times = times};
    enum err_code code;

    rd.f = fleet_open(address, &q->access, err);
    if (!rd.f)
        return NULL;
    rd.p = profile_new();
    code = read_all(&rd);
    fleet_answer_release(&rd.samples);
    vec_release(&rd.units);
    vec_release(&rd.runs.all);
    vec_release(&rd.stacks.all);
    fleet_close(rd.f);
    if (!code)
        return rd.p;
    profile_free(rd.p);
    return NULL;
}
