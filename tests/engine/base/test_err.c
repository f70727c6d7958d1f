#include "engine/base/err.h"

#include "tests/support/suite.h"

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
