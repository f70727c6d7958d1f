#include "engine/base/unpacking.h"

#include "tests/support/suite.h"

TEST(limits)
{
    ck_assert_uint_eq(unpack_most(0), UNPACK_FREE);
    ck_assert_uint_eq(unpack_most(1000), UNPACK_FREE + 64000);
    ck_assert_uint_eq(unpack_most(UINT64_MAX), UINT64_MAX);
    ck_assert_uint_eq(unpack_most(UINT64_MAX / 64), UINT64_MAX);
}

TEST(a_budget_ends)
{
    struct unpack_budget b = {.packed = 1000};
    struct unpack_budget costly = {.packed = 1000, .costly = true};

    ck_assert(unpack_take(&b, UNPACK_FREE));
    ck_assert(!unpack_take(&b, 64001));
    ck_assert(!unpack_take(&b, UINT64_MAX));
    ck_assert(unpack_take(&b, 64000));
    ck_assert(!unpack_take(&b, 1));
    ck_assert(unpack_take(&b, 0));
    ck_assert(!unpack_take(&costly, UNPACK_FREE + 16001));
    ck_assert(unpack_take(&costly, UNPACK_FREE + 16000));
}

TEST(ordinary_parts_always_fit)
{
    struct unpack_budget b = {.costly = true};

    ck_assert(unpack_take_part(&b, 100, UNPACK_FREE + 1600));
    ck_assert(!unpack_take_part(&b, 100, 1601));
    ck_assert(unpack_take_part(&b, 100, 1600));
    ck_assert(unpack_take_part(&b, UINT64_MAX, UINT64_MAX));
}

TEST(a_profile_has_its_measure)
{
    ck_assert_uint_eq(unpack_most_of_profile(0), PROFILE_FREE);
    ck_assert_uint_eq(unpack_most_of_profile(1000), PROFILE_FREE + 48000);
    ck_assert_uint_eq(unpack_most_of_profile(UINT64_MAX), UINT64_MAX);
}
