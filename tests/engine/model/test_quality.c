/* Skipped ranges, events, warnings, facts and contents of a trace in its
 * profile. */
#include "engine/model/profile.h"
#include "tests/support/suite.h"

static struct profile *p;

TEST(adjacent_skips_are_one)
{
    const struct quality *q;

    p = profile_new();
    q = &p->quality;
    profile_skip(p, "a.etl", 0, 10, "bad size");
    profile_skip(p, "a.etl", 10, 5, "bad size");
    profile_skip(p, "a.etl", 15, 5, "bad kind");
    profile_skip(p, "b.etl", 20, 5, "bad kind");
    profile_skip(p, "b.etl", 30, 5, "bad kind");
    ck_assert_uint_eq(q->skipped_ranges, 4);
    ck_assert_uint_eq(q->skipped.len, 4);
    ck_assert_uint_eq(q->skipped.data[0].size, 15);
    ck_assert_uint_eq(q->skipped_bytes, 30);
    for (uint64_t i = 0; i < 1000; i++)
        profile_skip(p, "c.etl", i * 10, 1, "bad size");
    ck_assert_uint_eq(q->skipped_ranges, 1004);
    ck_assert_uint_eq(q->skipped.len, SKIPPED_KEPT);
    ck_assert_uint_eq(q->skipped_bytes, 1030);
    profile_free(p);
}

/* The last range that is kept still grows, later ones are only counted. */
TEST(skips_are_kept_up_to_a_number)
{
    const struct quality *q;

    p = profile_new();
    q = &p->quality;
    for (uint64_t i = 0; i < SKIPPED_KEPT; i++)
        profile_skip(p, "a.etl", i * 10, 1, "bad size");
    ck_assert_uint_eq(q->skipped.len, SKIPPED_KEPT);
    profile_skip(p, "a.etl", (SKIPPED_KEPT - 1) * 10 + 1, 2, "bad size");
    ck_assert_uint_eq(q->skipped_ranges, SKIPPED_KEPT);
    ck_assert_uint_eq(q->skipped.data[SKIPPED_KEPT - 1].size, 3);
    profile_skip(p, "a.etl", 0, 5, "bad kind");
    ck_assert_uint_eq(q->skipped_ranges, SKIPPED_KEPT + 1);
    profile_skip(p, "a.etl", (SKIPPED_KEPT - 1) * 10 + 3, 2, "bad size");
    ck_assert_uint_eq(q->skipped_ranges, SKIPPED_KEPT + 2);
    ck_assert_uint_eq(q->skipped.data[SKIPPED_KEPT - 1].size, 3);
    ck_assert_uint_eq(q->skipped.len, SKIPPED_KEPT);
    ck_assert_uint_eq(q->skipped_bytes, SKIPPED_KEPT + 2 + 5 + 2);
    profile_free(p);
}
