#include "engine/model/profile.h"

#include "tests/support/profile_check.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

TEST(any_finished_profile_can_be_folded)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        struct profile *p = random_profile(seed);

        inlines_fold(p);
        ck_assert(!inlines_any(p));
        ck_assert_msg(!profile_check(p), "%s", profile_check(p));
        profile_free(p);
    }
}
