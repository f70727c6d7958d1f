#include "engine/base/idtable.h"

#include <stdlib.h>

#include "tests/support/suite.h"

enum { MANY = 100000 };

/* Of thing `n`, whose id that is; `same` of them have one hash. UINT32_MAX: it
 * was not there. */
static uint32_t find(struct idtable *t, uint32_t n, uint32_t same)
{
    uint32_t hash = n / same * 0x9E3779B1;
    struct idslot *slot = idtable_first(t, hash);

    while (slot->taken && !(slot->hash == hash && slot->taken - 1 == n))
        slot = idtable_next(t, slot);
    if (slot->taken)
        return slot->taken - 1;
    idtable_take(t, slot, hash, n);
    return UINT32_MAX;
}

START_TEST(found_again)
{
    static const uint32_t sames[] = {1, 3, 1000};
    uint32_t same = sames[_i], many = same > 100 ? MANY / 50 : MANY;
    struct idtable t = {.slots = NULL};

    idtable_soon(&t, 1);
    for (uint32_t n = 0; n < many; n++) {
        ck_assert_uint_eq(find(&t, n, same), UINT32_MAX);
        ck_assert_uint_eq(find(&t, n / 2, same), n / 2);
    }
    idtable_soon(&t, UINT32_MAX);
    ck_assert_uint_eq(t.used, many);
    for (uint32_t n = 0; n < many; n++)
        ck_assert_uint_eq(find(&t, n, same), n);
    idtable_release(&t);
    idtable_release(&t);
}
END_TEST

START_TEST(around_the_end)
{
    struct idtable t = {.slots = NULL};
    struct idslot *last = idtable_first(&t, UINT32_MAX);

    ck_assert_ptr_eq(last, &t.slots[t.size - 1]);
    ck_assert_ptr_eq(idtable_next(&t, last), t.slots);
    ck_assert_ptr_eq(idtable_next(&t, t.slots), t.slots + 1);
    idtable_release(&t);
}
END_TEST

START_TEST(room_is_made_at_once)
{
    struct idtable t = {.slots = NULL};
    size_t size;

    idtable_reserve(&t, MANY);
    size = t.size;
    ck_assert_uint_gt(size, (size_t)MANY);
    for (uint32_t n = 0; n < MANY; n++)
        find(&t, n, 1);
    idtable_reserve(&t, MANY / 2);
    ck_assert_uint_eq(t.size, size);
    idtable_release(&t);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("idtable");

    tcase_add_loop_test(tests, found_again, 0, 3);
    tcase_add_test(tests, around_the_end);
    tcase_add_test(tests, room_is_made_at_once);
    return suite_run_case("idtable", tests);
}
