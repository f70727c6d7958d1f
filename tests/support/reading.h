/*
 * reading - two small recordings of a fleet, from a stand-in, in tests of what
 * is made of them.
 *
 *     reading_begin();
 *     serve_all();
 *     assert_reads(&all, false, "cpu-samples ...");
 *     reading_end();
 *
 * What is served before serve_all comes before what that serves.
 */
#ifndef TOPFN_TESTS_READING_H
#define TOPFN_TESTS_READING_H

#include "engine/fleet/read.h"
#include "engine/fleet/clickhouse.h"
#include "engine/fleet/tables.h"
#include "tests/support/fleet_rows.h"
#include "tests/support/fleet_stand_in.h"
#include "tests/support/profile_check.h"
#include "tests/support/profile_text.h"
#include "tests/support/suite.h"


static struct fleet_stand_in *server;

static inline void reading_begin(void)
{
    server = fleet_stand_in_start();
}

static inline void reading_end(void)
{
    fleet_stand_in_stop(server);
}

/* ---- a small fleet ---- */

static const char *const usual_rows[FLEET_CONTENT] = {
    [FLEET_PROCESSES] = "@1 'app.exe'\n",
    [FLEET_MODULES] = "@2 '/bin/app' 'app' '1.2' 'app.pdb' '' 'a.pdb' "
                      "x01000000000000000000000000000002 7 8 9 x00ab 1 0 1\n",
    [FLEET_METHODS] =
        "@3 'Shop' 'Total' '(int)' 'Shop.Total(int)' @2 256 5 3\n",
    [FLEET_FUNCTIONS] = "@4 'main' 'app' 0 1 0\n"
                        "@5 'Shop.Total(int)' 'app' 0 2 0\n"
                        "@10 'in' 'app' 0 1 0\n",
    [FLEET_LOCATIONS] = "@6 @2 0 4096 1 0 1 [@10,@4] ['a.h',''] [3,0] [1,0]\n"
                        "@7 0 @3 8 2 0 0 [@5] ['a.cs'] [9] [0]\n",
    [FLEET_STACKS] = "@8 @1 56 [@6,@7]\n"
                     "@9 @1 41 [@6]\n",
};

enum total {
    RUNS,
    HOSTS,
    SAMPLES,
    DURATION,
    LONGEST,
    TIME,
    LEAST,
    MOST,
    CPUS,
    POINTER,
    SINGLES,
    IDLE,
    EVENTS,
    LOST,
    BUFFERS,
    BYTES,
    RANGES,
    MALFORMED,
    CUT,
    KINDS,
    FORMATS,
    SYSTEMS,
    NUMBERS
};

/* Two recordings with the numbers 21 and 22. */
struct totals {
    uint64_t n[NUMBERS];
};

static const struct totals usual = {
    {[RUNS] = 2,       [HOSTS] = 1,         [SAMPLES] = 7,  [DURATION] = 5000,
     [LONGEST] = 3000, [TIME] = 1700000000, [LEAST] = 1000, [MOST] = 1000,
     [CPUS] = 4,       [POINTER] = 8,       [SINGLES] = 1,  [IDLE] = 31,
     [EVENTS] = 32,    [LOST] = 33,         [BUFFERS] = 34, [BYTES] = 35,
     [RANGES] = 36,    [MALFORMED] = 37,    [CUT] = 38,     [KINDS] = 1,
     [FORMATS] = 1,    [SYSTEMS] = 1}};

static inline void serve_totals(const struct totals *totals)
{
    struct out *rows = out_memory();

    for (size_t i = 0; i < NUMBERS; i++)
        row_u64(rows, totals->n[i]);
    row_text(rows, "cpu-samples");
    row_text(rows, "etl");
    row_text(rows, "Linux");
    row_count(rows, 2);
    row_u64(rows, 21);
    row_u64(rows, 22);
    fleet_stand_in_reply(server, "SELECT count()", rows);
}

struct sum {
    uint64_t unit, stack, time, weight;
};

static inline void serve_numbers(const char *beginning, const uint64_t *numbers,
                                 size_t n)
{
    struct out *rows = out_memory();

    for (size_t i = 0; i < n; i++)
        row_u64(rows, numbers[i]);
    fleet_stand_in_reply(server, beginning, rows);
}

static inline void serve_sums(const struct sum *sums, size_t n)
{
    for (int parted = 0; parted < 2; parted++)
        serve_numbers(parted ? "SELECT number AS unit" : "SELECT toUInt64(0), ",
                      (const uint64_t *)sums, 4 * n);
}

static inline void serve_rows(enum fleet_table_id table, struct out *rows)
{
    static char beginnings[FLEET_CONTENT][300];
    const struct fleet_table *t = &fleet_tables[table];
    char *sql = beginnings[table];

    strcpy(sql, "SELECT ");
    for (size_t i = 0; i < t->width; i++) {
        strcat(sql, i ? ", " : "");
        strcat(sql, t->columns[i].name);
    }
    strcat(sql, " FROM ");
    fleet_stand_in_reply(server, sql, rows);
}

static inline void serve_content(void)
{
    serve_numbers("SELECT toUInt64(version)", (const uint64_t[]){FLEET_VERSION}, 1);
    for (int i = 0; i < FLEET_CONTENT; i++)
        serve_rows((enum fleet_table_id)i,
                   fleet_rows_of((enum fleet_table_id)i, usual_rows[i]));
}

static const struct sum usual_sums[] = {{0, 8, 0, 4}, {0, 9, 0, 3}};

static inline void serve_all(void)
{
    serve_totals(&usual);
    serve_sums(usual_sums, COUNT(usual_sums));
    serve_content();
}

static inline struct profile *read_fleet(const struct fleet_question *q,
                                         bool times, struct err *err)
{
    return fleet_read(fleet_stand_in_address(server), q, times, err);
}

static inline void assert_reads(const struct fleet_question *q, bool times,
                                const char *wanted)
{
    struct err err = {0};
    struct profile *p = read_fleet(q, times, &err);
    char *text;

    ck_assert_msg(p != NULL, "%s", err.message);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    text = profile_text(p);
    ck_assert_str_eq(text, wanted);
    free(text);
    profile_free(p);
}

/* For a reason that holds the text. */
static inline void assert_fails(const struct fleet_question *q, bool times,
                                enum err_code code, const char *what)
{
    struct err err = {0};

    ck_assert_ptr_null(read_fleet(q, times, &err));
    ck_assert_msg(err.code == code && strstr(err.message, what),
                  "%d, not %d with \"%s\": %s", err.code, code, what,
                  err.message);
}

static inline const char *asked(const char *beginning)
{
    const struct fleet_told *told = fleet_stand_in_find(server, beginning);

    ck_assert_msg(told != NULL, "%s", beginning);
    return told->sql;
}

static inline size_t asked_times(const char *beginning)
{
    size_t n = 0;

    for (size_t i = 0; i < fleet_stand_in_count(server); i++)
        n += !strncmp(fleet_stand_in_told(server, i)->sql, beginning,
                      strlen(beginning));
    return n;
}

static const struct fleet_question all;

#endif
