#include "engine/base/mem.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static mem_handler *on_exhausted;
static atomic_ulong fail_countdown;

void mem_set_handler(mem_handler *handler)
{
    on_exhausted = handler;
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

void *mem_new(size_t count, size_t size)
{
    size_t bytes = checked_product(count, size);
    void *block = calloc(1, bytes ? bytes : 1);

    if (!block)
        mem_exhausted(bytes);
    return block;
}

void *mem_new_table(size_t count, size_t size)
{
    enum { HUGE_PAGE = 2 << 20 };
    size_t bytes;
    void *block;

    if (count < HUGE_PAGE / size)
        return mem_new(count, size);
    bytes = checked_product(count, size);
    bytes = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    block = aligned_alloc(HUGE_PAGE, bytes);
    if (!block)
        mem_exhausted(bytes);
#ifdef MADV_HUGEPAGE
    (void)madvise(block, bytes, MADV_HUGEPAGE);
#endif
    return memset(block, 0, bytes);
}

void *mem_resize(void *old, size_t count, size_t size)
{
    size_t bytes = checked_product(count, size);
    void *block = realloc(old, bytes ? bytes : 1);

    if (!block)
        mem_exhausted(bytes);
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
    old = mem_resize(old, grown, size);
    *cap = grown;
    return old;
}

void mem_return_freed(void)
{
#ifdef M_MMAP_THRESHOLD
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}
