#include "engine/fleet/runs.h"

#include "engine/fleet/clickhouse.h"

static const char columns[] =
    "SELECT hash, file, host, os, format, metric, "
    "arrayStringConcat(arrayMap((k, v) -> concat(k, '=', v), label_keys, "
    "label_values), ' '), formatDateTime(time, '%F %T', 'UTC'), duration_ns, "
    "selected, complete, unnamed, lost_events, lost_buffers, skipped_bytes "
    "FROM runs WHERE ";

static const char *get_arena_text(struct arena *arena, struct reader *r)
{
    struct bytes bytes = row_get_bytes(r);

    return arena_strndup(arena, bytes.len ? (const char *)bytes.data : "",
                         bytes.len);
}

static struct fleet_run get_run(struct fleet_runs *runs, struct reader *r)
{
    struct fleet_run run = {.hash = get_arena_text(&runs->arena, r)};

    run.file = get_arena_text(&runs->arena, r);
    run.host = get_arena_text(&runs->arena, r);
    run.os = get_arena_text(&runs->arena, r);
    run.format = get_arena_text(&runs->arena, r);
    run.metric = get_arena_text(&runs->arena, r);
    run.labels = get_arena_text(&runs->arena, r);
    run.time = get_arena_text(&runs->arena, r);
    run.duration_ns = reader_u64(r);
    run.samples = reader_u64(r);
    run.complete = reader_u64(r);
    run.unnamed = reader_u64(r);
    run.lost_events = reader_u64(r);
    run.lost_buffers = reader_u64(r);
    run.skipped_bytes = reader_u64(r);
    return run;
}

enum err_code fleet_runs(struct fleet *f, const struct fleet_question *q,
                         struct fleet_runs *runs, struct err *err)
{
    struct out *sql = out_memory();
    struct answer answer = {0};
    enum err_code code;
    struct reader r;

    out_str(sql, columns);
    code = choose_runs(f, q, sql, err);
    out_str(sql, " ORDER BY time, hash");
    if (!code)
        code = fleet_ask(f, out_text(sql, NULL), NULL, &answer, err);
    r = fleet_reader(f, &answer, err);
    while (!code && reader_more(&r)) {
        struct fleet_run run = get_run(runs, &r);

        if (!r.failed)
            *vec_add(&runs->all) = run;
    }
    if (r.failed)
        code = ERR_CORRUPT;
    fleet_answer_release(&answer);
    out_close(sql, NULL);
    return code;
}

void fleet_runs_release(struct fleet_runs *runs)
{
    vec_release(&runs->all);
    arena_release(&runs->arena);
}

enum err_code fleet_values(struct fleet *f, const struct fleet_question *q,
                           const char *key, struct fleet_values *values,
                           struct err *err)
{
    struct out *sql = out_memory();
    struct answer answer = {0};
    enum err_code code;
    struct reader r;

    out_str(sql, "SELECT DISTINCT ");
    where_key_sql(key, sql);
    out_str(sql, " AS name FROM runs WHERE name != '' AND ");
    code = choose_runs(f, q, sql, err);
    out_str(sql, " ORDER BY arrayMap(x -> toUInt64OrZero(x), "
                 "extractAll(name, '[0-9]+')), name");
    if (!code)
        code = fleet_ask(f, out_text(sql, NULL), NULL, &answer, err);
    r = fleet_reader(f, &answer, err);
    while (!code && reader_more(&r))
        *vec_add(&values->all) = get_arena_text(&values->arena, &r);
    if (r.failed)
        code = ERR_CORRUPT;
    fleet_answer_release(&answer);
    out_close(sql, NULL);
    return code;
}

void fleet_values_release(struct fleet_values *values)
{
    vec_release(&values->all);
    arena_release(&values->arena);
}
