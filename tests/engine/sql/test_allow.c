/* What SQL may do, action by action. */
#include "engine/sql/allow.h"

#include <sqlite3.h>

#include "tests/support/suite.h"

static const struct {
    int action;
    const char *first, *second;
    const char *refused; /* NULL: it is allowed */
} cases[] = {
    {SQLITE_SELECT, NULL, NULL, NULL},
    {SQLITE_RECURSIVE, NULL, NULL, NULL},
    {SQLITE_READ, "samples", "id", NULL},
    {SQLITE_READ, NULL, NULL, NULL},
    {SQLITE_FUNCTION, NULL, "count", NULL},
    {SQLITE_FUNCTION, NULL, "edits", NULL},
    {SQLITE_FUNCTION, NULL, "load_extension", "this function"},
    {SQLITE_FUNCTION, NULL, "FTS3_Tokenizer", "this function"},
    {SQLITE_FUNCTION, NULL, "readfile", "this function"},
    {SQLITE_FUNCTION, NULL, "writefile", "this function"},
    {SQLITE_FUNCTION, NULL, "edit", "this function"},
    {SQLITE_FUNCTION, NULL, NULL, "this function"},
    /* With an argument a PRAGMA may set something. */
    {SQLITE_PRAGMA, "user_version", NULL, NULL},
    {SQLITE_PRAGMA, "user_version", "1", "this PRAGMA"},
    {SQLITE_PRAGMA, "application_id", NULL, NULL},
    {SQLITE_PRAGMA, "Page_Size", NULL, NULL},
    {SQLITE_PRAGMA, "page_size", "512", "this PRAGMA"},
    {SQLITE_PRAGMA, "pragma_list", NULL, NULL},
    {SQLITE_PRAGMA, "table_list", NULL, NULL},
    {SQLITE_PRAGMA, "table_list", "samples", NULL},
    {SQLITE_PRAGMA, "table_info", "samples", NULL},
    {SQLITE_PRAGMA, "table_xinfo", "samples", NULL},
    {SQLITE_PRAGMA, "foreign_key_list", "samples", NULL},
    {SQLITE_PRAGMA, "table_info", NULL, "this PRAGMA"},
    {SQLITE_PRAGMA, "journal_mode", NULL, "this PRAGMA"},
    {SQLITE_PRAGMA, NULL, NULL, "this PRAGMA"},
    /* Nothing is written, but what SQLite itself opens a table with. */
    {SQLITE_UPDATE, "sqlite_master", "sql", NULL},
    {SQLITE_UPDATE, "SQLITE_MASTER", "sql", NULL},
    {SQLITE_UPDATE, "sqlite_sequence", "seq", "a change of the schema"},
    {SQLITE_UPDATE, "samples", "cpu", "UPDATE"},
    {SQLITE_UPDATE, NULL, NULL, "UPDATE"},
    {SQLITE_INSERT, "samples", NULL, "INSERT"},
    {SQLITE_INSERT, "sqlite_master", NULL, "a change of the schema"},
    {SQLITE_DELETE, "samples", NULL, "DELETE"},
    {SQLITE_DELETE, "sqlite_master", NULL, "a change of the schema"},
    {SQLITE_CREATE_TABLE, "t", NULL, "a change of the schema"},
    {SQLITE_DROP_VIEW, "v", NULL, "a change of the schema"},
    {SQLITE_TRANSACTION, "BEGIN", NULL, "a transaction"},
    {SQLITE_SAVEPOINT, "BEGIN", "s", "a transaction"},
    {SQLITE_ATTACH, "a.db", NULL, "opening a file (--attach NAME=FILE does)"},
    {SQLITE_DETACH, "b", NULL, "DETACH"},
};

TEST(statements_only_read)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct access access = {.own = false};
        int result = allow(&access, cases[i].action, cases[i].first,
                           cases[i].second, "main", NULL);

        ck_assert_msg(result == (cases[i].refused ? SQLITE_DENY : SQLITE_OK),
                      "row %zu: %d", i, result);
        if (cases[i].refused)
            ck_assert_str_eq(access.refused, cases[i].refused);
        else
            ck_assert_ptr_null(access.refused);
    }
}

/* What topfn does itself it may. */
TEST(own_statements_do_anything)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct access access = {.own = true};

        ck_assert_int_eq(allow(&access, cases[i].action, cases[i].first,
                               cases[i].second, "main", NULL),
                         SQLITE_OK);
        ck_assert_ptr_null(access.refused);
    }
}
