/*
 * The page of the database names every table, view and column there is, and
 * the version.
 */
#include <sqlite3.h>
#include <unistd.h>

#include "engine/store/store.h"
#include "tests/support/full_profile.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static char page[65536];

static void read_page(void)
{
    FILE *file = fopen("man/topfn-database.5", "r");
    size_t n;

    ck_assert_ptr_nonnull(file);
    n = fread(page, 1, sizeof(page) - 1, file);
    ck_assert_uint_lt(n, sizeof(page) - 1);
    fclose(file);
}

/* As a word in bold. */
static bool is_named(const char *word)
{
    char bold[100], request[100];

    snprintf(bold, sizeof(bold), "\\fB%s\\fR", word);
    snprintf(request, sizeof(request), "\n.B %s\n", word);
    return strstr(page, bold) || strstr(page, request);
}

static void check_names(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *rows;
    unsigned names = 0;

    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &rows, NULL), SQLITE_OK);
    for (; sqlite3_step(rows) == SQLITE_ROW; names++) {
        const char *name = (const char *)sqlite3_column_text(rows, 0);

        ck_assert_msg(is_named(name), "man/topfn-database.5 has no %s", name);
    }
    ck_assert_uint_gt(names, 30);
    sqlite3_finalize(rows);
}

static int version(sqlite3 *db)
{
    sqlite3_stmt *row;
    int number;

    sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &row, NULL);
    ck_assert_int_eq(sqlite3_step(row), SQLITE_ROW);
    number = sqlite3_column_int(row, 0);
    sqlite3_finalize(row);
    return number;
}

TEST(the_page_names_what_there_is)
{
    struct profile *p = full_profile(1, 20);
    struct err err = {0};
    char path[TEMP_PATH], wanted[40];
    sqlite3 *db;

    read_page();
    temp_file(path, "", 0);
    ck_assert_msg(!store_write(p, path, &err), "%s", err.message);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    check_names(db, "SELECT name FROM sqlite_master WHERE type IN "
                    "('table', 'view') AND name NOT LIKE 'sqlite_%'");
    check_names(db, "SELECT DISTINCT c.name FROM sqlite_master m, "
                    "pragma_table_info(m.name) c WHERE c.name <> 'id'");
    snprintf(wanted, sizeof(wanted), ".I user_version\n%d)", version(db));
    ck_assert_msg(strstr(page, wanted) != NULL, "not in the page: %s", wanted);
    sqlite3_close(db);
    unlink(path);
    profile_free(p);
}
