/* Nothing of a profile is lost or changed when it is joined, but for times. */
#include "engine/store/merge.h"

#include "tests/support/full_profile.h"
#include "tests/support/profile_check.h"
#include "tests/support/same_profile.h"
#include "tests/support/suite.h"

/* Without a first one, of the second alone. */
static struct profile *join(const struct profile *first,
                            const struct profile *second)
{
    struct profile *p = profile_new();

    if (first)
        ck_assert_int_eq(merge_add(p, first, NULL), ERR_NONE);
    ck_assert_int_eq(merge_add(p, second, NULL), ERR_NONE);
    merge_end(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    return p;
}

/* A profile with every member in use, of a minute. */
static struct profile *minute(uint64_t seed)
{
    struct profile *p = full_profile(seed, 40);

    p->trace.duration_ns = INT64_C(60000000000);
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.time[i] = (int64_t)i;
    return p;
}

/* One alone stays what it is. */
TEST(all_that_is_known_is_kept)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct profile *p = minute(seed);
        struct profile *all = join(NULL, p);
        const char *what = same_profile(p, all);

        ck_assert_msg(!what, "different: %s", what);
        profile_free(p), profile_free(all);
    }
}
