/* Linked into a build by clang with -fsanitize-coverage=func, to learn which
 * functions of the library a test enters. A byte for each of them in the file
 * $REACH becomes 1, whatever process it is and however that ends; $REACH_TABLE
 * gets their addresses in the library, a line each. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint8_t *reached; /* by number, from 1 */

/* Where the library begins that has an address; 0: another one has it. */
static uintptr_t library_with(const void *address)
{
    Dl_info info;

    if (!dladdr(address, &info) || !strstr(info.dli_fname, "/libtopfn.so"))
        return 0;
    return (uintptr_t)info.dli_fbase;
}

static void open_file(size_t size)
{
    const char *path = getenv("REACH");
    int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    void *bytes = MAP_FAILED;

    if (fd < 0)
        return;
    if (!ftruncate(fd, (off_t)size))
        bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (bytes != MAP_FAILED)
        reached = bytes;
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop)
{
    uint32_t n = 0;

    if (start == stop || *start || !library_with(start))
        return;
    for (uint32_t *guard = start; guard < stop; guard++)
        *guard = ++n;
    open_file((size_t)n + 1);
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
    if (*guard && reached)
        reached[*guard] = 1;
}

/* Pairs of an address and flags, in the order of the guards. */
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop)
{
    const char *path = getenv("REACH_TABLE");
    uintptr_t base = library_with(start);
    FILE *f;

    if (!path || start == stop || !base)
        return;
    f = fopen(path, "w");
    if (!f)
        return;
    for (const uintptr_t *pc = start; pc < stop; pc += 2)
        fprintf(f, "0x%llx\n", (unsigned long long)(*pc - base));
    fclose(f);
}
