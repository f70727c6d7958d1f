/* Debug files that are opened with what they stand on, or not at all. */
#include "symbols/find/found_file.h"
#include "tests/support/elf_made.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static const struct places places;
static char path[TEMP_PATH];

/* Nothing is open then, and it is said why. */
static const struct {
    const char *bytes;
    size_t size;
    const char *why;
} others[] = {
    {"PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22, "is empty"},
    {"no debug file", 13, ""},
    {"", 0, ""},
};

TEST_LOOP(what_is_none, COUNT(others))
{
    struct err err = {0};
    struct opened o;

    temp_file(path, others[_i].bytes, others[_i].size);
    ck_assert(!opened_path(&o, path, &places, &err));
    unlink(path);
    ck_assert_ptr_null(o.file);
    ck_assert_ptr_null(o.container);
    ck_assert_msg(strstr(err.message, path), "%s", err.message);
    ck_assert_msg(strstr(err.message, others[_i].why), "%s", err.message);
    err = (struct err){0};
    ck_assert(!opened_path(&o, path, &places, &err)); /* not there any more */
    ck_assert_int_eq(err.code, ERR_NOT_FOUND);
    ck_assert(!opened_bytes(&o, "a.so", (const uint8_t *)others[_i].bytes,
                            others[_i].size, &places, &err));
    ck_assert_ptr_null(o.file);
}
