#include "engine/fleet/read.h"

#include <stdlib.h>
#include <string.h>

#include "engine/fleet/choose.h"
#include "engine/fleet/definitions.h"
#include "engine/fleet/totals.h"

struct reading {
    struct fleet *f;
    const struct fleet_question *q;
    struct profile *p;
    struct err *err;
    bool times;
    struct fleet_units units;
    struct fleet_chosen chosen;
    struct answer samples;
    uint64_t counted;     /* of all weights, as the samples say */
    uint64_t weights;     /* of the samples that the profile has */
};

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

/* Every sample of the same stack is one. */
static void whole_sums_sql(struct out *sql)
{
    out_str(sql, "SELECT toUInt64(0), stack, toUInt64(0), sum(weight) FROM "
                 "samples PREWHERE run IN ids GROUP BY stack");
}

/* By recordings, or by slices of them: what the runs say of each sample. */
static void parted_sums_sql(const struct reading *rd, struct out *sql)
{
    struct out *number = out_memory(), *name = out_memory();

    if (rd->q->apart)
        choose_unit(rd->q, number, name);
    else
        out_str(number, "toUInt64(0)");
    out_fmt(sql,
            "SELECT number AS unit, stack, %s AS begins, sum(weight) FROM "
            "samples GLOBAL ANY INNER JOIN (SELECT run, slice_ns, %s AS "
            "number FROM runs WHERE run IN ids) USING run PREWHERE run IN ids "
            "GROUP BY stack, unit, begins",
            rd->times ? "toUInt64(slice) * slice_ns" : "toUInt64(0)",
            out_text(number, NULL));
    out_close(number, NULL);
    out_close(name, NULL);
}

static enum err_code ask_sums(struct reading *rd)
{
    struct out *sql = out_memory();
    enum err_code code;

    rd->samples.bytes.len = 0;
    if (rd->q->apart || rd->times)
        parted_sums_sql(rd, sql);
    else
        whole_sums_sql(sql);
    code = fleet_ask(rd->f, out_text(sql, NULL), &rd->chosen.runs, &rd->samples,
                     rd->err);
    out_close(sql, NULL);
    return code;
}

static enum err_code want_all(struct reading *rd, struct definitions *d)
{
    struct reader r = fleet_reader(rd->f, &rd->samples, rd->err);

    rd->counted = 0;
    while (reader_more(&r)) {
        struct sum s = get_sum(&r);

        definitions_want(d, FLEET_STACKS, s.stack);
        rd->counted += s.weight;
    }
    return r.failed ? ERR_CORRUPT : ERR_NONE;
}

/* The time at which an input begins. */
static bool find_unit(const struct reading *rd, uint64_t number,
                      int64_t *from)
{
    size_t low = 0, high = rd->units.all.len;

    *from = 0;
    if (!rd->q->apart)
        return true;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct fleet_unit *u = &rd->units.all.data[middle];

        if (u->number == number) {
            *from = u->from;
            return true;
        }
        if (u->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static enum err_code add_sums(struct reading *rd, const struct definitions *d)
{
    struct reader r = fleet_reader(rd->f, &rd->samples, rd->err);

    while (reader_more(&r)) {
        struct sum s = get_sum(&r);
        uint32_t at = definitions_get(d, FLEET_STACKS, s.stack);
        struct sample sample;
        int64_t from = 0;

        if (at == NO_ID || s.weight > WEIGHTS_MOST - rd->weights || s.time > INT64_MAX / 2 ||
            !find_unit(rd, s.unit, &from))
            reader_fail(&r, ERR_CORRUPT, "sample out of range");
        if (r.failed)
            return ERR_CORRUPT;
        sample = d->samples.data[at];
        sample.time = from < INT64_MAX / 2 ? from + (int64_t)s.time : from;
        sample.weight = s.weight;
        rd->weights += s.weight;
        if (s.weight)
            profile_sample(rd->p, &sample);
    }
    profile_sort_samples(rd->p);
    return ERR_NONE;
}

/* The server may add recordings up at any moment. A statement that met the sum
 * but not yet what it stands for, or neither, is found out by asking again:
 * then a chosen one is there no more, or a sum is new. */
static enum err_code ask_settled(struct reading *rd, const char *chosen,
                                 bool *settled)
{
    struct answer answer = {0};
    struct out *sql = out_memory();
    struct reader r;
    enum err_code code;

    out_fmt(sql,
            "SELECT countIf(run IN ids), countIf(run NOT IN ids AND "
            "notEmpty(replaces)) FROM runs WHERE %s",
            chosen);
    code = fleet_ask(rd->f, out_text(sql, NULL), &rd->chosen.runs, &answer,
                     rd->err);
    r = fleet_reader(rd->f, &answer, rd->err);
    *settled = !code && reader_u64(&r) == rd->chosen.runs.all.len &&
               reader_u64(&r) == 0;
    fleet_answer_release(&answer);
    out_close(sql, NULL);
    return code ? code : r.failed ? ERR_CORRUPT : ERR_NONE;
}

/* Recordings that come or go between two statements would make the answer
 * one of neither: then the statements are asked again. */
static enum err_code ask_consistent(struct reading *rd, const char *chosen,
                                    struct definitions *d)
{
    enum { ATTEMPTS = 4 };
    enum err_code code = ERR_NONE;
    bool settled = false;

    for (int i = 0; !code && i < ATTEMPTS; i++) {
        code = fleet_totals(rd->f, rd->q, chosen, rd->times, rd->p, &rd->units,
                            &rd->chosen, rd->err);
        if (!code)
            code = ask_sums(rd);
        if (!code)
            code = want_all(rd, d);
        if (!code && rd->counted == rd->chosen.samples)
            code = ask_settled(rd, chosen, &settled);
        if (!code && settled)
            return ERR_NONE;
    }
    return code ? code
                : err_set(rd->err, ERR_CORRUPT,
                          "%s: its recordings have %llu samples, its table of "
                          "samples %llu, or they change all the time",
                          rd->f->address.text,
                          (unsigned long long)rd->chosen.samples,
                          (unsigned long long)rd->counted);
}

static enum err_code read_chosen(struct reading *rd, const char *chosen)
{
    struct definitions d = {.f = rd->f, .p = rd->p, .err = rd->err};
    enum err_code code = ask_consistent(rd, chosen, &d);

    if (!code)
        code = definitions_load(&d);
    if (!code)
        code = add_sums(rd, &d);
    definitions_release(&d);
    return code;
}

static enum err_code read_all(struct reading *rd)
{
    const struct fleet_address *a = &rd->f->address;
    struct out *chosen = out_memory();
    struct profile *p = rd->p;
    enum err_code code = fleet_check(rd->f, rd->err);

    *vec_add(&p->trace.files) =
        strings_addf(p->strings, "%s%s%s", a->text, a->where ? "?" : "",
                     a->where ? a->where : "");
    if (!code)
        code = choose_runs(rd->f, rd->q, chosen, rd->err);
    if (!code)
        code = read_chosen(rd, out_text(chosen, NULL));
    out_close(chosen, NULL);
    return code;
}

struct profile *fleet_read(const char *address,
                           const struct fleet_question *q, bool times,
                           struct err *err)
{
    struct reading rd = {.q = q, .err = err, .times = times};
    enum err_code code;

    rd.f = fleet_open(address, &q->access, err);
    if (!rd.f)
        return NULL;
    rd.p = profile_new();
    code = read_all(&rd);
    fleet_answer_release(&rd.samples);
    vec_release(&rd.units.all);
    vec_release(&rd.chosen.runs.all);
    fleet_close(rd.f);
    if (!code)
        return rd.p;
    profile_free(rd.p);
    return NULL;
}
