/* What a plan and its values tell the reader of events. */
#include "engine/sql/event_plan.h"

#include <sqlite3.h>

#include "engine/sql/event_columns.h"
#include "tests/support/suite.h"

static sqlite3 *db;

/* The values of "1, 'x', NULL", which the caller releases. */
static size_t values_of(const char *list, sqlite3_value *values[8])
{
    sqlite3_stmt *row;
    char sql[200];
    int n;

    snprintf(sql, sizeof(sql), "SELECT %s", *list ? list : "1");
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(row), SQLITE_ROW);
    n = sqlite3_column_count(row);
    for (int i = 0; i < n; i++)
        values[i] = sqlite3_value_dup(sqlite3_column_value(row, i));
    sqlite3_finalize(row);
    return (size_t)n;
}

static void fill(struct event_filter *f, int flags, const char *plan,
                 const char *list)
{
    sqlite3_value *values[8];
    size_t n;

    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    n = values_of(list, values);
    event_filter_init(f, flags, plan, values);
    while (n--)
        sqlite3_value_free(values[n]);
    sqlite3_close(db);
}

/* Seconds as a double may be a microsecond off: what is let through is that
 * much more. */
static const struct {
    const char *plan, *values;
    int64_t from, to;
    bool timed;
} times[] = {
    {"", "", INT64_MIN, INT64_MAX, false},
    {"time>=?", "1", 999999000, INT64_MAX, true},
    {"time>?", "1.5", 1499999000, INT64_MAX, true},
    {"time<?", "2", INT64_MIN, 2000001000, true},
    {"time<=?", "2", INT64_MIN, 2000001000, true},
    {"time=?", "0.5", 499999000, 500001000, true},
    {"time=?", "-0.5", -500001000, -499999000, true},
    {"time>? time<?", "1, 2", 999999000, 2000001000, true},
    /* The closest of two. */
    {"time>? time>=?", "1, 2", 1999999000, INT64_MAX, true},
    {"time>? time>=?", "2, 1", 1999999000, INT64_MAX, true},
    {"time<? time<=?", "1, 2", INT64_MIN, 1000001000, true},
    {"time<? time<=?", "2, 1", INT64_MIN, 1000001000, true},
    /* Nothing is as early, or as late. */
    {"time>?", "1e10", INT64_MAX, INT64_MAX, true},
    {"time<?", "-1e10", INT64_MIN, INT64_MIN, true},
    {"time>?", "8e9", 7999999999999998976, INT64_MAX, true},
    {"time<?", "-8e9", INT64_MIN, -7999999999999998976, true},
    {"time>?", "-1e10", INT64_MIN, INT64_MAX, true},
    {"time<?", "1e10", INT64_MIN, INT64_MAX, true},
    /* No number: SQLite knows. */
    {"time>?", "'1'", INT64_MIN, INT64_MAX, false},
    {"time>?", "NULL", INT64_MIN, INT64_MAX, false},
};

TEST(times_are_limits)
{
    for (size_t i = 0; i < COUNT(times); i++) {
        struct event_filter f;

        fill(&f, 0, times[i].plan, times[i].values);
        ck_assert_msg(f.options.from == times[i].from, "%s %s: from %lld",
                      times[i].plan, times[i].values,
                      (long long)f.options.from);
        ck_assert_msg(f.options.to == times[i].to, "%s %s: to %lld",
                      times[i].plan, times[i].values, (long long)f.options.to);
        ck_assert_int_eq(f.options.timed, times[i].timed);
        event_filter_release(&f);
    }
}

/* What the lists hold, as "provider,provider;event;pid;tid". */
static const char *lists(const struct event_options *o)
{
    static char text[200];
    size_t n = 0;

#define ADD(...)                                                               \
    (n += (size_t)snprintf(text + n, sizeof(text) - n, __VA_ARGS__))
    *text = '\0';
    for (size_t i = 0; i < o->providers.count; i++)
        ADD("%s%s", i ? "," : "", o->providers.list[i]);
    ADD(";");
    for (size_t i = 0; i < o->events.count; i++)
        ADD("%s%s", i ? "," : "", o->events.list[i]);
    ADD(";");
    for (size_t i = 0; i < o->pids.count; i++)
        ADD("%s%u", i ? "," : "", o->pids.list[i]);
    ADD(";");
    for (size_t i = 0; i < o->tids.count; i++)
        ADD("%s%u", i ? "," : "", o->tids.list[i]);
#undef ADD
    return text;
}

static const struct {
    const char *plan, *values, *lists;
} listed[] = {
    {"", "", ";;;"},
    {"provider=?", "'a'", "a;;;"},
    {"ProviderDescription=?", "'a'", "a;;;"},
    {"ProviderGUID=?", "'a'", "a;;;"},
    {"event=?", "'b'", ";b;;"},
    {"EventName=?", "'b'", ";b;;"},
    {"pid=?", "3", ";;3;"},
    {"ProcessID=?", "3", ";;3;"},
    {"tid=?", "4", ";;;4"},
    {"ThreadID=?", "4", ";;;4"},
    {"tid=? provider=? pid=? event=?", "4, 'a', 3, 'b'", "a;b;3;4"},
    {"pid=? time>? tid=?", "3, 1, 4", ";;3;4"},
    {"event=?", "7", ";7;;"},
    /* Of two on one thing, the first. */
    {"pid=? ProcessID=?", "3, 5", ";;3;"},
    {"tid=? ThreadID=?", "4, 5", ";;;4"},
    {"provider=? ProviderGUID=?", "'a', 'c'", "a;;;"},
    {"event=? EventName=?", "'b', 'c'", ";b;;"},
    /* The reader knows no empty name: all go through. */
    {"provider=?", "''", ";;;"},
    {"provider=? ProviderGUID=?", "'', 'c'", ";;;"},
    {"event=? provider=?", "'', 'a'", "a;;;"},
    {"event=? EventName=?", "NULL, 'c'", ";;;"},
    /* No event has such numbers. */
    {"pid=?", "-1", ";;4294967295;"},
    {"pid=?", "4294967294", ";;4294967294;"},
    {"pid=?", "4294967295", ";;4294967295;"},
    {"pid=?", "4294967296", ";;4294967295;"},
    {"pid=?", "NULL", ";;4294967295;"},
    {"pid=?", "'x'", ";;4294967295;"},
    {"pid=?", "0", ";;0;"},
    {"tid=?", "'12'", ";;;12"},
    {"tid=?", "12.0", ";;;12"},
};

TEST(values_are_listed)
{
    for (size_t i = 0; i < COUNT(listed); i++) {
        struct event_filter f;

        fill(&f, 0, listed[i].plan, listed[i].values);
        ck_assert_msg(!strcmp(lists(&f.options), listed[i].lists),
                      "%s %s: %s", listed[i].plan, listed[i].values,
                      lists(&f.options));
        event_filter_release(&f);
    }
}

TEST(flags_say_how_rows_come)
{
    for (int flags = 0; flags < 32; flags++) {
        struct event_filter f;

        fill(&f, flags, "", "");
        ck_assert_int_eq(f.options.unordered, !(flags & PLAN_ORDERED));
        ck_assert_int_eq(f.options.numbered, !!(flags & PLAN_NUMBERED));
        ck_assert_int_eq(f.options.no_subjects, !(flags & PLAN_SUBJECTS));
        ck_assert_uint_eq(f.orders, 0);
        event_filter_release(&f);
    }
}

TEST(orders_are_taken)
{
    struct event_filter f;

    fill(&f, PLAN_GROUPED, "provider=? +event -EventName +id", "'a'");
    ck_assert_str_eq(lists(&f.options), "a;;;");
    ck_assert_uint_eq(f.orders, 3);
    ck_assert_uint_eq(f.order[0].column, EVENT_EVENT);
    ck_assert_uint_eq(f.order[1].column, EVENT_NAME);
    ck_assert_uint_eq(f.order[2].column, EVENT_ID);
    ck_assert(!f.order[0].descending && f.order[1].descending &&
              !f.order[2].descending);
    event_filter_release(&f);
}
