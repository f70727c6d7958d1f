#include "engine/sql/places.h"

#include <assert.h>
#include <string.h>

#include "engine/base/text.h"
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

/* What is counted is counted together. */
static uint64_t counted(void)
{
    uint64_t bits = 0;

    for (size_t i = 0; store_counted[i]; i++)
        bits |= bit_of(store_counted[i]);
    return bits;
}

int place_open(struct place *p, sqlite3 *db, const char *name,
               const struct query_source *source)
{
    struct store_fill fill = {.db = db, .schema = p->name};

    *p = (struct place){.db = db, .source = source};
    strncpy(p->name, name, sizeof(p->name) - 1);
    return store_create(&fill);
}

void place_want(struct place *p, const char *table)
{
    uint64_t bit = bit_of(table);

    p->wanted |= bit & counted() ? counted() : bit;
}

static bool is_wanted(void *context, const char *table)
{
    const struct place *p = context;

    return p->wanted & ~p->filled & bit_of(table);
}

const struct profile *place_profile(void *place, struct err *err)
{
    struct place *p = place;

    if (!p->profile)
        p->profile = p->source->profile(p->source->state, err);
    return p->profile;
}

enum err_code place_fill(struct place *p, struct err *err)
{
    struct store_fill fill = {p->db, p->name, is_wanted, p};
    int result;

    if (!(p->wanted & ~p->filled))
        return ERR_NONE;
    if (!place_profile(p, err))
        return err->code;
    result = sqlite3_exec(p->db, "BEGIN", NULL, NULL, NULL);
    if (!result)
        result = store_fill(&fill, p->profile);
    if (!result)
        result = sqlite3_exec(p->db, "COMMIT", NULL, NULL, NULL);
    if (result)
        return store_sql_fail(err, p->db, result, p->name, "cannot fill");
    p->filled |= p->wanted;
    return ERR_NONE;
}
