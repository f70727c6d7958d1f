#include "engine/attribution/pair_ids.h"

#include "tests/support/suite.h"

START_TEST(equal_pairs_have_one_id)
{
    static const struct {
        uint32_t outer, inner, id;
    } cases[] = {
        {7, 3, 0}, {7, NO_ID, 1}, {NO_ID, NO_ID, 2}, {3, 7, 3},
        {7, 3, 0}, {7, NO_ID, 1}, {NO_ID, NO_ID, 2}, {0, NO_ID, 4},
        {3, 7, 3}, {7, 4, 5},     {0, NO_ID, 4},     {0, 0, 6},
    };
    struct pair_ids pairs = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        pair_ids_soon(&pairs, cases[i].outer, cases[i].inner);
        ck_assert_uint_eq(pair_ids_add(&pairs, cases[i].outer, cases[i].inner),
                          cases[i].id);
    }
    pair_ids_end(&pairs);
    ck_assert_uint_eq(pairs.list.len, 7);
    ck_assert_uint_eq(pairs.list.data[3].outer, 3);
    ck_assert_uint_eq(pairs.list.data[3].inner, 7);
    ck_assert_uint_eq(pairs.list.data[4].inner, NO_ID);
    vec_release(&pairs.list);
}
END_TEST

int main(void)
{
    return suite_run("pair ids", equal_pairs_have_one_id);
}
