/* Tables laid down as pages: SQLite reads what was written. */
#include "engine/store/btree.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/store/record.h"
#include "tests/support/suite.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static char path[] = "/tmp/topfn-btree-XXXXXX";

static void exec(sqlite3 *db, const char *sql)
{
    char *message = NULL;

    sqlite3_exec(db, sql, NULL, NULL, &message);
    ck_assert_msg(!message, "%s: %s", sql, message);
}

static int64_t number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    int64_t n;

    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    n = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return n;
}

static sqlite3 *open_file(void)
{
    sqlite3 *db;

    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    return db;
}

/* Two tables a and b without rows; roots of both, and pages. */
static uint32_t make_file(uint32_t roots[2])
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    char sql[80];
    sqlite3 *db;
    uint32_t pages;

    ck_assert_int_ge(fd, 0);
    close(fd);
    db = open_file();
    snprintf(sql, sizeof(sql), "PRAGMA page_size=%d", STORE_PAGE_SIZE);
    exec(db, sql);
    exec(db, "CREATE TABLE a(id INTEGER PRIMARY KEY, n INTEGER, v)");
    exec(db, "CREATE TABLE b(id INTEGER PRIMARY KEY, n INTEGER, v)");
    roots[0] = (uint32_t)number(
        db, "SELECT rootpage FROM sqlite_master WHERE name='a'");
    roots[1] = (uint32_t)number(
        db, "SELECT rootpage FROM sqlite_master WHERE name='b'");
    pages = (uint32_t)number(db, "PRAGMA page_count");
    sqlite3_close(db);
    return pages;
}

static void setup(void)
{
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void teardown(void)
{
    unlink(path);
    strcpy(path + strlen(path) - 6, "XXXXXX");
}

/* What is in row `id`: bytes that tell themselves. */
static uint8_t *bytes_of(uint32_t id, size_t n)
{
    uint8_t *bytes = mem_new(n, 1);

    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)(id + i / 251);
    return bytes;
}

/* A row (id, 3 * id, its bytes). */
static void add(struct btree *t, struct record *r, uint32_t id, size_t n)
{
    uint8_t *bytes = bytes_of(id, n);

    record_begin(r);
    record_null(r);
    record_integer(r, (int64_t)3 * id);
    record_bytes(r, RECORD_BLOB, bytes, n);
    btree_add(t, id, record_end(r));
    free(bytes);
}

static void check_whole(sqlite3 *db)
{
    sqlite3_stmt *s = NULL;

    ck_assert_int_eq(
        sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &s, NULL),
        SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    ck_assert_str_eq((const char *)sqlite3_column_text(s, 0), "ok");
    sqlite3_finalize(s);
}

static void check_row(sqlite3_stmt *s, uint32_t id, size_t n)
{
    const uint8_t *bytes = sqlite3_column_blob(s, 2);
    uint8_t *known = bytes_of(id, n);

    ck_assert_int_eq(sqlite3_column_int64(s, 0), id);
    ck_assert_int_eq(sqlite3_column_int64(s, 1), (int64_t)3 * id);
    ck_assert_uint_eq((size_t)sqlite3_column_bytes(s, 2), n);
    ck_assert(!n || !memcmp(bytes, known, n));
    free(known);
}

static void check_file(void)
{
    struct stat st;
    sqlite3 *db = open_file();

    check_whole(db);
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_eq(st.st_size,
                     number(db, "PRAGMA page_count") * STORE_PAGE_SIZE);
    sqlite3_close(db);
}

/* `rows` of `n` bytes each: none, one page, two levels, three. */
static const struct {
    uint32_t rows;
    size_t n;
} shapes[] = {
    {0, 0},    {1, 0},      {1, 8141},   {2, 4070},    {3, 4070},
    {1000, 1}, {545, 8000}, {546, 8000}, {1091, 5000},
};

START_TEST(trees_of_all_heights)
{
    uint32_t roots[2], pages = make_file(roots);
    struct page_file file;
    struct record r = {0};
    struct btree t;
    sqlite3_stmt *s = NULL;
    sqlite3 *db;

    page_file_open(&file, path, pages);
    btree_open(&t, &file, roots[0]);
    for (uint32_t i = 1; i <= shapes[_i].rows; i++)
        add(&t, &r, i, shapes[_i].n);
    btree_close(&t);
    ck_assert_int_eq(page_file_close(&file), SQLITE_OK);
    record_release(&r);
    check_file();
    db = open_file();
    ck_assert_int_eq(sqlite3_prepare_v2(db, "SELECT * FROM a", -1, &s, NULL),
                     SQLITE_OK);
    for (uint32_t i = 1; i <= shapes[_i].rows; i++) {
        ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
        check_row(s, i, shapes[_i].n);
    }
    ck_assert_int_eq(sqlite3_step(s), SQLITE_DONE);
    sqlite3_finalize(s);
    sqlite3_close(db);
}
END_TEST

/* Found by id through the pages above, also where ids have gaps. */
START_TEST(rows_are_found)
{
    enum { ROWS = 50000 };
    uint32_t roots[2], pages = make_file(roots);
    struct page_file file;
    struct record r = {0};
    struct btree t;
    char sql[80];
    sqlite3 *db;

    page_file_open(&file, path, pages);
    btree_open(&t, &file, roots[0]);
    for (uint32_t i = 0; i < ROWS; i++)
        add(&t, &r, 7 * i, 20);
    add(&t, &r, UINT32_MAX, 20);
    btree_close(&t);
    ck_assert_int_eq(page_file_close(&file), SQLITE_OK);
    record_release(&r);
    check_file();
    db = open_file();
    for (uint32_t i = 0; i < 7 * ROWS; i += 3) {
        snprintf(sql, sizeof(sql), "SELECT count(*) FROM a WHERE id = %u", i);
        if (i % 997 == 0)
            ck_assert_int_eq(number(db, sql), i % 7 == 0);
    }
    ck_assert_int_eq(number(db, "SELECT n FROM a WHERE id = 4294967295"),
                     (int64_t)3 * UINT32_MAX);
    /* SQLite goes on where we ended. */
    exec(db, "DELETE FROM a WHERE id % 2");
    exec(db, "INSERT INTO a VALUES(1, 2, zeroblob(100000))");
    check_whole(db);
    sqlite3_close(db);
}
END_TEST

/* Sizes around those at which a row is cut, or its rest fills pages. */
START_TEST(long_rows)
{
    static const size_t sizes[] = {
        8140,  8142,  8143,  8144,   8145,   8146,    8150,  8157,
        8158,  9176,  9177,  9178,   9179,   9180,    9190,  9200,
        9210,  16300, 16310, 16320,  16330,  16340,   16350, 16360,
        16370, 16380, 24560, 262144, 300000, 1000000,
    };
    uint32_t roots[2], pages = make_file(roots);
    struct page_file file;
    struct record r = {0};
    struct btree t;
    sqlite3_stmt *s = NULL;
    sqlite3 *db;

    page_file_open(&file, path, pages);
    btree_open(&t, &file, roots[0]);
    for (uint32_t i = 0; i < COUNT(sizes); i++)
        add(&t, &r, i, sizes[i]);
    btree_close(&t);
    ck_assert_int_eq(page_file_close(&file), SQLITE_OK);
    record_release(&r);
    check_file();
    db = open_file();
    ck_assert_int_eq(sqlite3_prepare_v2(db, "SELECT * FROM a", -1, &s, NULL),
                     SQLITE_OK);
    for (uint32_t i = 0; i < COUNT(sizes); i++) {
        ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
        check_row(s, i, sizes[i]);
    }
    sqlite3_finalize(s);
    sqlite3_close(db);
}
END_TEST

/* Rows of both in turn, with long ones between. */
START_TEST(two_tables_at_once)
{
    enum { ROWS = 3000 };
    uint32_t roots[2], pages = make_file(roots);
    struct page_file file;
    struct record r = {0};
    struct btree t[2];
    sqlite3 *db;

    page_file_open(&file, path, pages);
    for (unsigned k = 0; k < 2; k++)
        btree_open(&t[k], &file, roots[k]);
    for (uint32_t i = 1; i <= ROWS; i++)
        for (unsigned k = 0; k < 2; k++)
            add(&t[k], &r, i, k && i % 100 == 0 ? 20000 : 100);
    for (unsigned k = 0; k < 2; k++)
        btree_close(&t[k]);
    ck_assert_int_eq(page_file_close(&file), SQLITE_OK);
    record_release(&r);
    check_file();
    db = open_file();
    ck_assert_int_eq(number(db, "SELECT sum(n) FROM a"),
                     (int64_t)3 * ROWS * (ROWS + 1) / 2);
    ck_assert_int_eq(number(db, "SELECT sum(length(v)) FROM b"),
                     100 * (ROWS - ROWS / 100) + 20000 * (ROWS / 100));
    sqlite3_close(db);
}
END_TEST

/* The page in which SQLite locks bytes, a gigabyte into the file, is left
 * out: here by a leaf, and by the rest of a row. The file is full of holes. */
START_TEST(lock_page_is_left_out)
{
    static const size_t sizes[] = {4000, 200000};
    const uint32_t lock = (1 << 30) / STORE_PAGE_SIZE + 1;
    uint32_t roots[2];
    struct page_file file;
    struct record r = {0};
    struct btree t;
    sqlite3 *db;

    for (size_t i = 0; i < COUNT(sizes); i++) {
        make_file(roots);
        ck_assert_int_eq(truncate(path, (off_t)(lock - 6) * STORE_PAGE_SIZE),
                         0);
        page_file_open(&file, path, lock - 6);
        btree_open(&t, &file, roots[0]);
        for (uint32_t k = 1; k <= 40; k++)
            add(&t, &r, k, sizes[i]);
        btree_close(&t);
        ck_assert_int_eq(page_file_close(&file), SQLITE_OK);
        db = open_file();
        ck_assert_int_eq(number(db, "SELECT sum(n + length(v)) FROM a"),
                         3 * 820 + 40 * (int64_t)sizes[i]);
        ck_assert_int_gt(number(db, "PRAGMA page_count"), lock);
        sqlite3_close(db);
    }
    record_release(&r);
}
END_TEST

START_TEST(failures_are_told)
{
    uint32_t roots[2], pages = make_file(roots);
    struct page_file file;
    struct record r = {0};
    struct btree t;

    page_file_open(&file, "/nowhere/a.db", pages);
    btree_open(&t, &file, roots[0]);
    add(&t, &r, 1, 100000);
    btree_close(&t);
    ck_assert_int_eq(page_file_close(&file), SQLITE_CANTOPEN);
    page_file_open(&file, "/dev/full", pages);
    btree_open(&t, &file, roots[0]);
    for (uint32_t i = 0; i < 20000; i++)
        add(&t, &r, i, 100);
    btree_close(&t);
    ck_assert_int_eq(page_file_close(&file), SQLITE_FULL);
    record_release(&r);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("btree");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, trees_of_all_heights, 0, (int)COUNT(shapes));
    tcase_add_test(tc, rows_are_found);
    tcase_add_test(tc, long_rows);
    tcase_add_test(tc, two_tables_at_once);
    tcase_add_test(tc, lock_page_is_left_out);
    tcase_add_test(tc, failures_are_told);
    return suite_run_case("tables as pages", tc);
}
