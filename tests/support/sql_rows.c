#include "tests/support/sql_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/out.h"

struct query *sql_rows_open(const struct query_source *source)
{
    static const struct query_limits none = {0, 0};
    struct err err = {0};
    struct query *q = query_new(NULL, &none, &err);

    if (!q || query_add_trace(q, "main", source, &err)) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    return q;
}

char *sql_rows(struct query *q, const char *sql, struct err *err)
{
    struct query_result *r = query_next(q, &sql, err);
    struct out *out = out_memory();
    char *text = NULL;

    while (r && query_step(r)) {
        for (size_t i = 0; i < query_columns(r); i++) {
            struct query_value v = query_value(r, i);

            out_str(out, i ? " " : "");
            out_bytes(out, v.text ? v.text : "-", v.text ? v.len : 1);
        }
        out_char(out, '\n');
    }
    if (r && !query_end(r, err))
        text = strdup(out_text(out, NULL));
    out_close(out, NULL);
    return text;
}

char *sql_rows_well(struct query *q, const char *sql)
{
    struct err err = {0};
    char *text = sql_rows(q, sql, &err);

    if (text)
        return text;
    fprintf(stderr, "%s: %s\n", sql, err.message);
    abort();
}
