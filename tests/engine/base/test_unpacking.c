#include "engine/base/unpacking.h"

#include "tests/support/suite.h"

TEST(limits)
{
    ck_assert_uint_eq(unpack_most(0), UNPACK_FREE);
    ck_assert_uint_eq(unpack_most(1000), UNPACK_FREE + 64000);
    ck_assert_uint_eq(unpack_most(UINT64_MAX), UINT64_MAX);
    ck_assert_uint_eq(unpack_most(UINT64_MAX / 64), UINT64_MAX);
}

TEST(a_profile_has_its_measure)
{
    ck_assert_uint_eq(unpack_most_of_profile(0), PROFILE_FREE);
    ck_assert_uint_eq(unpack_most_of_profile(1000), PROFILE_FREE + 48000);
    ck_assert_uint_eq(unpack_most_of_profile(UINT64_MAX), UINT64_MAX);
}
