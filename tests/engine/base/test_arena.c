#include "engine/base/arena.h"

#include <stdbool.h>

#include "tests/support/exhausts.h"
#include "tests/support/suite.h"

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

TEST(sizes_do_not_wrap)
{
    struct arena arena = {0};

    ck_assert(exhausts(arena_alloc(&arena, SIZE_MAX, 2, 1)));
    ck_assert(exhausts(arena_alloc(&arena, SIZE_MAX / 2 + 1, 2, 1)));
    ck_assert(exhausts(arena_alloc(&arena, SIZE_MAX, 1, 1)));
    ck_assert(exhausts(arena_alloc(&arena, SIZE_MAX - 8, 1, 16)));
    arena_release(&arena);
}
