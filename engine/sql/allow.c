#include "engine/sql/allow.h"

#include <sqlite3.h>
#include <stddef.h>

#include "engine/base/text.h"

static bool is_listed(const char *const *list, const char *name)
{
    for (; *list; list++)
        if (ascii_same(*list, name))
            return true;
    return false;
}

/* Without an argument they tell and set nothing. */
static const char *const telling[] = {
    "application_id",   "collation_list", "compile_options", "database_list",
    "encoding",         "function_list",  "module_list",     "page_count",
    "page_size",        "pragma_list",    "table_list",      "user_version",
    NULL,
};

/* The argument is what they are about. */
static const char *const about[] = {
    "foreign_key_list", "index_info",  "index_list", "index_xinfo",
    "table_info",       "table_list",  "table_xinfo", NULL,
};

static const char *const functions[] = {
    "load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", NULL,
};

/* Names a refused action in words of SQL. */
static const char *name_of(int action, const char *table)
{
    /* CREATE and DROP begin as changes of this table. */
    if (table && !sqlite3_strglob("sqlite_*", table))
        return "a change of the schema";
    switch (action) {
    case SQLITE_ATTACH:
        return "opening a file (--attach NAME=FILE does)";
    case SQLITE_DETACH:
        return "DETACH";
    case SQLITE_PRAGMA:
        return "this PRAGMA";
    case SQLITE_FUNCTION:
        return "this function";
    case SQLITE_INSERT:
        return "INSERT";
    case SQLITE_UPDATE:
        return "UPDATE";
    case SQLITE_DELETE:
        return "DELETE";
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
        return "a transaction";
    default:
        return "a change of the schema";
    }
}

int allow(void *context, int action, const char *first, const char *second,
          const char *schema, const char *source)
{
    struct access *a = context;

    (void)source;
    if (a->own)
        return SQLITE_OK;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_READ:
        if (first && a->reads)
            a->reads(a->context, schema, first);
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        if (second && !is_listed(functions, second))
            return SQLITE_OK;
        break;
    case SQLITE_PRAGMA:
        if (first && is_listed(second ? about : telling, first))
            return SQLITE_OK;
        break;
    case SQLITE_UPDATE:
        /* SQLite's own doing when it opens a virtual table; it lets nobody
         * else change the schema so, being told to be defensive. */
        if (first && !sqlite3_stricmp(first, "sqlite_master"))
            return SQLITE_OK;
        break;
    default:
        break;
    }
    if (!a->refused)
        a->refused = name_of(action, first);
    return SQLITE_DENY;
}
