#include "engine/fleet/prune.h"

#include <time.h>

#include "engine/fleet/prune_impl.h"
#include "engine/fleet/where.h"

enum { AT_ONCE = 2000, POLL_MS = 100 };

enum err_code prune_ask(struct pruning *p, const char *sql,
                        const struct fleet_ids *ids, struct fleet_ids *numbers)
{
    struct answer answer = {0};
    enum err_code code = fleet_ask(p->f, sql, ids, &answer, p->err);
    struct reader r = fleet_reader(p->f, &answer, p->err);

    while (!code && reader_more(&r))
        *vec_add(&numbers->all) = reader_u64(&r);
    fleet_answer_release(&answer);
    return code ? code : r.failed ? ERR_CORRUPT : ERR_NONE;
}

static enum err_code ask_count(struct pruning *p, const char *sql,
                               uint64_t *count)
{
    struct fleet_ids numbers = {.all = {0}};
    enum err_code code = prune_ask(p, sql, NULL, &numbers);

    *count = numbers.all.len ? numbers.all.data[0] : 0;
    vec_release(&numbers.all);
    return code;
}

static enum err_code find_suffix(struct pruning *p)
{
    uint64_t shards;
    enum err_code code = ask_count(
        p,
        "SELECT count() FROM system.tables WHERE database = currentDatabase() "
        "AND name = 'runs_shard'",
        &shards);

    p->suffix = shards ? "_shard" : "";
    return code;
}

/* ---- which ---- */

/* Every row of a recording, also of one that was sent twice at once. */
static enum err_code find_runs(struct pruning *p, struct fleet_ids *runs)
{
    const char *conditions[] = {p->f->address.where, p->q->where};
    struct out *sql = out_memory();
    enum err_code code = ERR_NONE;

    out_fmt(sql, "SELECT run FROM runs%s WHERE toUInt32(time) >= %lld",
            p->suffix, (long long)p->q->since);
    if (p->q->until)
        out_fmt(sql, " AND toUInt32(time) < %lld", (long long)p->q->until);
    for (int i = 0; i < 2 && !code; i++) {
        if (!conditions[i])
            continue;
        out_str(sql, " AND ");
        code = where_sql(conditions[i], sql, p->err);
    }
    if (!code)
        code = prune_ask(p, out_text(sql, NULL), NULL, runs);
    out_close(sql, NULL);
    return code;
}

/* Those that a sum stands for, which nobody reads. */
static enum err_code find_replaced(struct pruning *p, struct fleet_ids *runs)
{
    struct out *sql = out_memory();
    enum err_code code;

    out_fmt(sql,
            "SELECT run FROM runs%s WHERE hash GLOBAL IN (SELECT "
            "arrayJoin(replaces) FROM runs)",
            p->suffix);
    code = prune_ask(p, out_text(sql, NULL), NULL, runs);
    out_close(sql, NULL);
    return code;
}

/* ---- taking out ---- */

/* The server deletes in the background. */
static enum err_code wait_for(struct pruning *p, const char *table)
{
    const struct timespec span = {0, POLL_MS * 1000000L};
    struct out *sql = out_memory();
    enum err_code code;
    uint64_t left;

    out_fmt(sql,
            "SELECT count() FROM system.mutations WHERE database = "
            "currentDatabase() AND table = '%s%s' AND NOT is_done",
            table, p->suffix);
    while (!(code = ask_count(p, out_text(sql, NULL), &left)) && left)
        nanosleep(&span, NULL);
    out_close(sql, NULL);
    return code;
}

enum err_code prune_delete(struct pruning *p, const char *table,
                           const struct fleet_ids *runs)
{
    enum err_code code = ERR_NONE;

    for (size_t i = 0; !code && i < runs->all.len;) {
        struct out *sql = out_memory();
        const char *before = "";

        out_fmt(sql, "ALTER TABLE %s%s DELETE WHERE run IN (", table,
                p->suffix);
        for (size_t n = 0; n < AT_ONCE && i < runs->all.len; n++, i++) {
            out_str(sql, before);
            out_u64(sql, runs->all.data[i]);
            before = ", ";
        }
        out_char(sql, ')');
        code = fleet_tell(p->f, out_text(sql, NULL), p->err);
        out_close(sql, NULL);
    }
    return code || !runs->all.len ? code : wait_for(p, table);
}

/* Their rows in `runs` are the last to go, so that they are found again when
 * this is broken off. */
static enum err_code delete_replaced(struct pruning *p)
{
    struct fleet_ids runs = {.all = {0}};
    enum err_code code = find_replaced(p, &runs);

    if (!code)
        code = prune_delete(p, "samples", &runs);
    if (!code)
        code = prune_delete(p, "runs", &runs);
    vec_release(&runs.all);
    return code;
}

/* Without its row in `runs` a recording is not there. */
static enum err_code delete_chosen(struct pruning *p, size_t *count)
{
    struct fleet_ids runs = {.all = {0}};
    enum err_code code = find_runs(p, &runs);

    if (!code)
        code = prune_delete(p, "runs", &runs);
    if (!code)
        code = prune_delete(p, "samples", &runs);
    *count = code ? 0 : runs.all.len;
    vec_release(&runs.all);
    return code;
}

enum err_code fleet_prune(struct fleet *f, const struct fleet_question *q,
                          bool daily, size_t *runs, struct err *err)
{
    struct pruning p = {.f = f, .q = q, .err = err};
    enum err_code code = find_suffix(&p);

    *runs = 0;
    if (!code && daily)
        code = daily_add_up(&p, runs);
    if (!code)
        code = delete_replaced(&p);
    return code || daily ? code : delete_chosen(&p, runs);
}
