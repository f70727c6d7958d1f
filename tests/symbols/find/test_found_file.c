/* Messages about searched files, parts of paths, and files that are found by
 * their identity. */
#include "engine/base/path.h"
#include "symbols/find/found_file.h"

#include "symbols/find/listing.h"
#include "symbols/find/pdb.h"
#include "symbols/find/places.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

static void check_lost(size_t n, size_t count, const char *want)
{
    struct found found = {.cause = FIND_OK, .lost_count = count};
    struct out *text = out_memory();
    const char *told;
    size_t size;

    for (size_t i = 0; i < n; i++) {
        char path[] = "a.dwo";

        path[0] = (char)('a' + i);
        *vec_add(&found.lost) =
            (struct probe){.cause = i == 1 ? FIND_BROKEN : FIND_ABSENT,
                           .path = text_copy(path, 5)};
    }
    found_lost_text(&found, text);
    told = out_text(text, &size);
    ck_assert_uint_eq(size, strlen(want));
    ck_assert_mem_eq(told, want, size);
    out_close(text, NULL);
    found_release(&found);
}

TEST(what_is_lost)
{
    check_lost(0, 0, "");
    check_lost(1, 1, "a.dwo (no debug file)");
    check_lost(3, 3,
               "a.dwo (no debug file), b.dwo (broken debug file), "
               "c.dwo (no debug file)");
    check_lost(4, 4,
               "a.dwo (no debug file), b.dwo (broken debug file), "
               "c.dwo (no debug file) and 1 more");
    check_lost(4, 1000,
               "a.dwo (no debug file), b.dwo (broken debug file), "
               "c.dwo (no debug file) and 997 more");
}

/* ---- paths ---- */

TEST(parts_of_paths)
{
    static const char *const last[][2] = {
        {"a.pdb", "a.pdb"},
        {"/b/a.pdb", "a.pdb"},
        {"C:\\b\\a.pdb", "a.pdb"},
        {"C:\\b/a.pdb", "a.pdb"},
        {"a/", ""},
        {"a\\", ""},
        {"", ""},
        {"/", ""},
        {"a/.", ""},
        {"a/..", ""},
        {"..", ""},
        {"a/...", "..."},
        {"a/.b", ".b"},
    };
    static const char *const folders[][2] = {
        {"bin/app.exe", "bin/"}, {"app.exe", "."}, {"/app", "/"}, {"a/", "a/"}};
    static const char *const joined[][3] = {{"a", "b", "a/b"},
                                            {"a/", "b", "a/b"},
                                            {"", "b", "/b"},
                                            {"/", "b", "/b"}};
    static const struct {
        const char *path;
        bool plain;
    } plain[] = {{"/a/b", true},
                 {"a/b", false},
                 {"/a/../b", false},
                 {"/a/..b", true},
                 {"", false}};

    for (size_t i = 0; i < COUNT(last); i++) {
        char *name = path_last_part(last[i][0], strlen(last[i][0]));

        ck_assert_str_eq(name ? name : "", last[i][1]);
        free(name);
    }
    for (size_t i = 0; i < 4; i++) {
        char *folder = path_folder(folders[i][0]);
        char *path = path_join(joined[i][0], joined[i][1]);

        ck_assert_str_eq(folder, folders[i][1]);
        ck_assert_str_eq(path, joined[i][2]);
        free(folder);
        free(path);
    }
    for (size_t i = 0; i < COUNT(plain); i++)
        ck_assert(path_is_plain(plain[i].path) == plain[i].plain);
}

static char folder[] = "/tmp/topfn-found.XXXXXX";

static char *make(const char *name, const char *text)
{
    char *path = path_join(folder, name);
    FILE *file = fopen(path, "w");

    if (!file || fputs(text, file) < 0 || fclose(file))
        abort();
    return path;
}

/* In its own case, else the first in the order of bytes. */
TEST(names_in_another_case)
{
    static const char *const names[] = {"zAB", "zAb", "zaB"};
    static const char *const want[][2] = {
        {"zaB", "zaB"}, {"zab", "zAB"}, {"ZAB", "zAB"}, {"za", NULL}};

    for (size_t i = 0; i < 3; i++)
        free(make(names[2 - i], "x"));
    for (size_t i = 0; i < 4; i++) {
        char *path = folder_find(folder, want[i][0]);

        ck_assert(!path == !want[i][1]);
        if (path)
            ck_assert_str_eq(path + strlen(folder) + 1, want[i][1]);
        free(path);
    }
    ck_assert_ptr_null(folder_find("/nowhere", "a"));
}

/* ---- identities ---- */

/* By build-id if there is one, else by GUID, else by time and size. */
TEST(alike)
{
    static const struct {
        struct identity wanted, has;
        bool alike;
    } rows[] = {
        {{.build_id_size = 2, .build_id = {1, 2}},
         {.build_id_size = 2, .build_id = {1, 2, 3}},
         true},
        {{.build_id_size = 2, .build_id = {1, 2}},
         {.build_id_size = 2, .build_id = {1, 3}},
         false},
        {{.build_id_size = 2, .build_id = {1, 2}},
         {.build_id_size = 3, .build_id = {1, 2}},
         false},
        {{.build_id_size = 2, .build_id = {1, 2}, .guid = {5}},
         {.guid = {5}},
         false},
        {{.guid = {[15] = 5}}, {.guid = {[15] = 5}}, true},
        {{.guid = {[15] = 5}}, {.guid = {[15] = 6}}, false},
        {{.guid = {0}}, {.guid = {0}}, false},
        {{.timestamp = 7, .image_size = 9},
         {.timestamp = 7, .image_size = 9},
         true},
        {{.timestamp = 7, .image_size = 9},
         {.timestamp = 8, .image_size = 9},
         false},
        {{.timestamp = 7, .image_size = 9},
         {.timestamp = 7, .image_size = 8},
         false},
        {{.timestamp = 7}, {.timestamp = 7}, false},
        {{.guid = {1}, .timestamp = 7, .image_size = 9},
         {.guid = {2}, .timestamp = 7, .image_size = 9},
         true},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert(identity_is_alike(&rows[i].wanted, &rows[i].has) ==
                  rows[i].alike);
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
