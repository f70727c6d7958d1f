#include "engine/base/mem.h"

#include <errno.h>
#include <malloc.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static mem_handler *on_exhausted;
static atomic_ulong fail_countdown;

void mem_set_handler(mem_handler *handler)
{
    on_exhausted = handler;
}

enum { LARGE = 256 * 1024, PAGE = 4096, HUGE_PAGE = 2 * 1024 * 1024 };

void mem_map_large(void)
{
#ifdef M_MMAP_THRESHOLD
    enum { MAPPED = 1024 * 1024, KEPT = 64 * MAPPED };

    (void)mallopt(M_MMAP_THRESHOLD, MAPPED);
    (void)mallopt(M_TRIM_THRESHOLD, KEPT);
    (void)mallopt(M_TOP_PAD, MAPPED);
#endif
}

void mem_keep_little(void)
{
#ifdef M_TRIM_THRESHOLD
    enum { KEPT = 1024 * 1024, PAD = 128 * 1024 };

    (void)mallopt(M_TRIM_THRESHOLD, KEPT);
    (void)mallopt(M_TOP_PAD, PAD);
#endif
}

_Noreturn void mem_exhausted(size_t wanted)
{
    if (on_exhausted)
        on_exhausted(wanted);
    abort();
}

void mem_check_errno(void)
{
    if (errno == ENOMEM)
        mem_exhausted(0);
}

void mem_fail_at(unsigned long nth)
{
    atomic_store(&fail_countdown, nth);
}

/* The product, or the handler: no caller multiplies sizes by hand. */
static size_t checked_product(size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
        mem_exhausted(SIZE_MAX);
    if (atomic_load_explicit(&fail_countdown, memory_order_relaxed) &&
        atomic_fetch_sub(&fail_countdown, 1) == 1)
        mem_exhausted(bytes);
    return bytes;
}

/* Big tables are looked up at random: with huge pages that costs a cache miss
 * less each time, and first touch is several times as fast. All pages of the
 * block get the same advice, or it could not be moved when it grows. */
static void *prefer_huge_pages(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    enum { BIG = 2 * HUGE_PAGE };
    size_t before = (uintptr_t)block & (PAGE - 1);

    if (bytes >= BIG)
        (void)madvise((char *)block - before, before + bytes, MADV_HUGEPAGE);
#else
    (void)bytes;
#endif
    return block;
}

void *mem_new(size_t count, size_t size)
{
    size_t bytes = checked_product(count, size);
    void *block = calloc(1, bytes ? bytes : 1);

    if (!block)
        mem_exhausted(bytes);
    return prefer_huge_pages(block, bytes);
}

void *mem_new_table(size_t count, size_t size)
{
    void *block;

    if (count <= (LARGE - 1) / size) {
        block = mem_resize(NULL, count, size);
        return memset(block, 0, count * size);
    }
    block = mem_new(count, size);
#ifdef MADV_POPULATE_WRITE
    size_t bytes = count * size, before = (uintptr_t)block & (PAGE - 1);

    if (bytes >= LARGE)
        (void)madvise((char *)block - before, before + bytes,
                      MADV_POPULATE_WRITE);
#endif
    return block;
}

struct apart {
    MEM_APART char byte;
};

void *mem_new_apart(size_t count, size_t size)
{
    size_t bytes = checked_product(count, size);
    void *block = aligned_alloc(alignof(struct apart),
                                bytes ? bytes : sizeof(struct apart));

    if (!block)
        mem_exhausted(bytes);
    return memset(block, 0, bytes);
}

void *mem_resize(void *old, size_t count, size_t size)
{
    size_t bytes = checked_product(count, size);
    void *block = realloc(old, bytes ? bytes : 1);

    if (!block)
        mem_exhausted(bytes);
    return prefer_huge_pages(block, bytes);
}

void *mem_enlarge(void *old, size_t used, size_t count, size_t size)
{
    size_t bytes;
    void *block;

    if (count <= (HUGE_PAGE - 1) / size)
        return mem_resize(old, count, size);
    bytes = checked_product(count, size);
    if (bytes > PTRDIFF_MAX - HUGE_PAGE)
        mem_exhausted(bytes);
    bytes = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    block = aligned_alloc(HUGE_PAGE, bytes);
    if (!block)
        mem_exhausted(bytes);
#ifdef MADV_HUGEPAGE
    (void)madvise(block, bytes, MADV_HUGEPAGE);
#endif
    if (used)
        memcpy(block, old, used * size);
    free(old);
    return block;
}

void *mem_grow(void *old, size_t *cap, size_t need, size_t size)
{
    size_t grown = *cap ? *cap : 8;

    while (grown < need) {
        if (grown > SIZE_MAX / 2)
            mem_exhausted(SIZE_MAX);
        grown *= 2;
    }
    if (grown == *cap)
        return old;
    old = mem_enlarge(old, *cap, grown, size);
    *cap = grown;
    return old;
}
