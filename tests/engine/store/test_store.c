#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/analysis/rank.h"
#include "engine/model/profile.h"
#include "engine/store/store.h"
#include "tests/support/cells.h"
#include "tests/support/crash.h"
#include "tests/support/full_profile.h"
#include "tests/support/profile_builder.h"
#include "tests/support/same_profile.h"
#include "tests/support/suite.h"

static char dir[64], path[96], other[96];
enum { COUNTED, TIMED }; /* read without times, and with them */

static void setup(void)
{
    snprintf(dir, sizeof(dir), "/tmp/topfn-store-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof(path), "%s/a #1?%%.topfn", dir);
    snprintf(other, sizeof(other), "%s/b.topfn", dir);
}

static void teardown(void)
{
    unlink(path);
    unlink(other);
    ck_assert_msg(rmdir(dir) == 0, "files left in %s", dir);
}

static void write_to(const struct profile *p, const char *to)
{
    struct err err = {0};

    ck_assert_msg(store_write(p, to, &err) == 0, "%s", err.message);
}

static struct profile *read_from(const char *from, bool times)
{
    struct err err = {0};
    struct profile *p = store_read(from, times, &err);

    ck_assert_msg(p != NULL, "%s", err.message);
    return p;
}

static char *bytes_of(const char *from, size_t *size)
{
    FILE *f = fopen(from, "rb");
    char *bytes;
    struct stat st;

    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fstat(fileno(f), &st), 0);
    *size = (size_t)st.st_size;
    bytes = mem_new(*size + 1, 1);
    ck_assert_uint_eq(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

static void put_bytes(const char *to, const char *bytes, size_t size)
{
    FILE *f = fopen(to, "wb");

    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, size, f), size);
    ck_assert_int_eq(fclose(f), 0);
}

static void check_same_files(void)
{
    size_t n, m;
    char *a = bytes_of(path, &n), *b = bytes_of(other, &m);

    ck_assert_uint_eq(n, m);
    ck_assert_int_eq(memcmp(a, b, n), 0);
    free(a);
    free(b);
}

static void check_round_trip(struct profile *p)
{
    struct profile *q;
    const char *what;

    write_to(p, path);
    q = read_from(path, TIMED);
    what = same_profile(p, q);
    ck_assert_msg(!what, "different: %s", what);
    /* Twice the same bytes, also from what was read back. */
    write_to(q, other);
    check_same_files();
    write_to(p, other);
    check_same_files();
    profile_free(q);
    profile_free(p);
}

TEST(test_empty)
{
    struct profile *p = profile_new();

    profile_finish(p);
    check_round_trip(p);
}

TEST_LOOP(test_round_trip, 12)
{
    check_round_trip(full_profile((uint64_t)_i, 1 + (uint32_t)_i * 40));
}

static sqlite3 *open_db(const char *name)
{
    sqlite3 *db;

    ck_assert_int_eq(sqlite3_open(name, &db), SQLITE_OK);
    return db;
}

static void run(sqlite3 *db, const char *sql)
{
    char *message = NULL;

    sqlite3_exec(db, sql, NULL, NULL, &message);
    ck_assert_msg(!message, "%s: %s", sql, message);
}

static sqlite3_stmt *query(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *row = NULL;

    ck_assert_msg(!sqlite3_prepare_v2(db, sql, -1, &row, NULL), "%s: %s", sql,
                  sqlite3_errmsg(db));
    return row;
}

static int64_t number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *row = query(db, sql);
    int64_t value;

    ck_assert_int_eq(sqlite3_step(row), SQLITE_ROW);
    value = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    return value;
}

static const char *cell(sqlite3_stmt *row, int i)
{
    return (const char *)sqlite3_column_text(row, i);
}

/* Rows: exclusive, inclusive, name, module; in the order of the report. */
static void check_ranking(const struct profile *p, enum rank_by by, sqlite3 *db,
                          const char *sql)
{
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, by, SORT_EXCLUSIVE);
    sqlite3_stmt *row = query(db, sql);

    for (size_t i = 0; i < r->len; i++) {
        ck_assert_int_eq(sqlite3_step(row), SQLITE_ROW);
        ck_assert_uint_eq((uint64_t)sqlite3_column_int64(row, 0),
                          r->rows[i].exclusive);
        ck_assert_uint_eq((uint64_t)sqlite3_column_int64(row, 1),
                          r->rows[i].inclusive);
        ck_assert_str_eq(cell(row, 2), r->rows[i].name);
        if (by == RANK_FUNCTION)
            ck_assert_str_eq(cell(row, 3), r->rows[i].module);
    }
    ck_assert_int_eq(sqlite3_step(row), SQLITE_DONE);
    sqlite3_finalize(row);
    ranking_free(r);
    selection_free(sel);
}

/* Functions of a stack, innermost first; returns how many. */
static size_t path_of(const struct profile *p, uint32_t stack, uint32_t *path_)
{
    size_t n = 0;

    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t l = p->stacks.data[stack].location;

        for (uint32_t f = p->frame_start.data[l];
             f < p->frame_start.data[l + 1]; f++)
            path_[n++] = p->frames.data[f].function;
    }
    return n;
}

static bool has_edge(const uint32_t *functions, size_t n, uint32_t caller,
                     uint32_t callee)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t above = i + 1 < n ? functions[i + 1] : NO_ID;

        if (functions[i] == callee && above == caller)
            return true;
    }
    return false;
}

/* Samples that are not idle with this call anywhere on their stack. */
static int64_t count_edge(const struct profile *p, uint32_t caller,
                          uint32_t callee)
{
    uint32_t *functions = mem_new(p->frames.len * p->stacks.len, 4);
    int64_t count = 0;

    for (size_t i = 0; i < p->samples.len; i++) {
        size_t n = path_of(p, p->samples.stack[i], functions);

        if (!(p->samples.flags[i] & SAMPLE_IDLE))
            count += has_edge(functions, n, caller, callee);
    }
    free(functions);
    return count;
}

/* The tree knows every pair of caller and callee, too. */
static void check_edges(const struct profile *p, sqlite3 *db)
{
    int64_t edges = number(db, "SELECT count(*) FROM call_edges");

    ck_assert_int_gt(edges, 0);
    ck_assert_int_eq(
        edges, number(db, "SELECT count(*) FROM (SELECT DISTINCT"
                          " p.function, c.function FROM call_tree_nodes c"
                          " JOIN call_tree_nodes p ON p.id = c.parent)"));
    sqlite3_stmt *row = query(db, "SELECT caller_id, function_id, samples"
                                  " FROM callers ORDER BY samples DESC"
                                  " LIMIT 200");

    while (sqlite3_step(row) == SQLITE_ROW) {
        bool root = sqlite3_column_type(row, 0) == SQLITE_NULL;

        ck_assert_int_eq(
            sqlite3_column_int64(row, 2),
            count_edge(p, root ? NO_ID : (uint32_t)sqlite3_column_int(row, 0),
                       (uint32_t)sqlite3_column_int(row, 1)));
    }
    sqlite3_finalize(row);
    ck_assert_int_gt(number(db, "SELECT count(*) FROM callees"), 0);
    ck_assert_int_eq(number(db, "SELECT count(*) FROM callers"
                                " WHERE caller_id IS NOT NULL"),
                     number(db, "SELECT count(*) FROM callees"));
}

static void check_tree(const struct profile *p, sqlite3 *db)
{
    int64_t samples = number(db, "SELECT count(*) FROM samples"
                                 " WHERE NOT flags & 1");

    (void)p;
    ck_assert_int_eq(samples, number(db, "SELECT inclusive FROM call_tree"));
    ck_assert_int_eq(samples,
                     number(db, "SELECT sum(exclusive) FROM call_tree"));
    /* Children and own samples add up, and depths follow parents. */
    ck_assert_int_eq(
        0, number(db, "SELECT count(*) FROM call_tree_nodes n WHERE inclusive"
                      " <> exclusive + (SELECT coalesce(sum(inclusive), 0)"
                      " FROM call_tree_nodes c WHERE c.parent = n.id)"));
    ck_assert_int_eq(
        0, number(db, "SELECT count(*) FROM call_tree n JOIN call_tree p"
                      " ON p.id = n.parent WHERE n.depth <> p.depth + 1"
                      " OR n.id <= p.id"));
    ck_assert_int_eq(
        0, number(db, "SELECT count(*) FROM function_counts f WHERE exclusive"
                      " <> (SELECT sum(exclusive) FROM call_tree_nodes n"
                      " WHERE n.function = f.function)"));
}

TEST_LOOP(test_views, 5)
{
    struct profile *p = full_profile((uint64_t)_i, 25);
    struct selection *sel = selection_new(p, NULL);
    sqlite3 *db;

    write_to(p, path);
    db = open_db(path);
    check_ranking(p, RANK_FUNCTION, db,
                  "SELECT exclusive, inclusive, function, module"
                  " FROM top_functions");
    check_ranking(p, RANK_MODULE, db,
                  "SELECT exclusive, inclusive, module FROM top_modules");
    check_tree(p, db);
    check_edges(p, db);
    ck_assert_uint_eq(sel->idle,
                      (uint64_t)number(db, "SELECT value FROM trace_quality"
                                           " WHERE name = 'idle_samples'"));
    ck_assert_int_eq(number(db, "SELECT count(*) FROM samples"),
                     number(db, "SELECT sum(samples) FROM sample_groups"));
    ck_assert_int_eq(0, number(db, "SELECT count(*) FROM"
                                   " pragma_foreign_key_check"));
    sqlite3_close(db);
    selection_free(sel);
    profile_free(p);
}

/* Reads in both ways; a failure must say what and why. */
static enum err_code try_read(char *message)
{
    struct err err = {0};
    struct profile *p = store_read(path, TIMED, &err);
    struct err again = {0};

    ck_assert(!p == (err.code != 0) && !p == (err.message[0] != 0));
    profile_free(p);
    p = store_read(path, COUNTED, &again);
    ck_assert(!p == (again.code != 0));
    profile_free(p);
    if (message)
        strcpy(message, err.code ? err.message : again.message);
    return err.code ? err.code : again.code;
}

TEST(test_truncated)
{
    struct profile *p = full_profile(3, 30);
    size_t size;
    char *bytes;

    write_to(p, path);
    bytes = bytes_of(path, &size);
    for (size_t n = 0; n < size; n += n < 200 ? 1 : 509) {
        put_bytes(path, bytes, n);
        ck_assert_int_ne(try_read(NULL), ERR_NONE);
    }
    free(bytes);
    profile_free(p);
}

TEST(test_flipped)
{
    struct profile *p = full_profile(4, 30);
    int flips = crash_sanitized() ? 1000 : 4000;
    uint64_t state = 99;
    size_t size;
    char *bytes;

    write_to(p, path);
    bytes = bytes_of(path, &size);
    for (int i = 0; i < flips; i++) {
        size_t at = random_below(&state, (uint32_t)size);
        char old = bytes[at];

        bytes[at] = (char)(old ^ (1 << random_below(&state, 8)));
        put_bytes(path, bytes, size);
        try_read(NULL);
        bytes[at] = old;
    }
    free(bytes);
    profile_free(p);
}

static void check_spoilt(const struct cells *row)
{
    struct profile *p = full_profile(5, 40);
    char message[512];
    sqlite3 *db;

    write_to(p, path);
    db = open_db(path);
    run(db, "PRAGMA legacy_alter_table=1");
    run(db, row->cell[0]);
    sqlite3_close(db);
    cells_expect_that(row, try_read(message) ==
                               (row->len[2] ? ERR_UNSUPPORTED : ERR_CORRUPT));
    cells_expect_that(row, strstr(message, row->cell[1]));
    profile_free(p);
}

TEST(test_spoilt)
{
    cells_each("tests/engine/store/edits.cells", "spoilt", check_spoilt);
}

static uint64_t all_weights(const struct profile *p)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < p->samples.len; i++)
        sum += profile_sample_at(p, i).weight;
    return sum;
}

static void check_edit(const struct cells *row)
{
    struct profile *p = full_profile(5, 40);
    uint64_t before;
    sqlite3 *db;

    for (size_t i = 0; i < p->samples.len && p->samples.weight; i++)
        p->samples.weight[i] = 1;
    before = all_weights(p);
    write_to(p, path);
    profile_free(p);
    db = open_db(path);
    run(db, row->cell[0]);
    sqlite3_close(db);
    for (int times = COUNTED; times <= TIMED; times++) {
        p = read_from(path, times);
        cells_expect_number(row, 1, all_weights(p) - before);
        if (row->len[2])
            cells_expect(row, 2,
                         strings_get(p->strings, p->functions.data[1].name));
        profile_free(p);
    }
}

/* What somebody changes is what reports show, with times and without. */
TEST(test_edits_that_show)
{
    cells_each("tests/engine/store/edits.cells", "edits", check_edit);
}

/* What no reader makes is cut, and said to be. */
TEST(test_deep_stacks)
{
    struct profile *p = full_profile(5, 40), *q;
    uint64_t cut = p->quality.cut_stacks;
    size_t warnings = p->quality.warnings.len;

    for (uint32_t i = 0; i <= STACK_DEEPEST; i++) {
        uint32_t parent = i ? (uint32_t)p->stacks.len - 1 : 0;

        *vec_add(&p->stacks) = (struct stack){parent, 0};
    }
    write_to(p, path);
    for (int times = COUNTED; times <= TIMED; times++) {
        q = read_from(path, times);
        ck_assert_uint_eq(q->quality.cut_stacks, cut + 1);
        ck_assert_uint_eq(q->quality.warnings.len, warnings + 1);
        ck_assert(
            strstr(strings_get(q->strings, q->quality.warnings.data[warnings]),
                   "truncated to their leaf frames: 1"));
        profile_free(q);
    }
    profile_free(p);
}

TEST(test_own_index_is_welcome)
{
    struct profile *p = full_profile(5, 40);
    sqlite3 *db;

    write_to(p, path);
    db = open_db(path);
    run(db, "CREATE INDEX mine ON samples(stack); CREATE VIEW v AS SELECT 1;"
            "VACUUM; ANALYZE");
    sqlite3_close(db);
    ck_assert_int_eq(try_read(NULL), ERR_NONE);
    profile_free(p);
}

TEST(test_no_database)
{
    struct err err = {0};

    ck_assert_ptr_null(store_read(path, TIMED, &err));
    ck_assert_int_eq(err.code, ERR_NOT_FOUND);
    err = (struct err){0};
    ck_assert_ptr_null(store_read(dir, TIMED, &err));
    ck_assert_int_eq(err.code, ERR_IO);
    put_bytes(path,
              "no database at all, but long enough for a header....."
              "......................................................",
              106);
    ck_assert_int_eq(try_read(NULL), ERR_CORRUPT);
}

TEST(test_probe)
{
    struct profile *p = full_profile(1, 5);
    size_t size;
    char *bytes;

    write_to(p, path);
    bytes = bytes_of(path, &size);
    ck_assert(store_probe((uint8_t *)bytes, size));
    ck_assert(!store_probe((uint8_t *)bytes, 99));
    bytes[68]++;
    ck_assert(!store_probe((uint8_t *)bytes, size));
    free(bytes);
    profile_free(p);
}

static void check_write_fails(const struct profile *p, const char *to)
{
    struct err err = {0};

    ck_assert_int_eq(store_write(p, to, &err), ERR_IO);
    ck_assert_ptr_nonnull(strstr(err.message, to));
}

TEST(test_bad_targets)
{
    struct profile *p = full_profile(1, 5);
    char below[128];

    check_write_fails(p, dir);
    check_write_fails(p, "/dev/null");
    snprintf(below, sizeof(below), "%s/none/x", dir);
    check_write_fails(p, below);
    if (geteuid() != 0) {
        chmod(dir, 0500);
        check_write_fails(p, path);
        chmod(dir, 0700);
    }
    profile_free(p);
}

TEST(test_full_disk)
{
    struct profile *small = full_profile(1, 5), *p = full_profile(2, 900);
    struct rlimit old, few = {1 << 18, 1 << 18};
    struct profile *q;

    write_to(small, path);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    few.rlim_max = old.rlim_max;
    setrlimit(RLIMIT_FSIZE, &few);
    check_write_fails(p, path);
    setrlimit(RLIMIT_FSIZE, &old);
    q = read_from(path, TIMED);
    ck_assert_ptr_null(same_profile(small, q));
    profile_free(small);
    profile_free(p);
    profile_free(q);
}

SUITE_FIXTURE(setup, teardown)
