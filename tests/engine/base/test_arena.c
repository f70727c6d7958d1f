#include "engine/base/arena.h"

#include <stdbool.h>

#include "tests/support/exhausts.h"
#include "tests/support/suite.h"

static bool is_zero(const void *block, size_t n)
{
    const unsigned char *bytes = block;

    for (size_t i = 0; i < n; i++)
        if (bytes[i])
            return false;
    return true;
}

TEST(aligned_and_zeroed)
{
    struct arena arena = {0};

    for (size_t i = 0; i < 1000; i++) {
        char *odd = arena_new(&arena, char, i % 7);
        uint64_t *words = arena_new(&arena, uint64_t, i);
        max_align_t *wide = arena_new(&arena, max_align_t, 1);

        ck_assert(is_zero(odd, i % 7) && is_zero(words, i * 8));
        ck_assert_uint_eq((uintptr_t)words % _Alignof(uint64_t), 0);
        ck_assert_uint_eq((uintptr_t)wide % _Alignof(max_align_t), 0);
        memset(odd, 0xFF, i % 7);
        memset(words, 0xFF, i * 8);
        memset(wide, 0xFF, sizeof(*wide));
    }
    arena_release(&arena);
}

TEST(large_beside_small)
{
    static const size_t sizes[] = {0,       1,       65535,     65536,
                                   65537,   4194304, 4194305,   10,
                                   9000000, 1,       100000000, 3};
    enum { SIZES = COUNT(sizes) };
    struct arena arena = {0};
    char *blocks[SIZES];

    for (size_t i = 0; i < SIZES; i++) {
        blocks[i] = arena_alloc(&arena, sizes[i], 1, 1);
        memset(blocks[i], (int)i, sizes[i]);
    }
    for (size_t i = 0; i < SIZES; i++)
        if (sizes[i])
            ck_assert(blocks[i][0] == (char)i &&
                      blocks[i][sizes[i] - 1] == (char)i);
    arena_release(&arena);
}

TEST(copies)
{
    struct arena arena = {0};

    ck_assert_str_eq(arena_strndup(&arena, "ntdll.dll", 5), "ntdll");
    ck_assert_str_eq(arena_strndup(&arena, NULL, 0), "");
    ck_assert_mem_eq(arena_copy(&arena, "\0\1\2", 3), "\0\1\2", 3);
    ck_assert_ptr_nonnull(arena_copy(&arena, NULL, 0));
    arena_release(&arena);
}

TEST(reset_keeps_the_largest_block)
{
    struct arena arena = {0};
    char *large, *again;

    arena_reset(&arena);
    arena_alloc(&arena, 100, 1, 1);
    large = arena_alloc(&arena, 1000000, 1, 1);
    memset(large, 0xFF, 1000000);
    arena_alloc(&arena, 1000000, 1, 1);
    arena_reset(&arena);
    again = arena_alloc(&arena, 1000000, 1, 1);
    ck_assert(is_zero(again, 1000000));
    arena_release(&arena);
    ck_assert_ptr_null(arena.blocks);
    ck_assert_uint_eq(arena.left, 0);
}

/* Also where it is the oldest one, as a large piece made it larger than the
 * steps that followed. */
TEST(reset_keeps_an_old_large_block)
{
    enum { LARGE = 10 << 20 };
    struct arena arena = {0};
    const void *block;

    arena_alloc(&arena, LARGE, 1, 1);
    block = arena.blocks;
    arena_alloc(&arena, 1000, 1, 1);
    ck_assert_ptr_ne(arena.blocks, block);
    arena_reset(&arena);
    ck_assert_ptr_eq(arena.blocks, block);
    ck_assert_uint_ge(arena.left, LARGE);
    arena_release(&arena);
}

/* What is left of a block may be less than what alignment takes. */
TEST(little_is_left)
{
    struct arena arena = {0};
    const void *block;
    char *at;

    arena_alloc(&arena, 100001, 1, 1);
    ck_assert_uint_eq(arena.left, 1);
    block = arena.blocks;
    at = arena_alloc(&arena, 1, 0, 8);
    ck_assert_uint_eq((uintptr_t)at % 8, 0);
    ck_assert_ptr_ne(arena.blocks, block);
    ck_assert_uint_lt(arena.left, 4 << 20);
    arena_release(&arena);
}

/* Scratch use: the same work again and again needs no more memory. */
TEST(reset_bounds_memory)
{
    struct arena arena = {0};
    const void *block;

    arena_alloc(&arena, 300000, 1, 1);
    arena_reset(&arena);
    block = arena.blocks;
    for (int i = 0; i < 100; i++) {
        arena_alloc(&arena, 300000, 1, 1);
        arena_reset(&arena);
        ck_assert_ptr_eq(arena.blocks, block);
    }
    arena_release(&arena);
}

/* From 256 bytes on twice as much each time, up to 4 MiB. */
TEST(blocks_double_up_to_a_step)
{
    struct arena arena = {0};
    size_t size = 256;

    for (int i = 0; i < 17; i++) {
        arena_alloc(&arena, 1, 1, 1);
        ck_assert_uint_eq(arena.left, size - 1);
        arena_alloc(&arena, size - 1, 1, 1); /* it is full */
        ck_assert_uint_eq(arena.left, 0);
        size = size < (4 << 20) ? 2 * size : size;
    }
    arena_release(&arena);
}

TEST(no_byte_is_given_away)
{
    struct arena arena = {0};

    arena_new(&arena, char, 3);
    ck_assert_uint_eq(arena.left, 253);
    arena_new(&arena, uint64_t, 2);
    ck_assert_uint_eq(arena.left, 232);
    arena_new(&arena, uint64_t, 1);
    ck_assert_uint_eq(arena.left, 224);
    arena_strndup(&arena, "abc", 3);
    ck_assert_uint_eq(arena.left, 220);
    arena_copy(&arena, "abc", 3);
    ck_assert_uint_eq(arena.left, 217);
    arena_new(&arena, uint32_t, 54); /* 216 and one to fill */
    ck_assert_uint_eq(arena.left, 0);
    arena_alloc(&arena, 5000, 1, 8); /* more than twice as much */
    ck_assert_uint_eq(arena.left, 8);
    arena_alloc(&arena, 8, 1, 8);
    ck_assert_uint_eq(arena.left, 0);
    arena_reset(&arena);
    ck_assert_uint_eq(arena.left, 5008);
    arena_release(&arena);
}

TEST(sizes_do_not_wrap)
{
    struct arena arena = {0};

    ck_assert(exhausts(arena_alloc(&arena, SIZE_MAX, 2, 1)));
    ck_assert(exhausts(arena_alloc(&arena, SIZE_MAX / 2 + 1, 2, 1)));
    ck_assert(exhausts(arena_alloc(&arena, SIZE_MAX, 1, 1)));
    ck_assert(exhausts(arena_alloc(&arena, SIZE_MAX - 8, 1, 16)));
    arena_release(&arena);
}
