/*
 * bench-symbols [FILE...]: 10,000 addresses of an image, ELF or PE, by
 * `topfn resolve`, beside llvm-symbolizer and addr2line when they are there.
 * Without a file, those of this program. Debug files are found as always.
 * Times are of whole processes, the median of five runs after a warm-up.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/mem.h"
#include "symbols/debug.h"
#include "symbols/elf/elf.h"
#include "symbols/pe/pe.h"
#include "tests/support/timing.h"

enum { RUNS = 5, ADDRESSES = 10000, SECTION_SIZE = 40 };

#define EXECUTABLE 0x20000000u

struct input {
    const char *program; /* topfn */
    const char *path;
    const uint8_t *data;
    size_t size;
    struct debug_file *elf; /* NULL: it is a PE */
    struct pe pe;
    uint64_t addresses[ADDRESSES];
    size_t count;
};

static bool open_input(struct input *in)
{
    int fd = open(in->path, O_RDONLY | O_CLOEXEC);
    struct stat st;

    if (fd < 0 || fstat(fd, &st))
        return false;
    in->size = (size_t)st.st_size;
    in->data = mmap(NULL, in->size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (in->data == MAP_FAILED)
        return false;
    if (!pe_open(&in->pe, in->path, in->data, in->size, NULL))
        return true;
    in->elf = debug_open(in->path, in->data, in->size, NULL);
    return in->elf && in->elf->kind == &elf_debug_kind;
}

/* In a section that can be run. */
static bool is_code(const struct pe *pe, uint64_t rva)
{
    for (uint32_t i = 0; i < pe->section_count; i++) {
        const uint8_t *s = pe->sections + (size_t)i * SECTION_SIZE;

        if (rva - load_u32(s + 12) < load_u32(s + 8))
            return load_u32(s + 36) & EXECUTABLE;
    }
    return false;
}

/* One that may be asked for; as other tools want it. */
static bool candidate(const struct input *in, uint64_t random,
                      uint64_t *address)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];

    if (!in->elf) {
        *address = random % in->pe.image_size;
        return is_code(&in->pe, *address);
    }
    if (!debug_rva(in->elf, random % in->size, true, address) ||
        !debug_frames(in->elf, *address, frames, DEBUG_FRAMES_MAX) ||
        !frames[0].file)
        return false;
    *address += elf_base(in->elf);
    return true;
}

/* Random, the same in every run. */
static void match_functions(struct input *in)
{
    uint64_t state = 88172645463325252u;

    for (uint64_t tries = 0;
         in->count < ADDRESSES && tries < 100 * ADDRESSES; tries++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        in->count += candidate(in, state, &in->addresses[in->count]);
    }
}

/* In a child, so that its memory is its own. */
static bool measure(const char *command, double *seconds, long *kib)
{
    struct rusage usage;
    double start = seconds_of(CLOCK_MONOTONIC);
    int status;
    pid_t pid = fork();

    if (!pid) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status)
        return false;
    *seconds = seconds_of(CLOCK_MONOTONIC) - start;
    *kib = usage.ru_maxrss;
    return true;
}

/* Returns the median; 0 when the command cannot be run. */
static double report(const char *name, const char *command, double ours)
{
    double seconds[RUNS], warm, middle;
    long kib = 0;

    if (!measure(command, &warm, &kib))
        return 0;
    for (unsigned i = 0; i < RUNS; i++)
        if (!measure(command, &seconds[i], &kib))
            return 0;
    middle = median(seconds, RUNS);
    printf("  %-18s %7.3f s %7ld KiB", name, middle, kib);
    if (ours > 0)
        printf("  %5.1f times ours", middle / ours);
    printf("\n");
    return middle;
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
    char list[] = "/tmp/topfn-bench.XXXXXX", command[3000];
    double ours;

    if (!write_list(in, list))
        return;
    snprintf(command, sizeof(command),
             "exec '%s' resolve '%s' --demangle none <%s >/dev/null 2>&1",
             in->program, in->path, list);
    ours = report("topfn", command, 0);
    snprintf(command, sizeof(command),
             "exec llvm-symbolizer --no-demangle %s --obj='%s' <%s "
             ">/dev/null 2>&1",
             in->elf ? "" : "--relative-address", in->path, list);
    report("llvm-symbolizer", command, ours);
    snprintf(command, sizeof(command),
             "exec addr2line -fi -e '%s' <%s >/dev/null 2>&1", in->path, list);
    if (in->elf)
        report("addr2line", command, ours);
    unlink(list);
}

static bool bench(const char *program, const char *path)
{
    struct input *in = mem_new(1, sizeof(*in));
    bool opened;

    in->program = program;
    in->path = path;
    opened = open_input(in);
    if (opened) {
        match_functions(in);
        printf("symbols: %zu addresses of %s (%zu KiB)\n", in->count, path,
               in->size / 1024);
        fflush(stdout);
        compare_tools(in);
    }
    debug_close(in->elf);
    free(in);
    return opened;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    char program[1000];
    bool good = true;

    snprintf(program, sizeof(program), "%.*s/topfn",
             slash ? (int)(slash - argv[0]) : 1, slash ? argv[0] : ".");
    if (argc < 2)
        return bench(program, argv[0]) ? 0 : 1;
    for (int i = 1; i < argc; i++)
        good &= bench(program, argv[i]);
    return good ? 0 : 1;
}
