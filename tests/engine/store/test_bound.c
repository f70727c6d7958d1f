/* A database whose schema is a tree of pages that name each other again and
 * again: few pages, 400^5 rows. */
#include <sqlite3.h>

#include "engine/store/schema.h"
#include "engine/store/store.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

enum { PAGE = 4096, MOST_PAGES = 16, LEVELS = 5, CHILDREN = 400 };

static uint8_t file[MOST_PAGES * PAGE];

static void put16(uint8_t *to, size_t value)
{
    to[0] = (uint8_t)(value >> 8);
    to[1] = (uint8_t)value;
}

static void put32(uint8_t *to, size_t value)
{
    put16(to, value >> 16);
    put16(to + 2, value & 0xFFFF);
}

static size_t get16(const uint8_t *from)
{
    return (size_t)from[0] << 8 | from[1];
}

/* Lays cells out at the end of a page whose header is at `header`. */
struct page {
    uint8_t *at;
    size_t header, pointers, end, cells;
};

static struct page page_begin(uint8_t *at, size_t header, uint8_t kind)
{
    memset(at + header, 0, PAGE - header);
    at[header] = kind;
    return (struct page){at, header, header + (kind == 5 ? 12 : 8), PAGE, 0};
}

static void page_add(struct page *p, const uint8_t *cell, size_t n)
{
    p->end -= n;
    memcpy(p->at + p->end, cell, n);
    put16(p->at + p->pointers + 2 * p->cells++, p->end);
    put16(p->at + p->header + 3, p->cells);
    put16(p->at + p->header + 5, p->end);
}

/* CHILDREN times the page `child`, after `first`. */
static void put_interior(uint8_t *at, size_t header, size_t first, size_t child)
{
    struct page p = page_begin(at, header, 5);

    for (size_t i = 0; i < CHILDREN; i++) {
        uint8_t cell[6];

        put32(cell, i ? child : first);
        cell[4] = (uint8_t)(0x80 | i >> 7);
        cell[5] = i & 0x7F;
        page_add(&p, cell, sizeof(cell));
    }
    put32(at + header + 8, child);
}

static void make_database(const char *path)
{
    char sql[200];
    sqlite3 *db;

    snprintf(sql, sizeof(sql),
             "PRAGMA page_size=%d; PRAGMA application_id=%d;"
             "PRAGMA user_version=%d; CREATE TABLE t(a UNIQUE)",
             PAGE, STORE_APPLICATION_ID, STORE_VERSION);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* The rows of the schema as a leaf, then a leaf of the automatic index alone
 * (a row that may stand there twice), then levels above that. */
static size_t spoil(size_t pages)
{
    uint8_t *whole = file + pages * PAGE, *repeated = whole + PAGE;
    struct page all = page_begin(whole, 0, 13);
    struct page again = page_begin(repeated, 0, 13);
    size_t child = pages + 2;

    for (size_t i = 0; i < get16(file + 103); i++) {
        const uint8_t *cell = file + get16(file + 108 + 2 * i);
        size_t n = 2 + (size_t)cell[0];

        page_add(&all, cell, n);
        if (memmem(cell, n, "autoindex", 9))
            for (unsigned k = 0; k < 40; k++)
                page_add(&again, cell, n);
    }
    ck_assert_uint_eq(again.cells, 40);
    for (unsigned level = 0; level < LEVELS; level++, child++)
        put_interior(file + child * PAGE, 0, child, child);
    put_interior(file, 100, pages + 1, child);
    put32(file + 28, child);
    return child;
}

TEST(shared_pages_end)
{
    char path[TEMP_PATH];
    struct err err = {0};
    size_t pages;
    FILE *f;

    temp_file(path, "", 0);
    make_database(path);
    f = fopen(path, "r+b");
    pages = fread(file, 1, sizeof(file), f) / PAGE;
    pages = spoil(pages);
    rewind(f);
    ck_assert_uint_eq(fwrite(file, PAGE, pages, f), pages);
    fclose(f);
    ck_assert_ptr_null(store_read(path, false, &err));
    unlink(path);
    ck_assert_int_eq(err.code, ERR_LIMIT);
    ck_assert_msg(strstr(err.message, "more work"), "%s", err.message);
}
