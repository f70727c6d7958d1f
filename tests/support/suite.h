/*
 * suite - the tests of one file, which stand in the program of its room.
 *
 *     TEST(adds_twice) { ... }
 *     TEST_LOOP(rows_are_read, COUNT(rows)) { ... rows[_i] ... }
 *
 * All tests/ROOM/.../test_*.c are linked into one program, BUILD/test-ROOM.
 * It runs the files that its arguments name, or FILE:TEST one test, or all
 * without arguments; --list prints the names of the files. tests/run starts it
 * once for each file, and adds up what it prints. Included by tests only:
 * support itself needs no Check.
 */
#ifndef TOPFN_TESTS_SUITE_H
#define TOPFN_TESTS_SUITE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

struct test {
    TTest test;
    int count; /* how often it runs, with _i from 0 */
    struct test *next;
};

/* What a file does before and after its tests. */
struct suite {
    const char *file;
    int (*run)(void);                  /* instead of run_tests; 0: all passed */
    void (*begin)(void), (*end)(void); /* around every test, in its process */
    struct suite *next;
};

/* Called before main, by the macros below. */
void suite_add_test(struct test *test);
void suite_add(struct suite *suite);

#define TEST(name) TEST_LOOP(name, 1)
#define TEST_LOOP(name, count)                                                 \
    static void test_##name(int _i CK_ATTRIBUTE_UNUSED);                       \
    __attribute__((constructor)) static void enter_##name(void)                \
    {                                                                          \
        static struct test test = {                                            \
            {#name, test_##name, __FILE__, __LINE__}, (int)(count), NULL};     \
        suite_add_test(&test);                                                 \
    }                                                                          \
    static void test_##name(int _i CK_ATTRIBUTE_UNUSED)

/* SUITE { ... return run_tests(); } prepares what all tests of a file need. */
#define SUITE                                                                  \
    static int run_suite(void);                                                \
    SUITE_ADD(run_suite, NULL, NULL)                                           \
    static int run_suite(void)
#define SUITE_FIXTURE(begin, end) SUITE_ADD(NULL, begin, end)
#define SUITE_ADD(run, begin, end)                                             \
    __attribute__((constructor)) static void add_suite(void)                   \
    {                                                                          \
        static struct suite suite = {__FILE__, run, begin, end, NULL};         \
        suite_add(&suite);                                                     \
    }

/* The tests of the file whose SUITE calls it. */
int run_tests(void);
/* Instead of run_tests: says why none of them runs. Returns 0. */
int suite_skip_all(const char *why);

/* Says plainly what was not run; tests/run adds these up. */
static inline void suite_skip(unsigned cases, const char *why)
{
    printf("skipped: %u, %s\n", cases, why);
    fflush(stdout);
}

/* The same numbers in every run of a test. */
static inline uint64_t suite_random(uint64_t n)
{
    static uint64_t state = 88172645463325252u;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % n;
}

/* Real traces, which are not part of the project; they may be absent. */
static inline const char *traces_folder(void)
{
    const char *folder = getenv("TOPFN_TRACES");

    return folder && *folder ? folder : "../shared/traces";
}

/* FOLDER/NAMEEND of these; to be freed. */
static inline char *traces_path(const char *folder, const char *name,
                                const char *end)
{
    size_t n = strlen(traces_folder()) + strlen(folder) + strlen(name) +
               strlen(end) + 3;
    char *path = malloc(n);

    if (path)
        snprintf(path, n, "%s/%s/%s%s", traces_folder(), folder, name, end);
    return path;
}

#endif
