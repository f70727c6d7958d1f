#include "engine/base/mem.h"

#include <errno.h>
#include <stdint.h>

#include "engine/base/vec.h"
#include "tests/support/exhausts.h"
#include "tests/support/suite.h"

TEST(new_is_zeroed)
{
    unsigned char *block = mem_new(1000, 3);

    for (int i = 0; i < 3000; i++)
        ck_assert_uint_eq(block[i], 0);
    free(block);
    block = mem_new(0, 8);
    ck_assert_ptr_nonnull(block);
    free(block);
}

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

TEST(vec_holds_what_is_added)
{
    enum { MANY = 1 << 20 }; /* more than a huge page has room for */
    VEC(uint32_t) v = {0};

    for (uint32_t i = 0; i < MANY; i++)
        *vec_add(&v) = ~i;
    ck_assert_uint_eq(v.len, MANY);
    ck_assert_uint_ge(v.cap, v.len);
    for (uint32_t i = 0; i < MANY; i++)
        ck_assert_uint_eq(v.data[i], ~i);
    vec_release(&v);
    ck_assert_ptr_null(v.data);
    ck_assert_uint_eq(v.len + v.cap, 0);
    vec_release(&v);
}

TEST(vec_reserve_makes_room_once)
{
    VEC(uint64_t) v = {0};
    uint64_t *data;

    vec_reserve(&v, 0);
    ck_assert_ptr_null(v.data);
    vec_reserve(&v, 1000);
    data = v.data;
    for (int i = 0; i < 1000; i++)
        *vec_add(&v) = 1;
    ck_assert_ptr_eq(v.data, data);
    vec_release(&v);
}
