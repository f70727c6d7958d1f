#include "tests/support/suite.h"

#include <stdbool.h>

static struct test *tests; /* by file and line */
static struct suite *suites;

/* The file whose tests run, and the one test of it that was asked for. */
static const char *file, *only;

void suite_add_test(struct test *test)
{
    struct test **at = &tests;
    int order;

    for (; *at; at = &(*at)->next) {
        order = strcmp((*at)->test.file, test->test.file);
        if (order > 0 || (order == 0 && (*at)->test.line > test->test.line))
            break;
    }
    test->next = *at;
    *at = test;
}

void suite_add(struct suite *suite)
{
    suite->next = suites;
    suites = suite;
}

static const struct suite *suite_of_file(void)
{
    static const struct suite none = {.file = ""};

    for (const struct suite *s = suites; s; s = s->next)
        if (strcmp(s->file, file) == 0)
            return s;
    return &none;
}

static bool is_wanted(const struct test *t)
{
    return strcmp(t->test.file, file) == 0 &&
           (!only || strcmp(t->test.name, only) == 0);
}

int run_tests(void)
{
    const struct suite *s = suite_of_file();
    Suite *suite = suite_create(file);
    TCase *tcase = tcase_create(file);
    SRunner *runner;
    int failed;

    if (s->begin)
        tcase_add_checked_fixture(tcase, s->begin, s->end);
    for (const struct test *t = tests; t; t = t->next)
        if (is_wanted(t))
            tcase_add_loop_test(tcase, &t->test, 0, t->count);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}

int suite_skip_all(const char *why)
{
    unsigned count = 0;

    for (const struct test *t = tests; t; t = t->next)
        if (is_wanted(t))
            count += (unsigned)t->count;
    suite_skip(count, why);
    return 0;
}

static int run_file(const char *name)
{
    const struct suite *s;

    file = name;
    s = suite_of_file();
    return s->run ? s->run() : run_tests();
}

/* Runs, or prints, every file once: tests are sorted by file. */
static int all_files(bool list)
{
    int failed = 0;

    for (const struct test *t = tests, *last = NULL; t; last = t, t = t->next) {
        if (last && strcmp(last->test.file, t->test.file) == 0)
            continue;
        if (list)
            puts(t->test.file);
        else
            failed |= run_file(t->test.file);
    }
    return failed;
}

static bool has_file(const char *name)
{
    for (const struct test *t = tests; t; t = t->next)
        if (strcmp(t->test.file, name) == 0)
            return true;
    return false;
}

/* FILE or FILE:TEST */
static int run_named(char *name)
{
    char *colon = strchr(name, ':');

    if (colon)
        *colon = '\0';
    only = colon ? colon + 1 : NULL;
    if (has_file(name))
        return run_file(name);
    fprintf(stderr, "no such file in this program: %s\n", name);
    return 1;
}

int main(int argc, char **argv)
{
    int failed = 0;

    /* tests/run says how long a test may take; Check's 4 s are too few. */
    setenv("CK_DEFAULT_TIMEOUT", "120", 0);
    if (argc == 1)
        return all_files(false);
    if (strcmp(argv[1], "--list") == 0)
        return all_files(true);
    for (int i = 1; i < argc; i++)
        failed |= run_named(argv[i]);
    return failed;
}
