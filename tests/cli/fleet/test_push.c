/* What push says, with a stand-in in place of the fleet's server. */
#include "engine/base/file_hash.h"
#include "engine/fleet/batch.h"
#include "engine/fleet/clickhouse.h"
#include "engine/fleet/tables.h"
#include "tests/support/fleet_rows.h"
#include "tests/support/fleet_stand_in.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

#define ROUNDS "testdata/collapsed/rounds.txt"

static struct fleet_stand_in *server;

static void begin(void)
{
    server = fleet_stand_in_start();
}

static void end(void)
{
    fleet_stand_in_stop(server);
}

static void serve_version(void)
{
    struct out *rows = out_memory();

    row_u64(rows, FLEET_VERSION);
    fleet_stand_in_reply(server, "SELECT toUInt64(version)", rows);
}

/* What push of these arguments prints; of `err` the beginning. */
static void assert_push(const char *arguments, int status, const char *out,
                        const char *err)
{
    struct program_run run;
    char line[500];

    snprintf(line, sizeof(line), "push %s --server %s", arguments,
             fleet_stand_in_address(server));
    program_run(&run, line, NULL);
    ck_assert_msg(!strncmp(run.err, err, strlen(err)) && (*err || !*run.err),
                  "%s", run.err);
    ck_assert_str_eq(run.out, out);
    ck_assert_int_eq(run.status, status);
    program_release(&run);
}

static size_t told(const char *beginning)
{
    size_t n = 0;

    for (size_t i = 0; i < fleet_stand_in_count(server); i++)
        n += !strncmp(fleet_stand_in_told(server, i)->sql, beginning,
                      strlen(beginning));
    return n;
}

TEST(files)
{
    serve_version();
    assert_push(ROUNDS, 0, "1 sent, 0 there already; 6 rows of samples\n", "");
    ck_assert_uint_eq(told("INSERT INTO runs"), 1);
    ck_assert_uint_eq(told("CREATE"), 0);
    assert_push(ROUNDS " " ROUNDS, 0,
                "1 sent, 1 there already; 6 rows of samples\n", "");
    assert_push("--quiet " ROUNDS, 0, "", "");
}

/* Of a label that is given twice the last counts; `host` is none. */
TEST(labels)
{
    const struct fleet_told *runs;
    struct fleet_rows rows = {.count = 0};
    char *text;

    serve_version();
    assert_push(ROUNDS " --label b=1 --label a=2 --label b=3=4 --label host=web"
                       " --slice 250ms",
                0, "1 sent, 0 there already; 6 rows of samples\n", "");
    runs = fleet_stand_in_find(server, "INSERT INTO runs");
    text = fleet_rows_text(&rows, FLEET_RUNS, runs->rows, runs->size);
    ck_assert_msg(strstr(text, "'" ROUNDS "' 'web' "), "%s", text);
    ck_assert_msg(strstr(text, " ['a','b'] ['2','3=4'] "), "%s", text);
    ck_assert_msg(strstr(text, " 250000000 0 0 "), "%s", text);
    free(text);
    fleet_rows_release(&rows);
}

TEST(what_is_there)
{
    struct out *there = out_memory();
    char hash[FILE_HASH_SIZE];
    struct err err = {0};

    ck_assert(!file_hash(ROUNDS, hash, &err));
    row_text(there, hash);
    serve_version();
    fleet_stand_in_reply(server, "SELECT hash", there);
    assert_push(ROUNDS, 0, "0 sent, 1 there already; 0 rows of samples\n", "");
    ck_assert_uint_eq(told("INSERT"), 0);
}

TEST(tables_that_are_missing_are_made)
{
    fleet_stand_in_refuse(server, "SELECT toUInt64(version)",
                          "Code: 60. DB::Exception: no table");
    assert_push(ROUNDS, 0, "1 sent, 0 there already; 6 rows of samples\n", "");
    ck_assert_uint_eq(told("CREATE"), FLEET_TABLES + 2);
}

TEST(a_server_that_says_no)
{
    serve_version();
    fleet_stand_in_refuse(server, "INSERT INTO runs",
                          "Code: 497. DB::Exception: not for you");
    assert_push(ROUNDS, 65, "0 sent, 0 there already; 0 rows of samples\n",
                "topfn: clickhouse://127.0.0.1:");
    ck_assert_uint_eq(told("INSERT INTO runs"), 1);
}

SUITE_FIXTURE(begin, end)
