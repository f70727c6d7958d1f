/*
 * The fields of LogParser's ETW input mean the same wherever they are asked
 * for: modes of events and columns of SQL give the same bytes.
 */
#include <stdbool.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

static const char *const traces[] = {
    "testdata/etl/orders.etl",       "testdata/etl/kernel-32bit.etl",
    "testdata/etl/jscript.etl",      "testdata/etl/managed-lines.etl",
    "testdata/etl/packed.etl",       "testdata/nettrace/v4-plain.nettrace",
    "testdata/nettrace/v6-plain.nettrace",
};

enum { TRACES = COUNT(traces) };

static char *printed(const char *form, const char *trace)
{
    struct program_run run;
    char line[1000], *out;

    snprintf(line, sizeof(line), form, trace);
    program_run(&run, line, NULL);
    ck_assert_msg(run.status == 0, "%s: %s", line, run.err);
    out = strdup(run.out);
    program_release(&run);
    return out;
}

TEST_LOOP(compact_mode_is_five_columns, TRACES)
{
    char *mode = printed("events %s --mode compact --format csv -q",
                         traces[_i]);
    char *sql = printed("query %s 'SELECT EventNumber, EventName, "
                        "EventTypeName, Timestamp, UserData FROM events' "
                        "--format csv -q",
                        traces[_i]);

    ck_assert_str_eq(mode, sql);
    free(mode);
    free(sql);
}

enum { LOGPARSER_COLUMNS = 20 };

/* Leaves the first cells of each line. */
static void keep_columns(char *csv)
{
    unsigned cells = 0;
    bool quoted = false;
    char *to = csv;

    for (const char *from = csv; *from; from++) {
        quoted ^= *from == '"';
        cells += !quoted && *from == ',';
        if (!quoted && *from == '\r')
            cells = 0;
        if (cells < LOGPARSER_COLUMNS)
            *to++ = *from;
    }
    *to = '\0';
}

/* Of a provider that no trace has there are no properties. */
TEST_LOOP(full_mode_begins_with_twenty_columns, TRACES)
{
    char *mode = printed("events %s --mode full --providers nobody "
                         "--format csv -q",
                         traces[_i]);
    char *sql = printed(
        "query %s 'SELECT TraceName, EventNumber, Timestamp, InstanceID, "
        "ParentInstanceID, ParentGUID, ProviderDescription, ProviderGUID, "
        "EventName, EventDescription, EventVersion, EventGUID, EventType, "
        "EventTypeName, EventTypeDescription, EventTypeLevel, ThreadID, "
        "ProcessID, KernelTime, UserTime FROM events' --format csv -q",
        traces[_i]);

    keep_columns(mode);
    ck_assert_str_eq(mode, sql);
    free(mode);
    free(sql);
}
