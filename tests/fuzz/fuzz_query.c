/* The bytes as SQL over the tables of a profile. */
#include "engine/base/text.h"
#include "engine/model/profile.h"
#include "engine/input/trace_events.h"
#include "engine/sql/query.h"
#include "tests/fuzz/target.h"
#include "tests/support/full_profile.h"

static const struct profile *give(void *state, bool event_stacks,
                                  struct err *err)
{
    static struct profile *p;

    (void)event_stacks;
    (void)state;
    (void)err;
    if (!p)
        p = full_profile(1, 20);
    return p;
}

static void run(struct query *q, const char *sql)
{
    struct err err = {0};
    struct query_result *r;

    while ((r = query_next(q, &sql, &err))) {
        while (query_step(r))
            for (size_t i = 0; i < query_columns(r); i++)
                query_value(r, i);
        if (query_end(r, &err))
            return;
    }
}

FUZZ(query)
{
    static const struct query_limits limits = {5000000, 8 << 20};
    static const struct query_source source = {
        .profile = give, .open_events = event_trace_open};
    struct err err = {0};
    struct query *q = query_new(NULL, &limits, &err);
    char *sql = text_copy(data, size);

    if (q && !query_add_trace(q, "main", &source, &err))
        run(q, sql);
    if (q)
        query_free(q);
    free(sql);
    return 0;
}
