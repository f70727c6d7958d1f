/*
 * suite - the main of a test program.
 *
 *     START_TEST(adds_twice) { ... } END_TEST
 *
 *     int main(void)
 *     {
 *         return suite_run("map", adds_twice, grows);
 *     }
 *
 * Every tests/.../test_*.c is a program of its own; tests/run adds up what
 * they print. Included by test programs only: support itself needs no Check.
 */
#ifndef TOPFN_TESTS_SUITE_H
#define TOPFN_TESTS_SUITE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define suite_run(name, ...)                                                   \
    suite_run_list(name, (const TTest *const[]){__VA_ARGS__, NULL})

/* For what a list cannot say: tests in loops, with more time, or fixtures. */
static inline int suite_run_case(const char *name, TCase *tcase)
{
    Suite *suite = suite_create(name);
    SRunner *runner;
    int failed;

    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}

static inline int suite_run_list(const char *name, const TTest *const *tests)
{
    TCase *tcase = tcase_create(name);

    for (; *tests; tests++)
        tcase_add_test(tcase, *tests);
    return suite_run_case(name, tcase);
}

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
