/* Loaded before the program: the allocation number $FAIL_MALLOC fails, in
 * whatever library. With $COUNT_MALLOC set, standard error says at the end
 * how many there were. */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t n);

static atomic_ulong allocations, failing;

__attribute__((constructor)) static void begin(void)
{
    const char *n = getenv("FAIL_MALLOC");

    atomic_store(&failing, n ? strtoul(n, NULL, 10) : 0);
    atomic_store(&allocations, 0);
}

__attribute__((destructor)) static void end(void)
{
    if (getenv("COUNT_MALLOC"))
        fprintf(stderr, "\nallocations %lu\n", atomic_load(&allocations));
}

static int fails(void)
{
    unsigned long n = atomic_fetch_add(&allocations, 1) + 1;

    if (!atomic_load(&failing) || n != atomic_load(&failing))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t n)
{
    return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t n)
{
    return fails() ? NULL : __libc_realloc(old, n);
}
