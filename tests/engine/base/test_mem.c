#include "engine/base/mem.h"

#include <errno.h>
#include <stdint.h>

#include "engine/base/vec.h"
#include "tests/support/exhausts.h"
#include "tests/support/suite.h"

TEST(products_do_not_wrap)
{
    static const size_t pairs[][2] = {
        {SIZE_MAX, 2},
        {SIZE_MAX / 2 + 2, 2},
        {(size_t)PTRDIFF_MAX + 1, 1},
        {1ull << 32, 1ull << 32},
    };

    for (size_t i = 0; i < COUNT(pairs); i++) {
        ck_assert(exhausts(free(mem_new(pairs[i][0], pairs[i][1]))));
        ck_assert(exhausts(free(mem_resize(NULL, pairs[i][0], pairs[i][1]))));
    }
}

TEST(other_errors_are_no_lack_of_memory)
{
    errno = ENOENT;
    ck_assert(!exhausts(mem_check_errno()));
    errno = ENOMEM;
    ck_assert(exhausts(mem_check_errno()));
    errno = 0;
}

TEST(grow_doubles)
{
    size_t cap = 0;
    char *block = mem_grow(NULL, &cap, 1, 1);

    ck_assert_uint_eq(cap, 8);
    ck_assert_ptr_eq(mem_grow(block, &cap, 8, 1), block);
    block = mem_grow(block, &cap, 9, 1);
    ck_assert_uint_eq(cap, 16);
    block = mem_grow(block, &cap, 1000, 1);
    ck_assert_uint_eq(cap, 1024);
    free(block);
}

TEST(grow_stops_before_it_wraps)
{
    size_t cap = 8;

    ck_assert(exhausts(mem_grow(NULL, &cap, SIZE_MAX, 1)));
    ck_assert(exhausts(mem_grow(NULL, &cap, SIZE_MAX / 4, 16)));
    ck_assert_uint_eq(cap, 8);
}

TEST(nth_allocation_fails)
{
    mem_fail_at(3);
    free(mem_new(1, 10));
    free(mem_new(1, 10));
    ck_assert(exhausts(mem_new(2, 10)));
    ck_assert_uint_eq(exhausts_wanted, 20);
    free(mem_new(1, 10));
    mem_fail_at(1);
    mem_fail_at(0);
    free(mem_new(1, 10));
}

TEST(ids_stop_before_none)
{
    ck_assert_uint_eq(mem_next_id(0), 0);
    ck_assert_uint_eq(mem_next_id(UINT32_MAX - 1), UINT32_MAX - 1);
    ck_assert(exhausts(mem_next_id(UINT32_MAX)));
    ck_assert(exhausts(mem_next_id((size_t)1 << 32)));
}
