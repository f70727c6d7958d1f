/* What goes to a fleet's server, and what its answers and refusals mean. */
#include "engine/fleet/client.h"

#include "engine/fleet/clickhouse.h"
#include "tests/support/fleet_stand_in.h"
#include "tests/support/http_server.h"
#include "tests/support/suite.h"

#define ALWAYS      "insert_distributed_sync=1&wait_end_of_query=1"

static struct fleet_stand_in *server;
static struct fleet *fleet;
static const struct fleet_access nobody;

static void open_fleet(void)
{
    struct err err = {0};

    server = fleet_stand_in_start();
    fleet = fleet_open(fleet_stand_in_address(server), &nobody, &err);
    ck_assert_msg(fleet != NULL, "%s", err.message);
}

static void close_fleet(void)
{
    fleet_close(fleet);
    fleet_stand_in_stop(server);
}

static bool has_line(const char *head, const char *line)
{
    char whole[200];

    snprintf(whole, sizeof(whole), "\r\n%s\r\n", line);
    return strstr(head, whole);
}

/* A statement without an answer. */
static enum err_code tell(struct fleet *f, const char *sql, struct err *err)
{
    struct answer answer = {0};
    enum err_code code = fleet_ask(f, sql, NULL, &answer, err);

    fleet_answer_release(&answer);
    return code;
}

TEST(statements)
{
    struct answer answer = {0};
    struct out *rows = out_memory();
    const struct fleet_told *told;
    struct err err = {0};
    struct reader r;

    row_u64(rows, 7);
    row_text(rows, "a");
    fleet_stand_in_reply(server, "SELECT 7, 'a'", rows);
    ck_assert(!fleet_ask(fleet, "SELECT 7, 'a'", NULL, &answer, &err));
    told = fleet_stand_in_told(server, 0);
    ck_assert_str_eq(told->sql, "SELECT 7, 'a'");
    ck_assert_str_eq(told->settings,
                     ALWAYS "&database=fleet&default_format=RowBinary");
    ck_assert(!strncmp(told->head, "POST /?", 7));
    ck_assert(has_line(told->head, "User-Agent: topfn"));
    ck_assert_ptr_null(strstr(told->head, "Authorization"));
    ck_assert_ptr_null(strstr(told->head, "Expect"));
    r = fleet_reader(fleet, &answer, &err);
    ck_assert_uint_eq(reader_u64(&r), 7);
    ck_assert_mem_eq(row_get_bytes(&r).data, "a", 1);
    ck_assert(!reader_more(&r));
    fleet_answer_release(&answer);
    ck_assert(!tell(fleet, "ALTER x", &err));
    ck_assert_str_eq(fleet_stand_in_told(server, 1)->sql, "ALTER x");
}

/* A table that comes along has the name `ids`. */
TEST(numbers_of_a_statement)
{
    static const char sql[] = "SELECT a+b FROM `t` WHERE id IN ids; -- 09AZaz";
    struct fleet_ids ids = {.all = {0}};
    struct answer answer = {0};
    const struct fleet_told *told;
    struct err err = {0};

    *vec_add(&ids.all) = 5;
    *vec_add(&ids.all) = UINT64_MAX - 1;
    ck_assert(!fleet_ask(fleet, sql, &ids, &answer, &err));
    told = fleet_stand_in_told(server, 0);
    ck_assert_str_eq(told->sql, sql);
    ck_assert_str_eq(told->settings,
                     ALWAYS "&database=fleet&default_format=RowBinary&"
                            "ids_format=RowBinary&ids_structure=id%20UInt64");
    ck_assert_uint_eq(told->id_count, 2);
    ck_assert_uint_eq(told->ids[0], 5);
    ck_assert_uint_eq(told->ids[1], UINT64_MAX - 1);
    ck_assert_ptr_nonnull(strstr(told->head, "multipart/form-data; boundary="));
    ck_assert_uint_eq(answer.bytes.len, 0);
    vec_release(&ids.all);
}

TEST(rows_are_packed)
{
    char rows[30000];
    const struct fleet_told *told;
    struct err err = {0};

    for (size_t i = 0; i < sizeof(rows); i++)
        rows[i] = (char)(i * i >> 3);
    ck_assert(!fleet_insert(fleet, FLEET_STACKS, rows, sizeof(rows), &err));
    told = fleet_stand_in_told(server, 0);
    ck_assert_str_eq(told->sql, "INSERT INTO stacks FORMAT RowBinary");
    ck_assert_str_eq(told->settings, ALWAYS "&database=fleet");
    ck_assert(has_line(told->head, "Content-Encoding: deflate"));
    ck_assert_uint_eq(told->size, sizeof(rows));
    ck_assert_mem_eq(told->rows, rows, sizeof(rows));
}

TEST(who_asks)
{
    static const struct {
        struct fleet_access access;
        const char *at, *basic; /* in base 64; NULL: nobody */
    } rows[] = {
        {{"me", "secret", NULL}, "", "bWU6c2VjcmV0"},         /* me:secret */
        {{"me", NULL, NULL}, "you@", "eW91Og=="},             /* you: */
        {{NULL, "secret", NULL}, "you@", "eW91OnNlY3JldA=="}, /* you:secret */
        {{NULL, "secret", NULL}, "", "ZGVmYXVsdDpzZWNyZXQ="},
        {{NULL, NULL, NULL}, "", NULL},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        char address[100], line[100];
        struct err err = {0};
        const char *head;
        struct fleet *f;

        snprintf(address, sizeof(address), "clickhouse://%s%s", rows[i].at,
                 fleet_stand_in_address(server) + strlen("clickhouse://"));
        f = fleet_open(address, &rows[i].access, &err);
        ck_assert_ptr_nonnull(f);
        ck_assert(!tell(f, "SELECT 1", &err));
        head = fleet_stand_in_told(server, i)->head;
        snprintf(line, sizeof(line), "Authorization: Basic %s",
                 rows[i].basic ? rows[i].basic : "");
        ck_assert_int_eq(has_line(head, line), rows[i].basic != NULL);
        fleet_close(f);
    }
    fleet_close(NULL);
}

/* ---- what a server complains of ---- */

static const struct {
    const char *complaint, *text;
    enum err_code code;
} complaints[] = {
    {"Code: 60, e.displayText() = DB::Exception: Table d.t doesn't exist., "
     "e.what() = DB::Exception",
     "Table d.t doesn't exist.", ERR_NOT_FOUND},
    {"Code: 81. DB::Exception: Database d doesn't exist",
     "Database d doesn't "
     "exist",
     ERR_NOT_FOUND},
    {"Code: 62, e.displayText() = DB::Exception: Syntax error:\n\n  a\t b \r\n",
     "Syntax error: a b", ERR_DATABASE},
    {"Code: 210, e.displayText() = DB::NetException: Connection refused",
     "Connection refused", ERR_DATABASE},
    {"Code: 241. DB::Exception: Memory limit", "Memory limit", ERR_DATABASE},
    {"Code: 243. DB::Exception: No space", "No space", ERR_DATABASE},
    {"Code: 3. DB::Exception: end", "end", ERR_DATABASE},
    {"Code: 369. DB::Exception: stale", "stale", ERR_DATABASE},
    {"Code: 4. DB::Exception: end", "end", ERR_DATABASE},
    {"Code: 368. DB::Exception: x", "x", ERR_DATABASE},
    {"  Poco::Exception: no \n", "Poco::Exception: no", ERR_DATABASE},
    {"DB:: nothing", "DB:: nothing", ERR_DATABASE},
};

TEST(complaints_are_told)
{
    static char sql[COUNT(complaints)][40]; /* the server keeps them */

    for (size_t i = 0; i < COUNT(complaints); i++) {
        char message[200];
        struct err err = {0};

        snprintf(sql[i], sizeof(sql[i]), "ALTER %zu.", i);
        fleet_stand_in_refuse(server, sql[i], complaints[i].complaint);
        ck_assert_int_eq(tell(fleet, sql[i], &err), complaints[i].code);
        snprintf(message, sizeof(message), "%s: %s",
                 fleet_stand_in_address(server), complaints[i].text);
        ck_assert_str_eq(err.message, message);
    }
}

TEST(long_complaints_are_cut)
{
    char complaint[1000];
    struct err err = {0};

    memset(complaint, 'x', sizeof(complaint) - 1);
    complaint[sizeof(complaint) - 1] = '\0';
    fleet_stand_in_refuse(server, "ALTER", complaint);
    tell(fleet, "ALTER", &err);
    ck_assert_uint_eq(strspn(strchr(err.message, 'x'), "x"), 400);
}

/* A gateway's text does not make it a refusal; the question is asked again, but
 * rows are not sent again. */
TEST(busy_servers_are_asked_again)
{
    static const unsigned statuses[] = {429, 502, 503};
    static const char *const texts[] = {"", "Code: 60, busy\n"};
    static char sql[6][20]; /* the server keeps them */
    char message[200];
    struct err err = {0};

    for (size_t i = 0; i < 6; i++) {
        snprintf(sql[i], sizeof(sql[i]), "SELECT %zu.", i);
        fleet_stand_in_fail(server, sql[i], statuses[i / 2], texts[i % 2]);
        fleet_stand_in_reply(server, sql[i], NULL);
        ck_assert(!tell(fleet, sql[i], &err));
        ck_assert_uint_eq(fleet_stand_in_count(server), 2 * (i + 1));
    }
    fleet_stand_in_fail(server, "SELECT no", 503, " busy\n ");
    ck_assert_int_eq(tell(fleet, "SELECT no", &err), ERR_IO);
    snprintf(message, sizeof(message), "%s: HTTP status 503: busy",
             fleet_stand_in_address(server));
    ck_assert_str_eq(err.message, message);
    ck_assert_uint_eq(fleet_stand_in_count(server), 16);
    fleet_stand_in_fail(server, "INSERT", 503, "busy");
    ck_assert_int_eq(fleet_insert(fleet, FLEET_RUNS, "a", 1, &err), ERR_IO);
    ck_assert_uint_eq(fleet_stand_in_count(server), 17);
}

TEST(nobody_listens)
{
    char address[100];
    struct err err = {0};
    struct fleet *f;

    snprintf(address, sizeof(address), "clickhouse://127.0.0.1:%u/d",
             http_free_port());
    f = fleet_open(address, &nobody, &err);
    ck_assert_int_eq(tell(f, "SELECT 1", &err), ERR_IO);
    ck_assert_msg(!strncmp(err.message, address, strlen(address)), "%s",
                  err.message);
    fleet_close(f);
}

/* ---- the schema ---- */

TEST(versions)
{
    static const struct {
        uint64_t version;
        enum err_code code;
        const char *what;
    } rows[] = {
        {1, ERR_UNSUPPORTED,
         "the tables have version 1, this topfn needs version 4: push the "
         "recordings to a new database"},
        {4, ERR_NONE, NULL},
        {5, ERR_UNSUPPORTED,
         "the tables have version 5, this topfn needs version 4: a newer topfn "
         "is needed"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct out *answer = out_memory();
        struct err err = {0};

        row_u64(answer, rows[i].version);
        fleet_stand_in_reply(server, "SELECT toUInt64(version)", answer);
        ck_assert_int_eq(fleet_check(fleet, &err), rows[i].code);
        if (rows[i].what)
            ck_assert_msg(strstr(err.message, rows[i].what), "%s", err.message);
    }
    fleet_stand_in_reply(server, "SELECT toUInt64(version)", NULL);
    ck_assert_int_eq(fleet_check(fleet, &(struct err){0}), ERR_CORRUPT);
    fleet_stand_in_refuse(server, "SELECT toUInt64(version)", "Code: 60, ");
    ck_assert_int_eq(fleet_check(fleet, &(struct err){0}), ERR_NOT_FOUND);
}

/* The database may be missing, so the server is not told to use it. */
TEST(tables_are_made)
{
    struct out *sql = out_memory();
    struct err err = {0};
    size_t n = 0;

    ck_assert(!fleet_create(fleet, NULL, &err));
    for (; fleet_statement(n, "fleet", NULL, &sql); n++) {
        const struct fleet_told *told = fleet_stand_in_told(server, n);

        ck_assert_ptr_nonnull(told);
        ck_assert_str_eq(told->sql, out_text(sql, NULL));
        ck_assert_str_eq(told->settings, ALWAYS);
    }
    ck_assert_uint_eq(n, FLEET_TABLES + 2);
    ck_assert_uint_eq(fleet_stand_in_count(server), n);
    out_close(sql, NULL);
    fleet_stand_in_refuse(server, "CREATE TABLE IF NOT EXISTS `fleet`.modules",
                          "Code: 497. DB::Exception: Not enough privileges");
    ck_assert_int_eq(fleet_create(fleet, NULL, &err), ERR_DATABASE);
    ck_assert_uint_eq(fleet_stand_in_count(server), n + 3); /* no further */
}

SUITE_FIXTURE(open_fleet, close_fleet)
