#include "engine/fleet/having.h"

#include <stdio.h>
#include <string.h>

#include "engine/analysis/match.h"
#include "engine/base/map.h"
#include "engine/fleet/choose.h"
#include "engine/fleet/rows.h"
#include "engine/fleet/sql.h"

/* The server follows the function from table to table; what comes back in
 * between are ids. */

struct asking {
    struct fleet *f;
    struct err *err;
    struct fleet_ids ids; /* of the last answer */
};

static enum err_code ask(struct asking *a, const char *sql,
                         struct answer *answer)
{
    bool any = a->ids.all.len;

    return fleet_ask(a->f, sql, any ? &a->ids : NULL, answer, a->err);
}

/* ---- functions ---- */

/* The longest part of a pattern without * and ? must be in a name. */
static void write_condition(const char *pattern, struct out *sql)
{
    size_t most = 0, at = 0;
    char part[256];

    for (size_t i = 0; pattern[i];) {
        size_t n = strcspn(pattern + i, "*?");

        if (n > most) {
            most = n;
            at = i;
        }
        i += n + (pattern[i + n] != '\0');
    }
    most = most < sizeof(part) ? most : sizeof(part) - 1;
    memcpy(part, pattern + at, most);
    part[most] = '\0';
    if (!most) {
        out_str(sql, "name != ''");
        return;
    }
    out_str(sql, "positionCaseInsensitive(name, ");
    sql_text(sql, part);
    out_str(sql, ") != 0");
}

/* Those that follow the strictest rule by which any does. */
static enum err_code take_functions(struct asking *a, const char *name,
                                    const struct answer *answer)
{
    struct reader r = fleet_reader(a->f, answer, a->err);
    size_t best = MATCH_RULES;
    struct arena arena = {0};

    while (reader_more(&r)) {
        uint64_t id = reader_u64(&r);
        struct bytes text = row_get_bytes(&r);
        size_t rule = 0;
        const char *found = arena_strndup(
            &arena, text.len ? (const char *)text.data : "", text.len);

        while (rule < best && !match_rule(rule, name, found))
            rule++;
        if (rule < best) {
            best = rule;
            a->ids.all.len = 0;
        }
        if (rule < MATCH_RULES && match_rule(best, name, found))
            *vec_add(&a->ids.all) = id;
        arena_reset(&arena);
    }
    arena_release(&arena);
    return r.failed ? ERR_CORRUPT : ERR_NONE;
}

static enum err_code find_functions(struct asking *a, const char *name)
{
    struct out *sql = out_memory();
    struct answer answer = {0};
    enum err_code code;

    out_str(sql, "SELECT id, name FROM functions WHERE ");
    write_condition(name, sql);
    code = ask(a, out_text(sql, NULL), &answer);
    if (!code)
        code = take_functions(a, name, &answer);
    if (!code && !a->ids.all.len)
        code = err_set(a->err, ERR_NOT_FOUND, "%s: no function is called %s",
                       a->f->address.text, name);
    fleet_answer_release(&answer);
    out_close(sql, NULL);
    return code;
}

/* ---- from there on ---- */

/* The rows of a table that have one of the ids in a list of theirs; `also`: a
 * condition besides. */
static enum err_code find_holders(struct asking *a, const char *table,
                                  const char *list, const char *also)
{
    struct out *sql = out_memory();
    struct answer answer = {0};
    enum err_code code;
    struct reader r;

    out_fmt(sql,
            "SELECT DISTINCT id FROM %s ARRAY JOIN %s AS of WHERE of IN ids%s",
            table, list, also);
    code = ask(a, out_text(sql, NULL), &answer);
    a->ids.all.len = 0;
    r = fleet_reader(a->f, &answer, a->err);
    while (!code && reader_more(&r))
        *vec_add(&a->ids.all) = reader_u64(&r);
    fleet_answer_release(&answer);
    out_close(sql, NULL);
    return code ? code : r.failed ? ERR_CORRUPT : ERR_NONE;
}

static enum err_code take_sums(struct asking *a, const struct answer *answer,
                               struct fleet_runs *runs)
{
    struct reader r = fleet_reader(a->f, answer, a->err);
    struct map places = {0};

    for (size_t i = 0; i < runs->all.len; i++)
        map_set(&places, runs->all.data[i].number, 0, (uint32_t)i);
    while (reader_more(&r)) {
        uint64_t run = reader_u64(&r), weight = reader_u64(&r);
        uint32_t at = map_get(&places, run, 0);

        if (at != MAP_NONE)
            runs->all.data[at].having = weight;
    }
    map_release(&places);
    return r.failed ? ERR_CORRUPT : ERR_NONE;
}

static enum err_code add_up(struct asking *a, const struct fleet_question *q,
                            struct fleet_runs *runs)
{
    struct out *sql = out_memory();
    struct answer answer = {0};
    enum err_code code;

    out_str(sql, "SELECT run, sum(weight) FROM samples WHERE run GLOBAL IN "
                 "(SELECT run FROM runs WHERE ");
    code = choose_runs(a->f, q, sql, a->err);
    out_str(sql, ") AND stack IN ids GROUP BY run");
    if (!code)
        code = ask(a, out_text(sql, NULL), &answer);
    if (!code)
        code = take_sums(a, &answer, runs);
    fleet_answer_release(&answer);
    out_close(sql, NULL);
    return code;
}

enum err_code fleet_having(struct fleet *f, const struct fleet_question *q,
                           const char *name, struct fleet_runs *runs,
                           struct err *err)
{
    struct asking a = {.f = f, .err = err};
    enum err_code code = find_functions(&a, name);
    char busy[64];

    snprintf(busy, sizeof(busy), " AND bitAnd(flags, %d) = 0", SAMPLE_IDLE);
    if (!code)
        code = find_holders(&a, "locations", "functions", "");
    if (!code && a.ids.all.len)
        code = find_holders(&a, "stacks", "locations", busy);
    if (!code && a.ids.all.len)
        code = add_up(&a, q, runs);
    vec_release(&a.ids.all);
    return code;
}
