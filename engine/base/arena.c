#include "engine/base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"

/* Small at first: there may be one for every module of a recording. */
enum { FIRST_BLOCK = 256, LARGEST_STEP = 4 * 1024 * 1024 };

struct arena_block {
    struct arena_block *older;
    size_t size; /* bytes of payload behind this header */
    max_align_t payload[];
};

static void add_block(struct arena *arena, size_t at_least)
{
    size_t size = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
    struct arena_block *block;

    if (size > LARGEST_STEP)
        size = LARGEST_STEP;
    if (size < at_least)
        size = at_least;
    if (size > SIZE_MAX - sizeof(*block))
        mem_exhausted(size);
    block = mem_resize(NULL, 1, sizeof(*block) + size);
    block->older = arena->blocks;
    block->size = size;
    arena->blocks = block;
    arena->next = (char *)block->payload;
    arena->left = size;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size, size_t align)
{
    size_t bytes, pad;
    char *at;

    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - align)
        mem_exhausted(SIZE_MAX);
    pad = (size_t)(-(uintptr_t)arena->next & (align - 1));
    if (!arena->next || arena->left < pad || arena->left - pad < bytes) {
        add_block(arena, bytes + align);
        pad = (size_t)(-(uintptr_t)arena->next & (align - 1));
    }
    at = arena->next + pad;
    arena->next = at + bytes;
    arena->left -= pad + bytes;
    return memset(at, 0, bytes);
}

void *arena_copy(struct arena *arena, const void *bytes, size_t n)
{
    void *copy = arena_alloc(arena, n, 1, 1);

    return n ? memcpy(copy, bytes, n) : copy;
}

char *arena_strndup(struct arena *arena, const char *text, size_t n)
{
    char *copy = arena_alloc(arena, n + 1, 1, 1);

    if (n)
        memcpy(copy, text, n);
    return copy;
}

char *arena_fmt(struct arena *arena, const char *format, ...)
{
    va_list args, again;
    char usual[200], *text;
    size_t n;

    va_start(args, format);
    va_copy(again, args);
    n = (size_t)vsnprintf(usual, sizeof(usual), format, args);
    va_end(args);
    text = arena_alloc(arena, n + 1, 1, 1);
    if (n < sizeof(usual))
        memcpy(text, usual, n);
    else
        vsnprintf(text, n + 1, format, again);
    va_end(again);
    return text;
}

void arena_reset(struct arena *arena)
{
    struct arena_block *keep = NULL, *block, *older;

    for (block = arena->blocks; block; block = older) {
        older = block->older;
        if (keep && keep->size >= block->size) {
            free(block);
            continue;
        }
        free(keep);
        keep = block;
    }
    arena->blocks = keep;
    if (!keep)
        return;
    keep->older = NULL;
    arena->next = (char *)keep->payload;
    arena->left = keep->size;
}

void arena_release(struct arena *arena)
{
    struct arena_block *block, *older;

    for (block = arena->blocks; block; block = older) {
        older = block->older;
        free(block);
    }
    memset(arena, 0, sizeof(*arena));
}
