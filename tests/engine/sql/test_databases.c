/*
 * Databases have no raw events: whoever asks for some is told so, and of which
 * traces the database was made.
 */
#include "engine/base/strings.h"
#include "engine/events/events.h"
#include "engine/input/trace_events.h"
#include "engine/sql/query.h"
#include "engine/store/store.h"
#include "tests/support/full_profile.h"
#include "tests/support/sql_rows.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static const struct {
    unsigned files;
    const char *told;
} made[] = {
    {0, ""},
    {1, "; open 0.etl"},
    {2, "; open 0.etl and 1.etl"},
    {3, "; open 0.etl, 1.etl and 2.etl"},
    {5, "; open 0.etl, 1.etl, 2.etl and 2 others"},
};

enum { MADE = COUNT(made) };

static void write_database(char path[TEMP_PATH], unsigned files)
{
    struct profile *p = full_profile(3, 20);
    struct err err = {0};

    temp_file(path, "", 0);
    p->trace.files.len = 0;
    for (unsigned i = 0; i < files; i++) {
        char name[16];
        size_t n = (size_t)snprintf(name, sizeof(name), "%u.etl", i);

        *vec_add(&p->trace.files) = strings_add(p->strings, name, n);
    }
    ck_assert_msg(!store_write(p, path, &err), "%s", err.message);
    profile_free(p);
}

static void check_told(const struct err *err, const char *path,
                       const char *made_of)
{
    char wanted[200];

    snprintf(wanted, sizeof(wanted), "%s: a database stores no raw events%s",
             path, made_of);
    ck_assert_str_eq(err->message, wanted);
    ck_assert_int_eq(err->code, ERR_UNSUPPORTED);
}

TEST_LOOP(a_walk_is_refused, MADE)
{
    char path[TEMP_PATH];
    const char *paths[] = {path};
    struct err err = {0};

    write_database(path, made[_i].files);
    ck_assert_ptr_null(event_trace_open(paths, 1, &err));
    check_told(&err, path, made[_i].told);
    unlink(path);
}

static const struct profile *no_profile(void *state, bool event_stacks,
                                        struct err *err)
{
    (void)event_stacks;
    (void)state;
    err_set(err, ERR_UNSUPPORTED, "none");
    return NULL;
}

static struct query *open_query(const char *path)
{
    static const struct query_limits none = {0, 0};
    struct err err = {0};
    struct query *q = query_new(path, &none, &err);

    ck_assert_msg(q != NULL, "%s", err.message);
    return q;
}

static const char *const asked_of_main[] = {
    "SELECT * FROM events",
    "SELECT * FROM main.EVENTS",
    "SELECT 1 FROM sample, \"Windows Kernel/Process/Start\"",
    "SELECT 1 FROM MAIN.\"Process/Start\"",
};

TEST_LOOP(tables_of_events_are_refused, COUNT(asked_of_main))
{
    char path[TEMP_PATH];
    struct err err = {0};
    struct query *q;

    write_database(path, 1);
    q = open_query(path);
    ck_assert_ptr_null(sql_rows(q, asked_of_main[_i], &err));
    check_told(&err, path, made[1].told);
    query_free(q);
    unlink(path);
}

/* Beside a trace, what is missing is the database's only by its name. */
TEST(attached_ones_are_told_apart)
{
    static const char *const trace[] = {"testdata/etl/orders.etl"};
    struct query_source source = {no_profile, NULL, trace, 1, event_trace_open};
    struct query *q = open_query(NULL);
    struct err err = {0};
    char path[TEMP_PATH], *rows;

    write_database(path, 1);
    ck_assert(!query_add_trace(q, "main", &source, &err));
    ck_assert(!query_add_database(q, "b", path, &err));
    rows = sql_rows_well(q, "SELECT count(*) FROM events");
    ck_assert_str_eq(rows, "4365\n");
    free(rows);
    ck_assert_ptr_null(sql_rows(q, "SELECT * FROM b.events", &err));
    check_told(&err, path, made[1].told);
    err = (struct err){0};
    ck_assert_ptr_null(sql_rows(q, "SELECT * FROM \"No/Such\"", &err));
    ck_assert_str_eq(err.message, "no such table: No/Such");
    err = (struct err){0};
    ck_assert_ptr_null(sql_rows(q, "SELECT * FROM b.other", &err));
    ck_assert_str_eq(err.message, "no such table: b.other");
    query_free(q);
    unlink(path);
}
