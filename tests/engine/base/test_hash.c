/* The key of the hash tables: drawn for each run, or made of a seed. */
#include "engine/base/hash.h"

#include "tests/support/suite.h"

static void check_odd(void)
{
    ck_assert_uint_eq(hash_key.word[1] & 1, 1);
    ck_assert_uint_eq(hash_key.word[3] & 1, 1);
}

TEST(a_key_is_drawn_before_main)
{
    check_odd();
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_ne(hash_key.word[i], i & 1);
}

/* The first words of SplitMix64 for this seed, every other one made odd. */
TEST(a_seed_makes_four_words)
{
    static const uint64_t zero[4] = {0xE220A8397B1DCDAF, 0x6E789E6AA1B965F5,
                                     0x06C45D188009454F, 0xF88BB8A8724C81ED};
    struct hash_key first;

    hash_set_key(0);
    ck_assert_mem_eq(hash_key.word, zero, sizeof(zero));
    hash_set_key(1);
    check_odd();
    first = hash_key;
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_ne(first.word[i], zero[i]);
    hash_set_key(2);
    hash_set_key(1);
    ck_assert_mem_eq(&first, &hash_key, sizeof(first));
}
