#include "engine/fleet/prune.h"

#include <time.h>

#include "engine/fleet/where.h"

enum { AT_ONCE = 2000, POLL_MS = 100 };

struct pruning {
    struct fleet *f;
    const char *suffix; /* of the tables that hold this server's rows */
    VEC(uint64_t) runs;
    struct err *err;
};

static enum err_code ask_number(struct pruning *p, const char *sql,
                                uint64_t *number)
{
    struct answer answer = {0};
    enum err_code code = fleet_ask(p->f, sql, NULL, &answer, p->err);
    struct reader r = fleet_reader(p->f, &answer, p->err);

    *number = code ? 0 : reader_u64(&r);
    fleet_answer_release(&answer);
    return code ? code : r.failed ? ERR_CORRUPT : ERR_NONE;
}

static enum err_code find_suffix(struct pruning *p)
{
    uint64_t shards;
    enum err_code code = ask_number(
        p,
        "SELECT count() FROM system.tables WHERE database = currentDatabase() "
        "AND name = 'runs_shard'",
        &shards);

    p->suffix = shards ? "_shard" : "";
    return code;
}

/* Every row of a recording, also of one that was sent twice at once. */
static enum err_code find_runs(struct pruning *p,
                               const struct fleet_question *q)
{
    const char *conditions[] = {p->f->address.where, q->where};
    struct out *sql = out_memory();
    struct answer answer = {0};
    enum err_code code = ERR_NONE;
    struct reader r;

    out_fmt(sql, "SELECT run FROM runs%s WHERE toUInt32(time) >= %lld",
            p->suffix, (long long)q->since);
    if (q->until)
        out_fmt(sql, " AND toUInt32(time) < %lld", (long long)q->until);
    for (int i = 0; i < 2 && !code; i++) {
        if (!conditions[i])
            continue;
        out_str(sql, " AND ");
        code = where_sql(conditions[i], sql, p->err);
    }
    if (!code)
        code = fleet_ask(p->f, out_text(sql, NULL), NULL, &answer, p->err);
    r = fleet_reader(p->f, &answer, p->err);
    while (!code && reader_more(&r))
        *vec_add(&p->runs) = reader_u64(&r);
    fleet_answer_release(&answer);
    out_close(sql, NULL);
    return code ? code : r.failed ? ERR_CORRUPT : ERR_NONE;
}

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
    while (!(code = ask_number(p, out_text(sql, NULL), &left)) && left)
        nanosleep(&span, NULL);
    out_close(sql, NULL);
    return code;
}

static enum err_code delete_from(struct pruning *p, const char *table)
{
    enum err_code code = ERR_NONE;

    for (size_t i = 0; !code && i < p->runs.len;) {
        struct out *sql = out_memory();
        const char *before = "";

        out_fmt(sql, "ALTER TABLE %s%s DELETE WHERE run IN (", table,
                p->suffix);
        for (size_t n = 0; n < AT_ONCE && i < p->runs.len; n++, i++) {
            out_str(sql, before);
            out_u64(sql, p->runs.data[i]);
            before = ", ";
        }
        out_char(sql, ')');
        code = fleet_tell(p->f, out_text(sql, NULL), p->err);
        out_close(sql, NULL);
    }
    return code ? code : wait_for(p, table);
}

enum err_code fleet_prune(struct fleet *f, const struct fleet_question *q,
                          size_t *runs, struct err *err)
{
    struct pruning p = {.f = f, .err = err};
    enum err_code code = find_suffix(&p);

    if (!code)
        code = find_runs(&p, q);
    if (!code)
        code = delete_from(&p, "runs");
    if (!code)
        code = delete_from(&p, "samples");
    *runs = code ? 0 : p.runs.len;
    vec_release(&p.runs);
    return code;
}
