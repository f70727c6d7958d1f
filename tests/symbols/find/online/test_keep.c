/* Files that come from servers: all of them, or nothing. */
#include "symbols/find/online/ask.h"

#include <unistd.h>

#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

static char folder[TEMP_FOLDER], place[100];

static const char *at(const char *name)
{
    snprintf(place, sizeof(place), "%s/%s", folder, name);
    return place;
}

static void check_file(const char *name, const char *text)
{
    char found[100] = "";
    FILE *file = fopen(at(name), "rb");

    ck_assert_ptr_nonnull(file);
    (void)!fread(found, 1, sizeof(found) - 1, file);
    fclose(file);
    ck_assert_str_eq(found, text);
}

/* Below folders that are made, and in those that are there. */
TEST(is_there_once_it_is_published)
{
    struct keep keep;

    temp_folder(folder);
    for (int again = 0; again < 2; again++) {
        keep_start(&keep, at("a/b/c"));
        ck_assert(keep_bytes(&keep, "one ", 4));
        ck_assert(keep_bytes(&keep, "two", 3));
        ck_assert(keep_ends(&keep));
        ck_assert((access(place, F_OK) != 0) == !again);
        ck_assert(keep_publish(&keep));
        keep_drop(&keep);
        check_file("a/b/c", "one two");
        ck_assert_uint_eq(temp_folder_files(folder), 1);
    }
    temp_folder_remove(folder);
}

TEST(is_gone_when_dropped)
{
    struct keep keep;

    temp_folder(folder);
    keep_start(&keep, at("a"));
    keep_drop(&keep);
    keep_start(&keep, at("a"));
    ck_assert(keep_bytes(&keep, "one", 3));
    ck_assert_uint_eq(temp_folder_files(folder), 1);
    keep_drop(&keep);
    ck_assert_uint_eq(temp_folder_files(folder), 0);
    keep_start(&keep, at("a"));
    ck_assert(keep_bytes(&keep, "one", 3));
    ck_assert(keep_ends(&keep));
    keep_drop(&keep);
    ck_assert_uint_eq(temp_folder_files(folder), 0);
    temp_folder_remove(folder);
}

TEST(where_it_cannot_be)
{
    struct keep keep;
    char text[200];

    temp_folder(folder);
    keep_start(&keep, at("a"));
    ck_assert(!keep_ends(&keep)); /* nothing came */
    ck_assert_int_eq(keep.err.code, ERR_TRUNCATED);
    keep_start(&keep, at("a"));
    ck_assert(keep_bytes(&keep, "one", 3));
    ck_assert(keep_ends(&keep) && keep_publish(&keep));
    keep_start(&keep, at("a/b")); /* below a file */
    ck_assert(!keep_bytes(&keep, "two", 3));
    ck_assert_int_eq(keep.err.code, ERR_IO);
    snprintf(text, sizeof(text), "%s: cannot write: Not a directory", place);
    ck_assert_str_eq(keep.err.message, text);
    keep_drop(&keep);
    check_file("a", "one");
    temp_folder_remove(folder);
}
