/* Stacks by key, and samples that wait for them. */
#include "engine/format/etl/pending.h"
#include "tests/support/suite.h"

static const struct etl_part frames = {7, PART_FRAMES};
static const struct etl_part others = {8, PART_FRAMES};

static bool same(struct etl_part a, struct etl_part b)
{
    return a.id == b.id && a.kind == b.kind;
}

START_TEST(uses_before_a_definition_share_it)
{
    struct etl_keys keys = {0};
    struct etl_part a = etl_keys_use(&keys, etl_key_of(5, true), false, 0);
    struct etl_part b = etl_keys_use(&keys, etl_key_of(5, true), false, 0);
    struct etl_part kernel =
        etl_keys_use(&keys, etl_key_of(5, false), false, 0);
    uint64_t address = 0;

    ck_assert(same(a, b) && !same(a, kernel));
    *etl_keys_define(&keys, etl_key_of(5, true)) = frames.id;
    ck_assert(same(etl_keys_resolve(&keys, a, &address), frames));
    ck_assert_int_eq(etl_keys_resolve(&keys, kernel, &address).kind, PART_NONE);
    ck_assert_uint_eq(etl_keys_undefined(&keys), 1);
    etl_keys_release(&keys);
}
END_TEST

START_TEST(a_key_is_used_again)
{
    struct etl_keys keys = {0};
    struct etl_part first = etl_keys_use(&keys, etl_key_of(5, true), false, 0);
    struct etl_part second;
    uint64_t address = 0;

    *etl_keys_define(&keys, etl_key_of(5, true)) = frames.id;
    ck_assert_ptr_null(etl_keys_define(&keys, etl_key_of(5, true)));
    ck_assert_ptr_null(etl_keys_define(&keys, etl_key_of(6, true)));
    second = etl_keys_use(&keys, etl_key_of(5, true), false, 0);
    *etl_keys_define(&keys, etl_key_of(5, true)) = others.id;
    ck_assert(same(etl_keys_resolve(&keys, first, &address), frames));
    ck_assert(same(etl_keys_resolve(&keys, second, &address), others));
    ck_assert_uint_eq(address, 0);
    etl_keys_release(&keys);
}
END_TEST

/* The first own sample's address stands in for what is never defined. */
START_TEST(an_address_stands_in)
{
    struct etl_keys keys = {0};
    struct etl_part part =
        etl_keys_use(&keys, etl_key_of(5, false), false, 0x10);
    struct etl_part later;
    uint64_t address = 0;

    etl_keys_use(&keys, etl_key_of(5, false), true, 0x20);
    etl_keys_use(&keys, etl_key_of(5, false), true, 0x30);
    etl_keys_remember(&keys, part, 0x40);
    ck_assert_int_eq(etl_keys_resolve(&keys, part, &address).kind, PART_NONE);
    ck_assert_uint_eq(address, 0x20);
    later = etl_keys_use(&keys, etl_key_of(6, false), false, 0);
    etl_keys_remember(&keys, later, 0x50);
    etl_keys_resolve(&keys, later, &address);
    ck_assert_uint_eq(address, 0x50);
    etl_keys_release(&keys);
}
END_TEST

START_TEST(frames_are_what_they_are)
{
    struct etl_keys keys = {0};
    uint64_t address = 0;

    ck_assert(same(etl_keys_resolve(&keys, frames, &address), frames));
    ck_assert(
        same(etl_keys_resolve(&keys, etl_no_part, &address), etl_no_part));
    etl_keys_release(&keys);
}
END_TEST

START_TEST(pending_samples_are_handed_on)
{
    static const struct etl_part address = {9, PART_ADDRESS};
    struct profile *p = profile_new();
    struct observations *seen = observations_new(p);
    struct etl_pending pending = {0};
    struct observed_sample s;

    for (uint32_t i = 0; i < 10000; i++)
        ck_assert_uint_eq(
            i, etl_pending_add(&pending, &(struct etl_sample){
                                             .time = i,
                                             .thread_key = i + 1,
                                             .cpu = (uint16_t)(i % 8),
                                             .flags = (uint8_t)(i % 4),
                                         }));
    etl_pending_set(&pending, 9000, frames, address);
    etl_pending_set(&pending, 9001, frames, others);
    ck_assert(same(etl_pending_outer(&pending, 9000), frames));
    ck_assert(same(etl_pending_inner(&pending, 9000), address));
    etl_pending_give(&pending, seen);
    ck_assert_uint_eq(seen->samples.len, 10000);
    s = observed_samples_get(&seen->samples, 9000);
    ck_assert(s.time == 9000 && s.thread_key == 9001 && s.cpu == 0);
    ck_assert(s.outer == 7 && s.inner == 9 && s.leaf && s.weight == 1);
    s = observed_samples_get(&seen->samples, 9001);
    ck_assert(s.outer == 7 && s.inner == 8 && !s.leaf && s.flags == 1);
    s = observed_samples_get(&seen->samples, 1);
    ck_assert(!s.outer && !s.inner && !s.leaf);
    observations_free(seen);
    profile_free(p);
}
END_TEST

SUITE
{
    return suite_run("etl keys", uses_before_a_definition_share_it,
                     a_key_is_used_again, an_address_stands_in,
                     frames_are_what_they_are,
                     pending_samples_are_handed_on);
}
