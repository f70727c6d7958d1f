#include "engine/base/textfile.h"

#include <sys/stat.h>

#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

struct text_case {
    const char *bytes;
    size_t lines;
    const char *first, *last;
};

static const struct text_case cases[] = {
    {"", 0, NULL, NULL},
    {"\n", 1, "", ""},
    {"one\ntwo\n", 2, "one", "two"},
    {"one\r\ntwo", 2, "one", "two"},
    {"\xEF\xBB\xBF"
     "one\n\n",
     2, "one", ""},
    {"\ta\n  \tb\n", 2, "        a", "        b"},
    {"\xC3\xA9\xC3\xA9\tx\n", 1, "\xC3\xA9\xC3\xA9      x",
     "\xC3\xA9\xC3\xA9      x"},
    {"\xEF\xBB\xBF", 0, NULL, NULL},
    {"\xEF\xBB", 1, "\xEF\xBF\xBD\xEF\xBF\xBD", "\xEF\xBF\xBD\xEF\xBF\xBD"},
    {"\r\n\r", 2, "", ""},
    {"a\rb\r\r\n", 1, "a\rb\r", "a\rb\r"},
    {"1234567\tx\n12345678\tx", 2, "1234567 x", "12345678        x"},
    {"\t\t\n", 1, "                ", "                "},
    {"a\xFF"
     "b\n",
     1,
     "a\xEF\xBF\xBD"
     "b",
     "a\xEF\xBF\xBD"
     "b"},
};

static void check_case(const struct text_case *c)
{
    char path[TEMP_PATH];
    struct textfile *t;

    temp_file(path, c->bytes, strlen(c->bytes));
    t = textfile_open(path, NULL);
    unlink(path);
    ck_assert_ptr_nonnull(t);
    ck_assert_str_eq(textfile_path(t), path);
    ck_assert_uint_eq(textfile_lines(t), c->lines);
    if (c->lines) {
        ck_assert_str_eq(textfile_line(t, 1), c->first);
        ck_assert_str_eq(textfile_line(t, c->lines), c->last);
    }
    textfile_close(t);
}

TEST(lines_are_ready_to_be_shown)
{
    for (size_t i = 0; i < COUNT(cases); i++)
        check_case(&cases[i]);
}

static void assert_refused(const char *path, enum err_code code)
{
    struct err err = {0};

    ck_assert_ptr_null(textfile_open(path, &err));
    ck_assert_int_eq(err.code, code);
}

TEST(what_is_no_source_is_refused)
{
    char path[TEMP_PATH];
    struct err err = {0};

    temp_file(path, "a\0b", 3);
    assert_refused(path, ERR_UNSUPPORTED);
    ck_assert(!truncate(path, (16 << 20) + 1));
    ck_assert_ptr_null(textfile_open(path, &err));
    ck_assert_int_eq(err.code, ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "larger than 16 MiB"));
    unlink(path);
    assert_refused(path, ERR_NOT_FOUND);
    ck_assert(!mkfifo(path, 0600)); /* nobody writes into it */
    assert_refused(path, ERR_UNSUPPORTED);
    unlink(path);
    assert_refused("/", ERR_UNSUPPORTED);
    assert_refused("/dev/null", ERR_UNSUPPORTED);
    assert_refused("/dev/null/x", ERR_IO);
}
