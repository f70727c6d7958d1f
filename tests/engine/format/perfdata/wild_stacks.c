/*
 * A program whose stacks lead nowhere, to be recorded by its frame pointers:
 * they name as callers what is data, was unmapped, lies at the ends of
 * mappings and where others were made over them. Memory is mapped, protected
 * and given back at random all the while, forked and left behind by exec.
 *
 *     cc -D_GNU_SOURCE -O1 -fno-omit-frame-pointer -o wild_stacks wild_stacks.c
 *     perf record -g -d ./wild_stacks 1
 *
 * The number is where its random ones begin.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* As functions push it, on x64 and on 64-bit ARM. */
struct frame {
    struct frame *caller;
    uintptr_t returns_to;
};

enum {
    PAGE = 4096,
    PAGES = 24, /* of the memory that changes */
    ROUNDS = 12,
    MOST = 40, /* frames */
};

static const uint64_t read_only[4] = {2};
static uint64_t data[3 * PAGE / 8] = {1};
static char zeroed[17 * PAGE + 100];

static struct frame chain[MOST];
static size_t length;
static uint64_t state;

static unsigned chance(unsigned of)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % of;
}

/* Behind the frames that there are; the last has no caller. */
static void add(uintptr_t returns_to)
{
    if (length == MOST)
        return;
    if (length)
        chain[length - 1].caller = &chain[length];
    chain[length++] = (struct frame){NULL, returns_to};
}

static int64_t cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Computes for three milliseconds, called by the chain. */
__attribute__((noinline)) static void spin(void)
{
    struct frame *volatile *caller = __builtin_frame_address(0);
    struct frame *own = *caller;
    volatile unsigned x = 1;

    *caller = chain;
    for (int64_t end = cpu_ns() + 3000000; cpu_ns() < end;)
        for (unsigned i = 0; i < 20000; i++)
            x = x * 31 + i;
    *caller = own;
}

/* What every process has. */
static void add_known_places(void)
{
    uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
    char on_stack, *on_heap = malloc(100);

    add((uintptr_t)zeroed);
    add((uintptr_t)zeroed + sizeof(zeroed) - 8);
    add((uintptr_t)data);
    add((uintptr_t)data + sizeof(data) - 8);
    add((uintptr_t)read_only);
    add(((uintptr_t)spin & ~(uintptr_t)(PAGE - 1)) - 8);
    add((uintptr_t)on_heap);
    add((uintptr_t)&on_stack);
    add((uintptr_t)stdout);
    add((uintptr_t)&environ);
    add((uintptr_t)printf + 1);
    add(vdso ? vdso + 0x10 : 0x1234);
    add(0x1234);
    free(on_heap);
}

/* Does one thing to some pages. */
static void change(char *memory, int file)
{
    static const int protections[] = {
        PROT_READ,
        PROT_READ | PROT_WRITE,
        PROT_READ | PROT_EXEC,
        PROT_NONE,
    };
    unsigned from = chance(PAGES), pages = 1 + chance(PAGES - from);
    char *at = memory + (size_t)from * PAGE;
    size_t size = (size_t)pages * PAGE;
    int protection = protections[chance(4)];

    switch (chance(5)) {
    case 0:
    case 1:
        (void)mmap(at, size, protection,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        break;
    case 2:
        (void)mmap(at, size, protection & ~PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
                   file, (off_t)chance(4) * PAGE);
        break;
    case 3:
        mprotect(at, size, protection);
        break;
    case 4:
        munmap(at, size);
        break;
    }
}

static void run_wild(char *memory, int file)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < 4; i++)
            change(memory, file);
        length = 0;
        add_known_places();
        while (length < MOST)
            add((uintptr_t)memory + (size_t)chance(PAGES) * PAGE +
                (size_t)chance(3) * 8);
        spin();
    }
}

/* Itself once more, as a program that begins. */
static void start(char *const *arguments)
{
    char again[] = "2";
    char *const their_own[] = {arguments[0], arguments[1], again, NULL};
    pid_t child;

    if (!posix_spawn(&child, arguments[0], NULL, NULL, their_own, environ))
        waitpid(child, NULL, 0);
}

int main(int count, char **arguments)
{
    int file = open(arguments[0], O_RDONLY | O_CLOEXEC);
    char *memory = mmap(NULL, (size_t)PAGES * PAGE, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pid_t child;

    if (count < 2 || file < 0 || memory == MAP_FAILED)
        return 1;
    state = strtoul(arguments[1], NULL, 10) + (unsigned)count;
    run_wild(memory, file);
    child = fork();
    run_wild(memory, file);
    if (count == 2 && !child)
        start(arguments);
    if (child > 0)
        waitpid(child, NULL, 0);
    return 0;
}
