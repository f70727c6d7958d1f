#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/events/events.h"
#include "engine/sql/query_impl.h"
#include "engine/store/fill.h"
#include "engine/store/schema.h"
#include "engine/store/sql.h"

/* The bit of a table; 0: none of ours. */
static uint64_t bit_of(const char *table)
{
    unsigned bit = 0;

    for (size_t i = 0; i < STORE_TABLES; i++, bit++)
        if (ascii_same(store_tables[i].name, table))
            return (uint64_t)1 << bit;
    for (const struct store_made *m = store_made; m->name; m++) {
        if (m->from)
            continue;
        assert(bit < 64);
        if (ascii_same(m->name, table))
            return (uint64_t)1 << bit;
        bit++;
    }
    return 0;
}

/* Tables of counts are filled together. */
static uint64_t counted(void)
{
    uint64_t bits = 0;

    for (size_t i = 0; store_counted[i]; i++)
        bits |= bit_of(store_counted[i]);
    return bits;
}

struct place *query_place(struct query *q, const char *schema)
{
    for (size_t i = 0; i < q->place_count; i++)
        if (!sqlite3_stricmp(q->places[i].name, schema))
            return &q->places[i];
    return NULL;
}

struct event_trace *place_open_events(struct query *q, struct place *p)
{
    if (!p->trace)
        p->trace = p->source->open_events(p->source->paths,
                                          p->source->path_count, &q->trace_err);
    return p->trace;
}

int place_open(struct query *q, struct place *p)
{
    struct store_fill fill = {.db = q->db, .schema = p->name};

    p->has_tables = true;
    return store_create(&fill);
}

void place_want(struct place *p, const char *table)
{
    uint64_t bit = p->has_tables ? bit_of(table) : 0;

    p->wanted |= bit & counted() ? counted() : bit;
    p->wants_frames |= is_frame_table(table);
}

static int empty_table(struct query *q, const struct place *p,
                       const char *table)
{
    if (!(p->filled & bit_of(table)))
        return SQLITE_OK;
    return query_run(q, store_sql_text("DELETE FROM %s.%s", p->name, table));
}

/* Empties what an earlier statement filled. The result is SQLite's. */
static int forget_profile(struct query *q, struct place *p)
{
    int result = SQLITE_OK;

    for (size_t i = 0; i < STORE_TABLES && !result; i++)
        result = empty_table(q, p, store_tables[i].name);
    for (const struct store_made *m = store_made; m->name && !result; m++)
        if (!m->from)
            result = empty_table(q, p, m->name);
    if (p->texts.p)
        frame_texts_release(&p->texts);
    p->texts = (struct frame_texts){0};
    free(p->used);
    p->used = NULL;
    p->profile = NULL;
    p->filled = 0;
    return result;
}

static bool is_wanted(void *context, const char *table)
{
    const struct place *p = context;

    return p->wanted & ~p->filled & bit_of(table);
}

enum err_code place_fill(struct query *q, struct place *p, struct err *err)
{
    struct store_fill fill = {q->db, p->name, is_wanted, p};
    bool is_due;
    int result;

    if (p->profile && p->wants_event_stacks && !p->has_event_stacks &&
        (result = forget_profile(q, p)))
        return store_sql_fail(err, q->db, result, p->name, "cannot fill");
    is_due = p->wanted & ~p->filled;
    if (!is_due && (!p->wants_frames || p->texts.p))
        return ERR_NONE;
    if (!p->profile)
        p->profile =
            p->source->profile(p->source->state, p->wants_event_stacks, err);
    if (!p->profile)
        return err->code;
    p->has_event_stacks = p->wants_event_stacks;
    if (p->wants_frames && !p->texts.p)
        frame_texts_init(&p->texts, p->profile);
    if (!is_due)
        return ERR_NONE;
    result = sqlite3_exec(q->db, "BEGIN", NULL, NULL, NULL);
    if (!result)
        result = store_fill(&fill, p->profile);
    if (!result)
        result = sqlite3_exec(q->db, "COMMIT", NULL, NULL, NULL);
    if (result)
        return store_sql_fail(err, q->db, result, p->name, "cannot fill");
    p->filled |= p->wanted;
    return ERR_NONE;
}

void place_release(struct place *p)
{
    event_spans_release(&p->spans);
    event_trace_close(p->trace);
    if (p->texts.p)
        frame_texts_release(&p->texts);
    free(p->used);
}
