#include "tests/support/suite.h"

#include <stdbool.h>

static struct suite *suites; /* by name of their files */

void suite_add(struct suite *suite)
{
    struct suite **at = &suites;

    while (*at && strcmp((*at)->file, suite->file) < 0)
        at = &(*at)->next;
    suite->next = *at;
    *at = suite;
}

int suite_run_case(const char *name, TCase *tcase)
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

int suite_run_list(const char *name, const TTest *const *tests)
{
    TCase *tcase = tcase_create(name);

    for (; *tests; tests++)
        tcase_add_test(tcase, *tests);
    return suite_run_case(name, tcase);
}

static bool is_named(const char *file, char **names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(file, names[i]) == 0)
            return true;
    return count == 0;
}

int main(int argc, char **argv)
{
    bool list = argc == 2 && strcmp(argv[1], "--list") == 0;
    int failed = 0, found = 0;

    for (const struct suite *s = suites; s; s = s->next)
        if (list) {
            puts(s->file);
        } else if (is_named(s->file, argv + 1, argc - 1)) {
            found++;
            failed += s->run() != 0;
        }
    if (!list && found < argc - 1) {
        fprintf(stderr, "%s: has %d of %d files\n", argv[0], found, argc - 1);
        return 64;
    }
    return failed != 0;
}
