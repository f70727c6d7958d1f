#include "engine/base/pages.h"

#include <sys/mman.h>
#include <unistd.h>

/* Linux maps the cached pages of so many bytes around the one touched. */
enum { MAPPED_AT_ONCE = 64 << 10 };

void pages_touch(const uint8_t *from, size_t n)
{
    const volatile uint8_t *bytes = from;

    for (size_t i = 0; i < n; i += MAPPED_AT_ONCE)
        (void)bytes[i];
}

void pages_forget(const uint8_t *from, size_t n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t before = (page - (uintptr_t)from % page) % page;

    if (n < before + page)
        return;
    n -= before;
    (void)madvise((uint8_t *)from + before, n - n % page, MADV_DONTNEED);
}
