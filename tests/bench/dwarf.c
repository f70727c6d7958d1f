/*
 * bench-dwarf [FILE [ADDRESSES]]: names for addresses of an ELF file with
 * DWARF (default: this program), beside llvm-symbolizer and addr2line when
 * they are there. Answers go to /dev/null; times are of whole processes, the
 * median of five runs after a warm-up.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/mem.h"
#include "symbols/debug.h"
#include "symbols/elf/elf.h"

enum { RUNS = 5 };

struct input {
    const char *path;
    const uint8_t *data;
    size_t size;
    uint64_t *addresses;
    size_t count;
};

static bool map_input(struct input *in)
{
    int fd = open(in->path, O_RDONLY | O_CLOEXEC);
    struct stat st;

    if (fd < 0 || fstat(fd, &st))
        return false;
    in->size = (size_t)st.st_size;
    in->data = mmap(NULL, in->size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    return in->data != MAP_FAILED;
}

/* Random addresses that DWARF has a line for, the same in every run. */
static void choose(struct input *in, struct debug_file *file)
{
    uint64_t state = 88172645463325252u, tries = 0;
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    size_t n = 0;

    in->addresses = mem_new(in->count, sizeof(uint64_t));
    while (n < in->count && tries++ < 100 * in->count) {
        uint64_t rva;

        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if (!elf_offset_to_rva(file, state % in->size, &rva) ||
            !debug_frames(file, rva, frames, DEBUG_FRAMES_MAX) ||
            !frames[0].file)
            continue;
        in->addresses[n++] = rva + elf_base(file);
    }
    in->count = n;
}

static size_t resolve_all(const struct input *in)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    struct debug_file *file = debug_open(in->path, in->data, in->size, NULL);
    size_t n = 0;

    for (size_t i = 0; i < in->count; i++)
        n += debug_frames(file, in->addresses[i] - elf_base(file), frames,
                          DEBUG_FRAMES_MAX);
    debug_close(file);
    return n;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* In a child, so that its memory is its own. */
static bool measure(const struct input *in, const char *command,
                    double *seconds, long *kib)
{
    struct rusage usage;
    double start = now();
    int status;
    pid_t pid = fork();

    if (!pid && command)
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    if (!pid)
        _exit(resolve_all(in) ? 0 : 1);
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status)
        return false;
    *seconds = now() - start;
    *kib = usage.ru_maxrss;
    return true;
}

static int compare(const void *x, const void *y)
{
    const double *a = x, *b = y;

    return *a < *b ? -1 : *a > *b;
}

/* Returns the median; 0 when the command cannot be run. */
static double report(const struct input *in, const char *name,
                     const char *command, double ours)
{
    double seconds[RUNS], warm;
    long kib = 0;

    if (!measure(in, command, &warm, &kib))
        return 0;
    for (unsigned i = 0; i < RUNS; i++)
        if (!measure(in, command, &seconds[i], &kib))
            return 0;
    qsort(seconds, RUNS, sizeof(double), compare);
    printf("  %-18s %7.3f s %7ld KiB", name, seconds[RUNS / 2], kib);
    if (ours > 0)
        printf("  %5.1f times ours", seconds[RUNS / 2] / ours);
    printf("\n");
    return seconds[RUNS / 2];
}

static bool write_list(const struct input *in, char *path)
{
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

    if (!file)
        return false;
    for (size_t i = 0; i < in->count; i++)
        fprintf(file, "0x%llx\n", (unsigned long long)in->addresses[i]);
    return fclose(file) == 0;
}

static void compare_tools(const struct input *in)
{
    char list[] = "/tmp/topfn-bench.XXXXXX", command[2000];
    double ours = report(in, "topfn", NULL, 0);

    if (!write_list(in, list))
        return;
    snprintf(
        command, sizeof(command),
        "exec llvm-symbolizer --no-demangle --obj='%s' <%s >/dev/null 2>&1",
        in->path, list);
    report(in, "llvm-symbolizer", command, ours);
    snprintf(command, sizeof(command),
             "exec addr2line -fi -e '%s' <%s >/dev/null 2>&1", in->path, list);
    report(in, "addr2line", command, ours);
    unlink(list);
}

int main(int argc, char **argv)
{
    struct input in = {
        .path = argc > 1 ? argv[1] : argv[0],
        .count = argc > 2 ? strtoul(argv[2], NULL, 10) : 10000,
    };
    struct debug_file *file;

    if (!map_input(&in) ||
        !(file = debug_open(in.path, in.data, in.size, NULL)) ||
        file->kind != &elf_debug_kind)
        return 1;
    choose(&in, file);
    debug_close(file);
    printf("dwarf: %zu addresses in %s (%zu KiB)\n", in.count, in.path,
           in.size / 1024);
    fflush(stdout);
    compare_tools(&in);
    free(in.addresses);
    return 0;
}
