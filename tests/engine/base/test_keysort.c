#include "engine/base/keysort.h"
#include "tests/support/suite.h"

TEST(signed_keys)
{
    static const int64_t rising[] = {INT64_MIN, -5, -1, 0, 1, INT64_MAX};

    for (size_t i = 1; i < COUNT(rising); i++)
        ck_assert(keysort_signed(rising[i - 1]) < keysort_signed(rising[i]));
}
