/* Output does not depend on the key of the hash tables. */
#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/input/recording.h"
#include "engine/store/store.h"
#include "report/report.h"
#include "tests/support/opened.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static char *file_text(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *text = malloc(1 << 22);

    ck_assert(f && text);
    *n = fread(text, 1, 1 << 22, f);
    fclose(f);
    return text;
}

/* The database of a trace: every table and every order is in it. */
static char *database_of(const char *trace, uint64_t key, size_t *n)
{
    char path[TEMP_PATH], *bytes;
    struct err err = {0};
    struct profile *p;

    hash_set_key(key);
    p = opened_profile(trace, &(struct read_options){.threads = 2});
    temp_file(path, "", 0);
    ck_assert_msg(!store_write(p, path, &err), "%s", err.message);
    profile_free(p);
    bytes = file_text(path, n);
    unlink(path);
    return bytes;
}

TEST(same_database)
{
    static const char *const traces[] = {
        "testdata/etl/orders.etl",
        "testdata/etl/mixer.etl",
        "testdata/nettrace/v4-plain.nettrace",
    };

    for (size_t i = 0; i < COUNT(traces); i++) {
        size_t n, m;
        char *a = database_of(traces[i], 1, &n);
        char *b = database_of(traces[i], 0xFEDCBA9876543210u, &m);

        ck_assert_uint_eq(n, m);
        ck_assert_mem_eq(a, b, n);
        free(a);
        free(b);
    }
}

/* Keys that differ by the key. */
TEST(slots_depend_on_the_key)
{
    uint64_t first, second;

    hash_set_key(1);
    first = hash_pair(0x1000, 7);
    hash_set_key(2);
    second = hash_pair(0x1000, 7);
    ck_assert_uint_ne(first, second);
    ck_assert(hash_key.word[1] & hash_key.word[3] & 1);
}
