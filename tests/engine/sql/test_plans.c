/*
 * What of a statement goes down to the reader of events and to the walk over
 * frames, as EXPLAIN QUERY PLAN shows it, and what is left for SQLite to sort.
 */
#include "engine/input/trace_events.h"
#include "engine/sql/query.h"
#include "engine/sql/virtual_table.h"
#include "engine/store/store.h"
#include "tests/support/full_profile.h"
#include "tests/support/sql_rows.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

enum { SORTED = 1 };

struct plan {
    const char *sql; /* behind SELECT */
    const char *index;
    bool is_sorted; /* by SQLite, in memory */
};

/* 1 in order of time, 8 numbered, 16 with their processes. */
static const struct plan events[] = {
    {"event FROM events", "0:", 0},
    {"count(*) FROM events", "0:", 0},
    {"time, event FROM events", "1:", 0},
    {"Timestamp FROM events", "1:", 0},
    {"EventNumber FROM events", "9:", 0},
    {"pid FROM events", "16:", 0},
    {"ProcessID, time FROM events", "17:", 0},
    {"tid, ThreadID FROM events", "0:", 0},
    {"FileName FROM \"Image/DCStart\"", "0:", 0},
    {"time FROM \"Image/DCStart\"", "1:", 0},
    /* conditions */
    {"1 FROM events WHERE time >= 1 AND time < 2", "1:time>=? time<?", 0},
    {"1 FROM events WHERE time BETWEEN 1 AND 2", "1:time>=? time<=?", 0},
    {"1 FROM events WHERE time IN (1, 2)", "1:time=(?)", 0},
    {"1 FROM events WHERE time IS NULL", "1:", 0},
    {"1 FROM events WHERE provider = 'x' AND pid = 4", "16:provider=? pid=?",
     0},
    {"1 FROM events WHERE pid IN (4, 5) AND tid = 6", "16:pid=(?) tid=?", 0},
    {"1 FROM events WHERE EventName = 'x' AND ThreadID = 1",
     "0:EventName=? ThreadID=?", 0},
    {"1 FROM events WHERE ProviderGUID = 'x' AND ProcessID = 1",
     "16:ProviderGUID=? ProcessID=?", 0},
    {"1 FROM events WHERE ProviderDescription IN ('a', 'b') AND event = 'c'"
     " AND time < 3",
     "1:ProviderDescription=(?) event=? time<?", 0},
    {"1 FROM events WHERE pid > 1 AND event > 'a'", "16:", 0},
    {"1 FROM events WHERE provider LIKE 'x'", "0:", 0},
    {"1 FROM events WHERE cpu = 1 AND id = 2 AND size = 3", "0:", 0},
    {"1 FROM events WHERE rowid = 1", "0:", 0},
    {"1 FROM events WHERE provider = 'x' COLLATE NOCASE", "0:provider=?", 0},
    {"1 FROM events WHERE provider = 'x' COLLATE RTRIM", "0:", 0},
    {"1 FROM \"Image/DCStart\" WHERE time > 1", "1:time>?", 0},
    /* orders */
    {"event FROM events ORDER BY time", "1:", 0},
    {"pid, EventNumber FROM events ORDER BY time", "25:", 0},
    {"event FROM events ORDER BY time DESC", "0:", SORTED},
    {"event FROM events ORDER BY time, event", "0:", SORTED},
    {"time FROM events ORDER BY tid", "0:", SORTED},
    {"event FROM events ORDER BY event, rowid", "0:", SORTED},
    {"EventName FROM events ORDER BY EventName", "grouped 0:", 0},
    {"EventName FROM events ORDER BY EventName DESC", "grouped 0:", 0},
    {"event FROM events ORDER BY id, event DESC, version",
     "grouped 0:", 0},
    {"EventName, time FROM events ORDER BY EventName", "0:", SORTED},
    {"EventName, payload FROM events ORDER BY EventName", "0:", SORTED},
    {"FileName FROM \"Image/DCStart\" ORDER BY event", "0:", SORTED},
    {"event FROM \"Image/DCStart\" ORDER BY event", "grouped 0:", 0},
    /* groups */
    {"EventName, count(*) FROM events GROUP BY EventName", "grouped 0:", 0},
    {"EventName, max(time) FROM events GROUP BY EventName", "0:", SORTED},
    {"event, count(*) FROM events WHERE provider = 'x' AND id = 1"
     " GROUP BY event",
     "grouped 0:provider=?", 0},
    {"DISTINCT EventName FROM events", "grouped 0:", SORTED},
    {"DISTINCT EventName, time FROM events", "0:", SORTED},
    {"1 FROM events GROUP BY provider, event, id", "grouped 0:", 0},
    {"1 FROM events GROUP BY provider, event, id, version", "0:", SORTED},
};

static const struct plan frames[] = {
    {"* FROM frame_of_sample", "0:", 0},
    /* conditions */
    {"* FROM frame_of_sample WHERE sample = 3 AND label = 'x'",
     "0:sample=? label=?", 0},
    {"1 FROM frame_of_sample WHERE sample > 1 AND sample <= 3",
     "0:sample>? sample<=?", 0},
    {"1 FROM frame_of_sample WHERE sample >= 1 AND sample < 3",
     "0:sample>=? sample<?", 0},
    {"1 FROM frame_of_stack WHERE stack = 3", "0:stack=?", 0},
    {"1 FROM frame_of_sample WHERE sample IN (1, 2)", "0:sample=?", 0},
    {"1 FROM frame_of_sample WHERE sample IS NULL", "0:", 0},
    {"1 FROM frame_of_sample WHERE rowid = 1", "0:", 0},
    {"1 FROM frame_of_sample WHERE function = 'x' AND function_id = 1",
     "0:function=? function_id=?", 0},
    {"1 FROM frame_of_sample WHERE tier = 'x' AND cpu = 0 AND depth = 1",
     "0:", 0},
    {"1 FROM frame_of_sample WHERE label > 'x'", "0:", 0},
    {"1 FROM frame_of_sample WHERE label = 'x' COLLATE NOCASE", "0:", 0},
    /* orders */
    {"label FROM frame_of_sample ORDER BY sample", "0:", 0},
    {"label FROM frame_of_sample ORDER BY sample, depth", "0:", 0},
    {"label FROM frame_of_stack ORDER BY stack, depth", "0:", 0},
    {"label FROM frame_of_sample ORDER BY sample, depth, label", "0:",
     SORTED},
    {"label FROM frame_of_sample ORDER BY sample DESC", "0:", SORTED},
    {"label FROM frame_of_sample ORDER BY sample, depth DESC", "0:", SORTED},
    {"label FROM frame_of_sample ORDER BY depth", "0:", SORTED},
    {"label FROM frame_of_sample ORDER BY sample, label", "0:", SORTED},
    {"label FROM frame_of_sample ORDER BY rowid", "0:", SORTED},
    {"label FROM frame_of_sample ORDER BY label", "grouped 0:", 0},
    {"label FROM frame_of_sample ORDER BY label, module DESC",
     "grouped 0:", 0},
    {"label, depth FROM frame_of_sample ORDER BY label", "0:", SORTED},
    /* groups */
    {"module, label, count(*) FROM frame_of_sample GROUP BY module, label"
     " ORDER BY module, label",
     "grouped 0:", 0},
    {"label, count(*) FROM frame_of_stack WHERE kind = 'managed'"
     " GROUP BY label",
     "grouped 0:kind=?", 0},
    {"label, count(*) FROM frame_of_sample WHERE sample < 5 GROUP BY label",
     "0:sample<?", SORTED},
    {"DISTINCT label FROM frame_of_sample", "grouped 0:", SORTED},
    {"DISTINCT label, depth FROM frame_of_sample", "0:", SORTED},
};

static void check_plan(struct query *q, const struct plan *plan)
{
    static const char before[] = "VIRTUAL TABLE INDEX ";
    char sql[300], shown[300], *text, *index, *conditions;
    long number;
    bool is_sorted;

    snprintf(sql, sizeof(sql), "EXPLAIN QUERY PLAN SELECT %s", plan->sql);
    text = sql_rows_well(q, sql);
    is_sorted = strstr(text, "TEMP B-TREE");
    index = strstr(text, before);
    ck_assert_msg(index != NULL, "%s: %s", plan->sql, text);
    index += strlen(before);
    index[strcspn(index, "\n")] = '\0';
    number = strtol(index, &conditions, 10);
    snprintf(shown, sizeof(shown), "%s%ld%s",
             number >= VIRTUAL_FLAGS ? "grouped " : "",
             number % VIRTUAL_FLAGS, conditions);
    ck_assert_msg(!strcmp(shown, plan->index), "%s: %s", plan->sql, shown);
    ck_assert_msg(is_sorted == plan->is_sorted, "%s: %s", plan->sql, text);
    free(text);
}

static struct query *new_query(const char *path)
{
    static const struct query_limits none = {0, 0};
    struct err err = {0};
    struct query *q = query_new(path, &none, &err);

    ck_assert_msg(q != NULL, "%s", err.message);
    return q;
}

static struct query *open_database(char path[TEMP_PATH])
{
    struct profile *p = full_profile(9, 60);
    struct err err = {0};

    temp_file(path, "", 0);
    ck_assert_msg(!store_write(p, path, &err), "%s", err.message);
    profile_free(p);
    return new_query(path);
}

TEST(events_are_planned)
{
    static const char *const trace[] = {"testdata/etl/orders.etl"};
    struct query_source source = {NULL, NULL, trace, 1, event_trace_open};
    struct query *q = new_query(NULL);
    struct err err = {0};

    ck_assert(!query_add_trace(q, "main", &source, &err));
    for (size_t i = 0; i < COUNT(events); i++)
        check_plan(q, &events[i]);
    query_free(q);
}

TEST(frames_are_planned)
{
    char path[TEMP_PATH];
    struct query *q = open_database(path);

    for (size_t i = 0; i < COUNT(frames); i++)
        check_plan(q, &frames[i]);
    query_free(q);
    unlink(path);
}

/* The walk that is narrowed is the inner one, whichever stands first. */
TEST(joins_look_up_stacks)
{
    static const char *const joins[][2] = {
        {"1 FROM samples s JOIN frame_of_stack f ON f.stack = s.stack",
         "SCAN f VIRTUAL TABLE INDEX 0:stack=?"},
        {"1 FROM frame_of_stack f JOIN samples s ON f.stack = s.stack",
         "SCAN f VIRTUAL TABLE INDEX 0:stack=?"},
        {"1 FROM frame_of_stack a JOIN frame_of_stack b ON a.stack = b.stack"
         " AND b.label = 'x'",
         "SCAN a VIRTUAL TABLE INDEX 0:stack=?"},
    };
    char path[TEMP_PATH];
    struct query *q = open_database(path);

    for (size_t i = 0; i < COUNT(joins); i++) {
        char sql[300], *text;

        snprintf(sql, sizeof(sql), "EXPLAIN QUERY PLAN SELECT %s",
                 joins[i][0]);
        text = sql_rows_well(q, sql);
        ck_assert_msg(strstr(text, joins[i][1]), "%s: %s", sql, text);
        free(text);
    }
    query_free(q);
    unlink(path);
}
