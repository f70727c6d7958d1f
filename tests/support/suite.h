/*
 * suite - the tests of one file, which stand in the program of its room.
 *
 *     START_TEST(adds_twice) { ... } END_TEST
 *
 *     SUITE
 *     {
 *         return suite_run("map", adds_twice, grows);
 *     }
 *
 * All tests/ROOM/.../test_*.c are linked into one program, BUILD/test-ROOM.
 * It runs the files that its arguments name, all of them without arguments;
 * --list prints their names. tests/run starts it once for each file, and adds
 * up what it prints. Included by tests only: support itself needs no Check.
 */
#ifndef TOPFN_TESTS_SUITE_H
#define TOPFN_TESTS_SUITE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct suite {
    const char *file;
    int (*run)(void); /* 0: all passed */
    struct suite *next;
};

/* Called before main by every file that has a SUITE. */
void suite_add(struct suite *suite);

#define SUITE                                                                  \
    static int run_suite(void);                                                \
    __attribute__((constructor)) static void add_suite(void)                   \
    {                                                                          \
        static struct suite suite = {__FILE__, run_suite, NULL};               \
        suite_add(&suite);                                                     \
    }                                                                          \
    static int run_suite(void)

#define suite_run(name, ...)                                                   \
    suite_run_list(name, (const TTest *const[]){__VA_ARGS__, NULL})
int suite_run_list(const char *name, const TTest *const *tests);

/* For what a list cannot say: tests in loops, with more time, or fixtures. */
int suite_run_case(const char *name, TCase *tcase);

/* Says plainly what was not run; tests/run adds these up. */
static inline void suite_skip(unsigned cases, const char *why)
{
    printf("skipped: %u, %s\n", cases, why);
    fflush(stdout);
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
