#include "engine/base/pages.h"

#include <sys/mman.h>
#include <unistd.h>

void pages_forget(const uint8_t *from, size_t n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t before = (page - (uintptr_t)from % page) % page;

    if (n < before + page)
        return;
    n -= before;
    (void)madvise((uint8_t *)from + before, n - n % page, MADV_DONTNEED);
}
