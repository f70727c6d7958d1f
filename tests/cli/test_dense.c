/*
 * Files of which every byte counts: many names, many stacks. What a command
 * takes of memory is told as a multiple of such a file, so that a small one
 * shows what becomes of one of 5 MB, which may take twice that and 128 MiB.
 */
#include <unistd.h>

#include "tests/support/hostile.h"
#include "tests/support/limited_run.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"
#include "tests/support/temp_folder.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

enum { SIZE = 2 << 20, PROGRAM = 12 << 10, WORDS = 5 };

/* "@" stands for the file, "%" for one to write. */
static const struct taking {
    const char *file;
    long most; /* bytes for one of the file, beside the program's own */
    const char *words[WORDS];
} takings[] = {
    {"names.collapsed", 26, {"top", "@"}},
    {"names.collapsed", 26, {"folded", "@"}},
    {"names.collapsed", 26, {"callers", "*", "@"}},
    {"names.collapsed", 26, {"tree", "--bottom-up", "@"}},
    {"names.collapsed", 31, {"import", "@", "-o", "%"}},
    {"forks.collapsed", 25, {"top", "@"}},
    {"forks.collapsed", 25, {"folded", "@"}},
    {"forks.collapsed", 25, {"callers", "*", "@"}},
    {"forks.collapsed", 25, {"tree", "--bottom-up", "@"}},
};

static void check(const struct taking *t, const char *file, const char *made)
{
    long most = PROGRAM + t->most * (SIZE >> 10);
    char program[PATH_MAX], *argv[WORDS + 2] = {program, NULL};
    struct limited_run run;

    program_find(program);
    for (size_t i = 0; i < WORDS && t->words[i]; i++)
        argv[i + 1] = *t->words[i] == '@'   ? (char *)file
                      : *t->words[i] == '%' ? (char *)made
                                            : (char *)t->words[i];
    run = limited_run(argv, "/dev/null", NULL, 0);
    ck_assert_int_eq(run.status, 0);
    ck_assert_msg(run.kilobytes <= most, "%s %s: %ld KiB of %ld", t->words[0],
                  t->file, run.kilobytes, most);
}

START_TEST(memory_in_proportion)
{
    const struct taking *t = &takings[_i];
    char file[TEMP_PATH], folder[TEMP_FOLDER], made[TEMP_FOLDER + 16];
    struct blob b = {0};

    ck_assert(hostile_make(t->file, SIZE, &b));
    temp_file(file, b.data, b.len);
    free(b.data);
    temp_folder(folder);
    snprintf(made, sizeof(made), "%s/made.topfn", folder);
    check(t, file, made);
    temp_folder_remove(folder);
    unlink(file);
}
END_TEST

SUITE
{
    TCase *tests = tcase_create("dense");
    int rows = sizeof(takings) / sizeof(*takings);

#ifdef SANITIZED
    suite_skip((unsigned)rows, "sanitizers take memory of their own");
    rows = 0;
#endif
    tcase_add_loop_test(tests, memory_in_proportion, 0, rows);
    return suite_run_case("dense", tests);
}
