/* Cached look-ups must give what looking into the folder gives. */
#include "engine/base/path.h"
#include "symbols/find/listing.h"

#include <sys/stat.h>

#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

static char folder[] = "/tmp/topfn-listing.XXXXXX";

static void make(const char *name)
{
    char *path = path_join(folder, name);

    ck_assert(!mkdir(path, 0700));
    free(path);
}

static void assert_same(struct listings *l, const char *in, const char *name)
{
    char *a = listings_find(l, in, name), *b = folder_find(in, name);

    ck_assert_msg(!a == !b && (!a || !strcmp(a, b)), "%s: %s, not %s", name,
                  a ? a : "none", b ? b : "none");
    free(a);
    free(b);
}

TEST(as_the_folder_has_it)
{
    static const char *const names[] = {
        "app.pdb", "App.pdb", "APP.PDB", "a",   "A",      "b",
        "B",       "c",       "zz",      "Zz",  "ZZ",     "index2.txt",
        "app",     "app.pd",  "",        "\xFF", "\xFF\xFE", "[b]"};
    struct listings *l = listings_new();

    make("App.pdb");
    make("aPP.pdb");
    make("a");
    make("B");
    make("zz");
    make("ZZ");
    make("[b]");
    make("\xFF");
    for (unsigned round = 0; round < 2; round++)
        for (size_t i = 0; i < COUNT(names); i++) {
            assert_same(l, folder, names[i]);
            assert_same(l, "/nowhere", names[i]);
            assert_same(l, "/nowhere\xFE", names[i]);
            assert_same(l, "/nowhere\xFF", names[i]);
            assert_same(NULL, folder, names[i]);
        }
    make("Late.pdb");
    assert_same(l, folder, "Late.pdb");
    listings_free(l);
}

SUITE
{
    int status;

    if (!mkdtemp(folder))
        return 1;
    status = run_tests();
    temp_folder_remove(folder);
    return status;
}

/* Images may name one large file: it is read once, by its path and size. */
TEST(sums_are_made_once)
{
    static const uint8_t bytes[] = "123456789", others[] = "abcdefghi";
    struct listings *l = listings_new();

    ck_assert_uint_eq(listings_crc(l, "a.debug", bytes, 9), 0xCBF43926);
    ck_assert_uint_eq(listings_crc(l, "b.debug", others, 9), 0x8DA988AF);
    ck_assert_uint_eq(listings_crc(l, "a.debug", others, 9), 0xCBF43926);
    ck_assert_uint_eq(listings_crc(NULL, "a.debug", others, 9), 0x8DA988AF);
    listings_free(l);
}
