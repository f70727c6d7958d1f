/*
 * Packed tables, byte by byte: what is written, how it is cut into rows, and
 * what of a file is let in.
 */
#include "engine/store/pack.h"

#include <string.h>

#include "engine/store/schema.h"
#include "tests/support/suite.h"

enum { BLOB = 1 << 18 };

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static sqlite3 *open_tables(void)
{
    struct store_fill fill = {.schema = "main"};

    ck_assert_int_eq(sqlite3_open(":memory:", &fill.db), SQLITE_OK);
    ck_assert_int_eq(store_create(&fill), SQLITE_OK);
    return fill.db;
}

static void begin(struct pack *pack, sqlite3 *db, const char *table)
{
    struct store_fill fill = {.db = db, .schema = "main"};

    pack_open(pack, &fill, table);
}

/* The result of a statement as a text; of no row "". */
static const char *rows(sqlite3 *db, const char *sql)
{
    static char text[300];
    sqlite3_stmt *s;

    *text = '\0';
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    while (sqlite3_step(s) == SQLITE_ROW) {
        size_t n = strlen(text);

        snprintf(text + n, sizeof(text) - n, "%s%s", n ? " " : "",
                 (const char *)sqlite3_column_text(s, 0));
    }
    sqlite3_finalize(s);
    return text;
}

static uint32_t add_text(struct profile *p, const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

/* Texts twice, none of what may be missing, ends of ranges. */
static struct profile *written_profile(void)
{
    struct profile *p = profile_new();
    uint32_t s = add_text(p, "S"), file = add_text(p, "a.c");
    struct method methods[] = {
        {.process = 1, .start = 256, .size = 64, .from = TIME_MIN, .to = 5,
         .space = s, .name = add_text(p, "n"), .full_name = s,
         .module = NO_ID, .token = 6, .tier = 2},
        {.from = -1, .to = TIME_MAX, .full_name = s, .module = 0,
         .start = UINT64_MAX, .token = UINT32_MAX},
    };
    const struct location locations[] = {
        {.address = 300, .module = NO_ID, .method = 1, .kind = 1, .cause = 2,
         .caller = true},
        {.module = 126, .method = NO_ID},
    };
    const struct frame frames[] = {{5, file, 7, true}, {6, file, 0, false},
                                   {0, 0, 1, false}};
    const struct stack stacks[] = {{0, 0}, {1, 127}, {0, 128},
                                   {3, UINT32_MAX - 1}};

    for (size_t i = 0; i < COUNT(methods); i++)
        methods_add(&p->methods, &methods[i]);
    for (size_t i = 0; i < COUNT(locations); i++)
        *vec_add(&p->locations) = locations[i];
    for (size_t i = 0; i < COUNT(frames); i++)
        *vec_add(&p->frames) = frames[i];
    for (size_t i = 0; i < COUNT(stacks); i++)
        *vec_add(&p->stacks) = stacks[i];
    *vec_add(&p->frame_start) = 0;
    *vec_add(&p->frame_start) = 2;
    *vec_add(&p->frame_start) = 3;
    return p;
}

#define METHOD_1 "01" "8002" "40" "01" "0C" "000153" "00016E" "01" "02" "00" \
    "06" "0000" "02"
#define METHOD_2 "00" "FFFFFFFFFFFFFFFFFF01" "00" "03" "00" "01" "01" "01"    \
    "02" "01" "FFFFFFFF0F" "0000" "00"

/* What is written of that. */
static const struct {
    enum store_table_id table;
    const char *bytes;
} written[] = {
    {TABLE_METHODS, METHOD_1 METHOD_2},
    {TABLE_LOCATIONS, "00" "02" "AC02" "01" "02" "01"
                      "7F" "00" "00" "00" "00" "00"},
    {TABLE_FRAMES, "01" "05" "0003612E63" "07" "01" "00" "06" "02" "00" "00"
                   "01" "00" "01" "01" "00"},
    {TABLE_STACKS, "0100" "017F" "038001" "01FEFFFFFF0F"},
};

static void check_written(const struct profile *p)
{
    for (size_t i = 0; i < COUNT(written); i++) {
        const struct store_table *t = &store_tables[written[i].table];
        struct store_fill fill = {.db = open_tables(), .schema = "main"};
        char sql[80], wanted[200];

        ck_assert_int_eq(pack_table(&fill, p, t), SQLITE_OK);
        snprintf(sql, sizeof(sql), "SELECT id || ':' || hex(bytes) FROM %s",
                 t->packed);
        snprintf(wanted, sizeof(wanted), "1:%s", written[i].bytes);
        ck_assert_str_eq(rows(fill.db, sql), wanted);
        sqlite3_close(fill.db);
    }
}

START_TEST(tables_are_written)
{
    struct profile *p = written_profile();

    check_written(p);
    profile_free(p);
}
END_TEST

START_TEST(samples_are_written)
{
    sqlite3 *db = open_tables();
    struct pack pack;

    begin(&pack, db, "packed_samples");
    pack_sample(&pack, &(struct sample){.time = -1, .thread = 2, .stack = 3,
                                        .cpu = 4, .flags = 5, .weight = 1});
    pack_sample(&pack, &(struct sample){.time = 127, .thread = 2, .stack = 3,
                                        .cpu = 300, .flags = 255,
                                        .weight = 64, .period = 128});
    pack_sample(&pack, &(struct sample){.time = 127, .stack = 1,
                                        .weight = UINT32_MAX,
                                        .period = UINT64_MAX});
    ck_assert_int_eq(pack_close(&pack), SQLITE_OK);
    ck_assert_str_eq(rows(db, "SELECT hex(bytes) FROM packed_samples"),
                     "FFFFFFFFFFFFFFFFFF01" "02" "03" "04" "05" "02"
                     "8001" "02" "03" "AC02" "FF01" "8101" "8001"
                     "00" "00" "01" "00" "00" "FFFFFFFF1F"
                     "FFFFFFFFFFFFFFFFFF01");
    sqlite3_close(db);
}
END_TEST

START_TEST(groups_are_written)
{
    sqlite3 *db = open_tables();
    struct pack pack;

    begin(&pack, db, "packed_groups");
    pack_group(&pack, &(struct sample){.thread = 2, .stack = 3, .flags = 4,
                                       .weight = 5});
    pack_group(&pack, &(struct sample){.thread = 2, .stack = 3, .flags = 4,
                                       .weight = 5, .period = 1});
    ck_assert_int_eq(pack_close(&pack), SQLITE_OK);
    ck_assert_str_eq(rows(db, "SELECT hex(bytes) FROM packed_groups"),
                     "0203040A" "0203040B01");
    sqlite3_close(db);
}
END_TEST

/* Entries of four bytes fill a row to the last. */
START_TEST(rows_are_full)
{
    static const struct {
        unsigned more;
        const char *sizes;
    } cases[] = {{0, "262144"}, {1, "262144 4"}, {2, "262144 8"}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        sqlite3 *db = open_tables();
        struct pack pack;

        begin(&pack, db, "packed_groups");
        for (unsigned k = 0; k < BLOB / 4 + cases[i].more; k++)
            pack_group(&pack, &(struct sample){.stack = 1, .weight = 1});
        ck_assert_int_eq(pack_close(&pack), SQLITE_OK);
        ck_assert_str_eq(rows(db, "SELECT length(bytes) FROM packed_groups"
                                  " ORDER BY id"),
                         cases[i].sizes);
        sqlite3_close(db);
    }
}
END_TEST

START_TEST(nothing_is_no_row)
{
    sqlite3 *db = open_tables();
    struct pack pack;

    begin(&pack, db, "packed_groups");
    ck_assert_int_eq(pack_close(&pack), SQLITE_OK);
    ck_assert_str_eq(rows(db, "SELECT count(*) FROM packed_groups"), "0");
    sqlite3_close(db);
}
END_TEST

/* The first failure is told, and nothing is written behind it. */
START_TEST(failures_are_kept)
{
    sqlite3 *db = open_tables();
    struct pack pack;

    begin(&pack, db, "nowhere");
    pack_group(&pack, &(struct sample){.stack = 1, .weight = 1});
    ck_assert_int_eq(pack_close(&pack), SQLITE_ERROR);
    ck_assert_int_eq(
        sqlite3_exec(db, "CREATE TABLE t(a INTEGER PRIMARY KEY,"
                         " b CHECK(length(b) < 10))", NULL, NULL, NULL),
        SQLITE_OK);
    begin(&pack, db, "t");
    for (unsigned k = 0; k <= BLOB / 4; k++)
        pack_group(&pack, &(struct sample){.stack = 1, .weight = 1});
    ck_assert_int_eq(pack_close(&pack), SQLITE_CONSTRAINT);
    ck_assert_str_eq(rows(db, "SELECT count(*) FROM t"), "0");
    sqlite3_close(db);
}
END_TEST

/* ---- what is read ---- */

enum {
    PROCESSES = 2,
    THREADS = 3,
    LOCATIONS = 4,
    FUNCTIONS = 7,
    MODULES = 127,
};

/* What packed tables refer to. */
static struct profile *some_profile(void)
{
    struct profile *p = profile_new();

    p->threads.len = p->locations.len = 0;
    for (unsigned i = 0; i < PROCESSES; i++)
        *vec_add(&p->processes) = (struct process){.pid = i};
    for (unsigned i = 0; i < THREADS; i++)
        *vec_add(&p->threads) = (struct thread){.tid = i};
    for (unsigned i = 0; i < MODULES; i++)
        *vec_add(&p->modules) = (struct module){.path = 0};
    for (unsigned i = 0; i < FUNCTIONS; i++)
        *vec_add(&p->functions) = (struct function){.address = i};
    for (unsigned i = 0; i < LOCATIONS; i++)
        *vec_add(&p->locations) = (struct location){.address = i};
    return p;
}

typedef bool unpack(struct store_load *load);

static bool unpack_methods(struct store_load *load)
{
    return unpack_table(load, &store_tables[TABLE_METHODS]);
}

static bool unpack_locations(struct store_load *load)
{
    return unpack_table(load, &store_tables[TABLE_LOCATIONS]);
}

static bool unpack_frames(struct store_load *load)
{
    return unpack_table(load, &store_tables[TABLE_FRAMES]);
}

static bool unpack_stacks(struct store_load *load)
{
    return unpack_table(load, &store_tables[TABLE_STACKS]);
}

static void read_table(struct profile *p, const struct store_table *t,
                       const char *bytes)
{
    sqlite3 *db = open_tables();
    struct err err = {0};
    struct store_load load = {.db = db,
                              .name = "a.db",
                              .err = &err,
                              .p = p,
                              .bytes_left = 1 << 20,
                              .locations = UINT32_MAX};
    char sql[300];

    snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES(1, x'%s')", t->packed,
             bytes);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_msg(unpack_table(&load, t), "%s: %s", t->name, err.message);
    sqlite3_close(db);
}

/* What is read is written as it was. */
START_TEST(tables_are_read)
{
    struct profile *p = some_profile();

    p->locations.len = 0;
    for (size_t i = 0; i < COUNT(written); i++)
        read_table(p, &store_tables[written[i].table], written[i].bytes);
    ck_assert_int_eq(methods_get(&p->methods, 0).from, TIME_MIN);
    ck_assert_int_eq(methods_get(&p->methods, 1).to, TIME_MAX);
    ck_assert_str_eq(
        strings_get(p->strings, methods_get(&p->methods, 1).full_name), "S");
    ck_assert_uint_eq(p->locations.data[0].module, NO_ID);
    *vec_add(&p->frame_start) = (uint32_t)p->frames.len;
    check_written(p);
    profile_free(p);
}
END_TEST

/* Stacks first, then of another table this. */
static bool read_back(struct profile *p, unpack *what, const char *table,
                      const char *bytes, struct err *err)
{
    sqlite3 *db = open_tables();
    struct store_load load = {.db = db,
                              .name = "a.db",
                              .err = err,
                              .p = p,
                              .bytes_left = 1 << 20,
                              .threads = THREADS,
                              .locations = LOCATIONS};
    char sql[300];
    bool ok;

    snprintf(sql, sizeof(sql),
             "INSERT INTO packed_stacks VALUES(1, x'01000103')");
    if (strcmp(table, "packed_stacks") != 0) {
        ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        ck_assert(unpack_stacks(&load));
    }
    snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES(1, x'%s')", table,
             bytes);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    ok = what(&load);
    sqlite3_close(db);
    return ok;
}

START_TEST(samples_are_read)
{
    struct profile *p = some_profile();
    const struct samples *s = &p->samples;
    struct err err = {0};

    ck_assert_msg(read_back(p, unpack_samples, "packed_samples",
                            "FFFFFFFFFFFFFFFFFF01" "00" "01" "04" "05" "02"
                            "8001" "02" "02" "FFFF03" "FF01" "8101" "8001"
                            "00" "00" "01" "00" "00" "FEFFFFFF1F",
                            &err),
                  "%s", err.message);
    ck_assert_uint_eq(s->len, 3);
    for (unsigned i = 0; i < 3; i++) {
        static const int64_t times[] = {-1, 127, 127};
        static const uint32_t threads[] = {0, 2, 0}, stacks[] = {1, 2, 1};
        static const uint32_t weights[] = {1, 64, UINT32_MAX};
        static const uint64_t periods[] = {0, 128, 0};
        static const uint32_t cpus[] = {4, 65535, 0}, flags[] = {5, 255, 0};

        ck_assert_int_eq(s->time[i], times[i]);
        ck_assert_uint_eq(s->thread[i], threads[i]);
        ck_assert_uint_eq(s->stack[i], stacks[i]);
        ck_assert_uint_eq(s->weight[i], weights[i]);
        ck_assert_uint_eq(s->period[i], periods[i]);
        ck_assert_uint_eq(s->cpu[i], cpus[i]);
        ck_assert_uint_eq(s->flags[i], flags[i]);
    }
    ck_assert_uint_eq(p->quality.cut_stacks, 0);
    profile_free(p);
}
END_TEST

START_TEST(groups_are_read)
{
    struct profile *p = some_profile();
    const struct samples *s = &p->samples;
    struct err err = {0};

    ck_assert_msg(read_back(p, unpack_groups, "packed_groups",
                            "0202040A" "0001FF010B01", &err),
                  "%s", err.message);
    ck_assert_uint_eq(s->len, 2);
    ck_assert(s->thread[0] == 2 && s->stack[0] == 2 && s->flags[0] == 4 &&
              s->weight[0] == 5 && s->period[0] == 0);
    ck_assert(s->thread[1] == 0 && s->stack[1] == 1 && s->flags[1] == 255 &&
              s->weight[1] == 5 && s->period[1] == 1);
    ck_assert(s->time[1] == 0 && s->cpu[1] == 0);
    profile_free(p);
}
END_TEST

/* One beyond the last that there is. */
static const struct {
    unpack *what;
    const char *table, *bytes, *message;
} refused[] = {
    {unpack_stacks, "packed_stacks", "0000", "parent is out of range"},
    {unpack_stacks, "packed_stacks", "0200", "parent is out of range"},
    {unpack_stacks, "packed_stacks", "01000300", "parent is out of range"},
    {unpack_stacks, "packed_stacks", "0104", "location is out of range"},
    {unpack_stacks, "packed_stacks", "01", "location is no number"},
    {unpack_methods, "packed_methods", "02", "process is out of range"},
    {unpack_methods, "packed_methods", "00000080", "from_ns is no number"},
    {unpack_methods, "packed_methods", "00000001000003", "space is longer"},
    {unpack_methods, "packed_methods", "000000010002", "space is out of range"},
    {unpack_methods, "packed_methods", "0000000100010101018001",
     "module is out of range"},
    {unpack_methods, "packed_methods", "0000000100010101010080808080100A",
     "token is out of range"},
    {unpack_methods, "packed_methods", "0000000100010101010000000080" "02",
     "tier is out of range"},
    {unpack_locations, "packed_locations", "8001", "module is out of range"},
    {unpack_locations, "packed_locations", "0001", "method is out of range"},
    {unpack_locations, "packed_locations", "000000" "05", "kind is out of"},
    {unpack_locations, "packed_locations", "000000" "0040", "cause is out of"},
    {unpack_locations, "packed_locations", "000000" "000002",
     "caller is out of range"},
    {unpack_frames, "packed_frames", "00", "location is out of range"},
    {unpack_frames, "packed_frames", "02", "location is out of range"},
    {unpack_frames, "packed_frames", "0107", "function is out of range"},
    {unpack_frames, "packed_frames", "01000100" "02", "inlined is out of"},
    {unpack_frames, "packed_frames",
     "0100010000" "0100010000" "0100010000" "0100010000" "01",
     "location is out of range"},
    {unpack_samples, "packed_samples", "000301000002", "thread is out of"},
    {unpack_samples, "packed_samples", "000000000002", "stack is out of"},
    {unpack_samples, "packed_samples", "000003000002", "stack is out of"},
    {unpack_samples, "packed_samples", "00000180800400", "cpu is out of"},
    {unpack_samples, "packed_samples", "00000100801602", "flags is out of"},
    {unpack_samples, "packed_samples", "000001000001", "weight is out of"},
    {unpack_samples, "packed_samples", "0000010000FEFFFFFFFFFFFFFFFF01"
                                       "000001000002",
     "weight makes the sum of all too large"},
    {unpack_samples, "packed_samples", "000001000003", "period is no number"},
    {unpack_samples, "packed_samples", "80", "time is no number"},
    {unpack_samples, "packed_samples", "000001000002FFFFFFFFFFFFFFFFFF01",
     "time is out of range"},
    {unpack_groups, "packed_groups", "03010002", "thread is out of"},
    {unpack_groups, "packed_groups", "00030002", "stack is out of"},
    {unpack_groups, "packed_groups", "0001801602", "flags is out of"},
    {unpack_groups, "packed_groups", "00010001", "weight is out of"},
    {unpack_groups, "packed_groups", "00010003", "period is no number"},
};

START_TEST(what_is_not_there_is_refused)
{
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct profile *p = some_profile();
        struct err err = {0};

        ck_assert_msg(!read_back(p, refused[i].what, refused[i].table,
                                 refused[i].bytes, &err),
                      "%s", refused[i].bytes);
        ck_assert_int_eq(err.code, ERR_CORRUPT);
        ck_assert_msg(strstr(err.message, refused[i].message), "%s: %s",
                      refused[i].bytes, err.message);
        profile_free(p);
    }
}
END_TEST

int main(void)
{
    return suite_run("pack", tables_are_written, samples_are_written,
                     groups_are_written, rows_are_full, nothing_is_no_row,
                     failures_are_kept, tables_are_read, samples_are_read,
                     groups_are_read,
                     what_is_not_there_is_refused);
}
