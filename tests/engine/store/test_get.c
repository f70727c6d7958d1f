/* One value of a database, by the kind of its column: what is let in, up to
 * either end of its range, and what is said of the rest. */
#include "engine/store/load.h"

#include "tests/support/suite.h"

enum { PROCESSES = 3 };

/* A value of so many bytes, of what SQL says. */
struct wanted {
    enum column_kind kind;
    const char *sql;
    size_t bytes;
    uint64_t value;
    const char *message; /* NULL: it is good */
};

static const struct wanted numbers[] = {
    {COLUMN_BOOL, "0", 1, 0, NULL},
    {COLUMN_BOOL, "1", 1, 1, NULL},
    {COLUMN_BOOL, "2", 1, 0, "is out of range"},
    {COLUMN_BOOL, "-1", 1, 0, "is out of range"},
    {COLUMN_BOOL, "NULL", 1, 0, "is not an integer"},
    {COLUMN_U8, "255", 1, 255, NULL},
    {COLUMN_U8, "256", 1, 0, "is out of range"},
    {COLUMN_U8, "-1", 1, 0, "is out of range"},
    {COLUMN_U8, "'x'", 1, 0, "is not an integer"},
    {COLUMN_U32, "0", 4, 0, NULL},
    {COLUMN_U32, "4294967295", 4, UINT32_MAX, NULL},
    {COLUMN_U32, "4294967296", 4, 0, "is out of range"},
    {COLUMN_U32, "-1", 4, 0, "is out of range"},
    {COLUMN_U32, "x'00'", 4, 0, "is not an integer"},
    {COLUMN_U64, "-1", 8, UINT64_MAX, NULL},
    {COLUMN_U64, "9223372036854775807", 8, INT64_MAX, NULL},
    {COLUMN_U64, "NULL", 8, 0, "is not an integer"},
    {COLUMN_U64_OR_NONE, "NULL", 8, UINT64_MAX, NULL},
    {COLUMN_U64_OR_NONE, "5", 8, 5, NULL},
    {COLUMN_I64, "-9223372036854775807 - 1", 8, (uint64_t)INT64_MIN, NULL},
    {COLUMN_I64, "7", 8, 7, NULL},
    {COLUMN_I64, "''", 8, 0, "is not an integer"},
    {COLUMN_START, "NULL", 8, (uint64_t)TIME_MIN, NULL},
    {COLUMN_START, "-5", 8, (uint64_t)-5, NULL},
    {COLUMN_START, "'x'", 8, 0, "is not an integer"},
    {COLUMN_END, "NULL", 8, TIME_MAX, NULL},
    {COLUMN_END, "5", 8, 5, NULL},
    {COLUMN_REF, "0", 4, 0, NULL},
    {COLUMN_REF, "2", 4, 2, NULL},
    {COLUMN_REF, "3", 4, 0, "is out of range"},
    {COLUMN_REF, "-1", 4, 0, "is out of range"},
    {COLUMN_REF, "NULL", 4, 0, "is not an integer"},
    {COLUMN_REF_OR_NONE, "2", 4, 2, NULL},
    {COLUMN_REF_OR_NONE, "NULL", 4, NO_ID, NULL},
    {COLUMN_REF_OR_NONE, "3", 4, 0, "is out of range"},
    {COLUMN_REF8, "2", 1, 2, NULL},
    {COLUMN_REF8, "3", 1, 0, "is out of range"},
    {COLUMN_REF8, "NULL", 1, 0, "is not an integer"},
    {COLUMN_PARENT, "NULL", 4, 0, NULL},
    {COLUMN_PARENT, "1", 4, 1, NULL},
    {COLUMN_PARENT, "6", 4, 6, NULL},
    {COLUMN_PARENT, "0", 4, 0, "is out of range"},
    {COLUMN_PARENT, "7", 4, 0, "is out of range"},
    {COLUMN_PARENT, "-1", 4, 0, "is out of range"},
    {COLUMN_PARENT, "''", 4, 0, "is not an integer"},
};

/* A row of one value, read into `value`. */
static bool get(const struct wanted *w, struct profile *p, uint64_t bytes_left,
                void *value, struct err *err)
{
    const struct store_column column = {
        .name = "c", .kind = w->kind, .refers = TABLE_PROCESSES};
    struct store_load load = {
        .name = "a.db", .err = err, .p = p, .bytes_left = bytes_left};
    struct store_row at = {.load = &load, .table = "t", .id = 7};
    char sql[200];
    bool ok;

    ck_assert_int_eq(sqlite3_open(":memory:", &load.db), SQLITE_OK);
    snprintf(sql, sizeof(sql), "SELECT %s", w->sql);
    ck_assert_int_eq(sqlite3_prepare_v2(load.db, sql, -1, &at.row, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(at.row), SQLITE_ROW);
    ok = store_get(&at, 0, &column, value);
    sqlite3_finalize(at.row);
    sqlite3_close(load.db);
    return ok;
}

static struct profile *some_processes(void)
{
    struct profile *p = profile_new();

    p->processes.len = 0;
    for (unsigned i = 0; i < PROCESSES; i++)
        *vec_add(&p->processes) = (struct process){.pid = i};
    return p;
}

static void check_message(const struct err *err, const struct wanted *w)
{
    char message[100];

    snprintf(message, sizeof(message), "a.db: table t, row 7: c %s",
             w->message);
    ck_assert_msg(!strcmp(err->message, message), "%s: %s", w->sql,
                  err->message);
    ck_assert_int_eq(err->code, ERR_CORRUPT);
}

static uint64_t number_at(const void *value, size_t bytes)
{
    if (bytes == 1)
        return *(const uint8_t *)value;
    return bytes == 4 ? *(const uint32_t *)value : *(const uint64_t *)value;
}

TEST(numbers_are_in_range)
{
    for (size_t i = 0; i < COUNT(numbers); i++) {
        struct profile *p = some_processes();
        uint64_t value = 0;
        struct err err = {0};
        bool ok = get(&numbers[i], p, 0, &value, &err);

        ck_assert_msg(ok == !numbers[i].message, "row %zu", i);
        if (!ok)
            check_message(&err, &numbers[i]);
        else
            ck_assert_uint_eq(number_at(&value, numbers[i].bytes),
                              numbers[i].value);
        profile_free(p);
    }
}

/* Text must fit what is left of the file's bytes. */
TEST(texts_fit_the_file)
{
    static const struct {
        struct wanted w;
        uint64_t bytes_left;
        const char *text;
    } cases[] = {
        {{COLUMN_TEXT, "'abc'", 4, 0, NULL}, 3, "abc"},
        {{COLUMN_TEXT, "'abc'", 4, 0, NULL}, 100, "abc"},
        {{COLUMN_TEXT, "''", 4, 0, NULL}, 0, ""},
        {{COLUMN_TEXT, "'abc'", 4, 0, "is longer than the file"}, 2, ""},
        {{COLUMN_TEXT, "x'61'", 4, 0, "is not text"}, 100, ""},
        {{COLUMN_TEXT, "1", 4, 0, "is not text"}, 100, ""},
        {{COLUMN_TEXT, "NULL", 4, 0, "is not text"}, 100, ""},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct profile *p = some_processes();
        uint32_t id = 0;
        struct err err = {0};
        bool ok = get(&cases[i].w, p, cases[i].bytes_left, &id, &err);

        ck_assert_msg(ok == !cases[i].w.message, "row %zu", i);
        if (!ok)
            check_message(&err, &cases[i].w);
        ck_assert_str_eq(strings_get(p->strings, id), cases[i].text);
        profile_free(p);
    }
}

#define SIXTEEN "000102030405060708090A0B0C0D0E0F"

TEST(identities_have_sizes)
{
    static const struct {
        struct wanted w;
        size_t size;
    } cases[] = {
        {{COLUMN_BUILD_ID, "NULL", 0, 0, NULL}, 0},
        {{COLUMN_BUILD_ID, "x''", 0, 0, NULL}, 0},
        {{COLUMN_BUILD_ID, "x'0001'", 0, 0, NULL}, 2},
        {{COLUMN_BUILD_ID, "x'" SIXTEEN SIXTEEN "'", 0, 0, NULL}, 32},
        {{COLUMN_BUILD_ID, "x'" SIXTEEN SIXTEEN "00'", 0, 0,
          "is not an identity"},
         0},
        {{COLUMN_BUILD_ID, "'ab'", 0, 0, "is not an identity"}, 0},
        {{COLUMN_GUID, "x'" SIXTEEN "'", 0, 0, NULL}, 16},
        {{COLUMN_GUID, "x'" SIXTEEN "00'", 0, 0, "is not an identity"}, 0},
        {{COLUMN_GUID, "x'00'", 0, 0, "is not a GUID"}, 0},
        {{COLUMN_GUID, "7", 0, 0, "is not an identity"}, 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        bool is_guid = cases[i].w.kind == COLUMN_GUID;
        struct profile *p = some_processes();
        struct identity id = {.age = 0};
        struct err err = {0};
        bool ok = get(&cases[i].w, p, 0,
                      is_guid ? (void *)id.guid : (void *)&id, &err);

        ck_assert_msg(ok == !cases[i].w.message, "row %zu", i);
        if (!ok)
            check_message(&err, &cases[i].w);
        for (size_t k = 0; ok && k < cases[i].size; k++)
            ck_assert_uint_eq(is_guid ? id.guid[k] : id.build_id[k], k % 16);
        if (ok && !is_guid)
            ck_assert_uint_eq(id.build_id_size, cases[i].size);
        profile_free(p);
    }
}
