#include <sys/random.h>
#include <time.h>

#include "engine/fleet/choose.h"
#include "engine/fleet/prune_impl.h"

/*
 * Samples of a sum are written first, under a number that is drawn anew each
 * time, and its row in `runs` last, which names the hashes of what it stands
 * for: from then on those are not read. Broken off anywhere, each sample
 * counts once.
 *
 * Others may do the same at the same time, or take recordings out. So that row
 * is written by a statement that writes nothing unless all that it adds up is
 * there still, in no sum, and no other such statement runs: of two, one begins
 * when the other is done, or neither writes. Who wrote nothing takes its
 * samples back and looks again at what is left of the day.
 */

/* Recordings that may be added up agree in this; over `runs`. */
#define GROUP_COLUMNS                                                          \
    "host, os, format, metric, label_keys, label_values, interval_ns, singles"
#define DAY "intDiv(toUInt32(time), 86400)"

struct adding {
    struct pruning *p;
    uint64_t salt;         /* of the sums' numbers, of each attempt its own */
    struct fleet_ids runs; /* of one day */
    struct fleet_ids sums; /* their numbers */
};

/* The number of the sum that a recording becomes part of, which begins as its
 * own does. */
static void write_number(const struct adding *a, struct out *sql)
{
    out_fmt(sql,
            "bitOr(bitShiftLeft(bitShiftRight(run, %d), %d), bitShiftRight("
            "cityHash64('%llx', toString(" DAY "), host, os, format, metric, "
            "label_keys, label_values, toString(interval_ns), "
            "toString(singles)), %d))",
            FLEET_RUN_BITS, FLEET_RUN_BITS, (unsigned long long)a->salt,
            64 - FLEET_RUN_BITS);
}

/* The numbers of the sums. */
static enum err_code find_sums(struct adding *a)
{
    struct out *sql = out_memory();
    enum err_code code;

    a->sums.all.len = 0;
    out_str(sql, "SELECT DISTINCT ");
    write_number(a, sql);
    out_fmt(sql, " FROM runs%s WHERE run IN ids", a->p->suffix);
    code = prune_ask(a->p, out_text(sql, NULL), &a->runs, &a->sums);
    out_close(sql, NULL);
    return code;
}

static enum err_code insert(const struct adding *a, struct out *sql)
{
    struct answer answer = {0};
    enum err_code code =
        fleet_ask(a->p->f, out_text(sql, NULL), &a->runs, &answer, a->p->err);

    fleet_answer_release(&answer);
    out_close(sql, NULL);
    return code;
}

static enum err_code add_samples(const struct adding *a)
{
    const char *suffix = a->p->suffix;
    struct out *sql = out_memory();

    out_fmt(sql,
            "INSERT INTO samples%s (run, day, stack, slice, weight) SELECT "
            "number, any(day), stack, toUInt32(0), sum(weight) FROM samples%s "
            "ANY INNER JOIN (SELECT run, ",
            suffix, suffix);
    write_number(a, sql);
    out_fmt(sql,
            " AS number FROM runs%s WHERE run IN ids) USING run WHERE run IN "
            "ids GROUP BY number, stack",
            suffix);
    return insert(a, sql);
}

#define ADD_RUNS "INSERT INTO runs%s (run, hash, file,"

/* That nothing has come in between; the statement counts itself, too. */
static void write_condition(const struct adding *a, struct out *sql)
{
    const char *suffix = a->p->suffix;

    out_fmt(sql,
            "(SELECT count() FROM system.processes WHERE startsWith(query, "
            "'" ADD_RUNS "')) = 1 AND (SELECT count() FROM runs%s WHERE run "
            "IN ids AND hash GLOBAL NOT IN (SELECT arrayJoin(replaces) FROM "
            "runs)) = %zu",
            suffix, suffix, a->runs.all.len);
}

static enum err_code add_runs(const struct adding *a)
{
    const char *suffix = a->p->suffix;
    struct out *sql = out_memory();

    out_fmt(sql,
            ADD_RUNS
            " time, pushed, " GROUP_COLUMNS
            ", duration_ns, slice_ns, cpus, pointer_size, samples, selected, "
            "complete, unnamed, idle, events, lost_events, lost_buffers, "
            "skipped_bytes, skipped_ranges, malformed, cut_stacks, "
            "recordings, replaces) SELECT ",
            suffix);
    write_number(a, sql);
    out_fmt(sql,
            " AS number, lower(hex(SHA256(arrayStringConcat(arraySort("
            "groupArray(hash)))))), concat(toString(sum(recordings)), "
            "' recordings of ', formatDateTime(min(time), '%%F', 'UTC')), "
            "min(time), now(), " GROUP_COLUMNS ", sum(duration_ns), "
            "max(slice_ns), max(cpus), max(pointer_size), sum(samples), "
            "sum(selected), sum(complete), sum(unnamed), sum(idle), sum(events), "
            "sum(lost_events), sum(lost_buffers), sum(skipped_bytes), "
            "sum(skipped_ranges), sum(malformed), sum(cut_stacks), "
            "sum(recordings), arrayConcat(groupArray(hash), "
            "groupArrayArray(replaces)) FROM runs%s WHERE run IN ids AND ",
            suffix);
    write_condition(a, sql);
    out_str(sql, " GROUP BY number, " GROUP_COLUMNS);
    return insert(a, sql);
}

/* Days that have what is not in a sum yet. */
static enum err_code find_days(struct pruning *p, const char *chosen,
                               struct fleet_ids *days)
{
    struct out *sql = out_memory();
    enum err_code code;

    out_fmt(sql,
            "SELECT DISTINCT toUInt64(" DAY ") AS of FROM runs%s WHERE %s AND "
            "empty(replaces) ORDER BY of",
            p->suffix, chosen);
    code = prune_ask(p, out_text(sql, NULL), NULL, days);
    out_close(sql, NULL);
    return code;
}

/* What is not in a sum, and the sums that it belongs to. */
static enum err_code find_runs(struct adding *a, const char *chosen,
                               uint64_t day)
{
    struct out *sql = out_memory();
    enum err_code code;

    a->runs.all.len = 0;
    out_fmt(sql,
            "SELECT arrayJoin(all) FROM (SELECT groupArray(run) AS all FROM "
            "runs%s WHERE " DAY " = %llu AND %s GROUP BY ",
            a->p->suffix, (unsigned long long)day, chosen);
    write_number(a, sql);
    out_str(sql, " HAVING countIf(empty(replaces)) > 0)");
    code = prune_ask(a->p, out_text(sql, NULL), NULL, &a->runs);
    out_close(sql, NULL);
    return code;
}

/* Whether the sums are there; false, and their samples are not, where another
 * came first. */
static enum err_code settle(struct adding *a, bool *added)
{
    struct fleet_ids there = {.all = {0}};
    struct out *sql = out_memory();
    enum err_code code;

    out_fmt(sql, "SELECT run FROM runs%s WHERE run IN ids", a->p->suffix);
    code = prune_ask(a->p, out_text(sql, NULL), &a->sums, &there);
    *added = there.all.len > 0;
    if (!code && !*added)
        code = prune_delete(a->p, "samples", &a->sums);
    vec_release(&there.all);
    out_close(sql, NULL);
    return code;
}

/* Each waits for another time, so that of two one comes first. */
static void wait_a_little(struct adding *a)
{
    enum { LEAST_MS = 50, MORE_MS = 500 };
    uint64_t drawn = ++a->salt * 0x9e3779b97f4a7c15u >> 32;
    const struct timespec span = {0,
                                  (long)(LEAST_MS + drawn % MORE_MS) * 1000000};

    nanosleep(&span, NULL);
}

static enum err_code add_day(struct adding *a, const char *chosen, uint64_t day)
{
    enum { ATTEMPTS = 50 };
    bool added = false;
    enum err_code code;

    for (int i = 0; i < ATTEMPTS && !added; i++) {
        if (i)
            wait_a_little(a);
        code = find_runs(a, chosen, day);
        if (code || !a->runs.all.len)
            return code;
        code = find_sums(a);
        if (!code)
            code = add_samples(a);
        if (!code)
            code = add_runs(a);
        if (!code)
            code = settle(a, &added);
        if (code)
            return code;
    }
    return added ? ERR_NONE
                 : err_set(a->p->err, ERR_DATABASE,
                           "%s: others add up the same recordings",
                           a->p->f->address.text);
}

enum err_code daily_add_up(struct pruning *p, size_t *runs)
{
    struct adding a = {.p = p};
    struct fleet_ids days = {.all = {0}};
    struct out *chosen = out_memory();
    enum err_code code = choose_runs(p->f, p->q, chosen, p->err);

    *runs = 0;
    if (!code && getrandom(&a.salt, sizeof(a.salt), 0) != sizeof(a.salt))
        code = err_set(p->err, ERR_IO, "no random numbers");
    if (!code)
        code = find_days(p, out_text(chosen, NULL), &days);
    for (size_t i = 0; !code && i < days.all.len; i++) {
        code = add_day(&a, out_text(chosen, NULL), days.all.data[i]);
        *runs += code ? 0 : a.runs.all.len;
    }
    vec_release(&a.runs.all);
    vec_release(&a.sums.all);
    vec_release(&days.all);
    out_close(chosen, NULL);
    return code;
}
