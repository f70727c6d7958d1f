#include "engine/base/err.h"

#include "tests/support/suite.h"

TEST(set_records_and_returns)
{
    struct err err = {0};

    ck_assert_int_eq(err_set(&err, ERR_CORRUPT, "%s: %d", "a.etl", 5),
                     ERR_CORRUPT);
    ck_assert_int_eq(err.code, ERR_CORRUPT);
    ck_assert_str_eq(err.message, "a.etl: 5");
}

TEST(first_failure_is_kept)
{
    struct err err = {0};

    err_set(&err, ERR_IO, "first");
    ck_assert_int_eq(err_set(&err, ERR_LIMIT, "second"), ERR_LIMIT);
    ck_assert_int_eq(err.code, ERR_IO);
    ck_assert_str_eq(err.message, "first");
}

TEST(nowhere_to_record)
{
    ck_assert_int_eq(err_set(NULL, ERR_USAGE, "%d", 1), ERR_USAGE);
}

TEST(long_message_is_cut)
{
    struct err err = {0};
    char name[2000];

    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    err_set(&err, ERR_IO, "%s", name);
    ck_assert_uint_eq(strlen(err.message), sizeof(err.message) - 1);
}

TEST(every_code_has_a_name)
{
    for (int code = ERR_NONE; code <= ERR_USAGE; code++) {
        ck_assert_ptr_nonnull(err_name((enum err_code)code));
        ck_assert_str_ne(err_name((enum err_code)code), "");
    }
    ck_assert_str_eq(err_name(ERR_TRUNCATED), "truncated");
}
