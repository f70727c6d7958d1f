#include "engine/base/keysort.h"
#include "engine/base/mem.h"
#include "tests/support/suite.h"

static int compare(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 20;
}

/* Values number the elements as they were: equal keys keep their order. */
static void assert_sorts(size_t n, uint64_t mask, unsigned shift)
{
    struct keyed *list = mem_new(n, sizeof(*list));
    struct keyed *wanted = mem_new(n, sizeof(*wanted));
    uint64_t state = n;

    for (size_t i = 0; i < n; i++)
        wanted[i] = list[i] =
            (struct keyed){(next(&state) & mask) << shift, (uint32_t)i};
    keysort(list, n);
    if (n)
        qsort(wanted, n, sizeof(*wanted), compare);
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_eq(list[i].key, wanted[i].key);
        ck_assert_uint_eq(list[i].value, wanted[i].value);
    }
    free(list);
    free(wanted);
}

TEST(sorts_like_qsort)
{
    static const size_t sizes[] = {0, 1, 2, 47, 48, 49, 300, 5000};

    for (size_t i = 0; i < COUNT(sizes); i++) {
        assert_sorts(sizes[i], UINT64_MAX, 20);
        assert_sorts(sizes[i], 0xF, 40); /* many equal, one digit */
        assert_sorts(sizes[i], 0xFFFF, 3);
        assert_sorts(sizes[i], 0, 0);
    }
}

/* In every digit alone, and lists that are in order but for one. */
TEST(every_digit_counts)
{
    enum { MANY = 100 };
    struct keyed list[MANY];

    for (unsigned digit = 0; digit < 8; digit++)
        for (unsigned late = 0; late < MANY; late++) {
            for (uint32_t i = 0; i < MANY; i++)
                list[i] = (struct keyed){(uint64_t)(i + 1) << 8 * digit, i};
            list[late].key = 0;
            keysort(list, MANY);
            ck_assert_uint_eq(list[0].value, late);
            for (uint32_t i = 1; i < MANY; i++)
                ck_assert_uint_eq(list[i].value, i <= late ? i - 1 : i);
        }
}

TEST(signed_keys)
{
    static const int64_t rising[] = {INT64_MIN, -5, -1, 0, 1, INT64_MAX};

    for (size_t i = 1; i < COUNT(rising); i++)
        ck_assert(keysort_signed(rising[i - 1]) < keysort_signed(rising[i]));
}
