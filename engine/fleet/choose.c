#include "engine/fleet/choose.h"

#include <string.h>

#include "engine/fleet/where.h"

static enum err_code add_where(const char *where, struct out *sql,
                               struct err *err)
{
    if (!where)
        return ERR_NONE;
    out_str(sql, " AND ");
    return where_sql(where, sql, err);
}

enum err_code choose_runs(const struct fleet *f,
                          const struct fleet_question *q, struct out *sql,
                          struct err *err)
{
    enum err_code code;

    out_str(sql, "run GLOBAL IN (SELECT min(run) FROM runs GROUP BY hash) AND "
                 "hash GLOBAL NOT IN (SELECT arrayJoin(replaces) FROM runs)");
    if (q->since > 0) {
        out_str(sql, " AND toUInt32(time) >= ");
        out_i64(sql, q->since);
    }
    if (q->until > 0) {
        out_str(sql, " AND toUInt32(time) < ");
        out_i64(sql, q->until);
    }
    code = add_where(f->address.where, sql, err);
    return code ? code : add_where(q->where, sql, err);
}

void choose_unit(const struct fleet_question *q, struct out *number,
                 struct out *name)
{
    if (!strcmp(q->apart, "run")) {
        out_str(number, "run");
        out_str(name, "file");
        return;
    }
    where_key_sql(q->apart, name);
    out_str(number, "cityHash64(");
    where_key_sql(q->apart, number);
    out_char(number, ')');
}
