/*
 * Files of which every byte counts: many names, many stacks. The memory of a
 * command is measured as a multiple of such a file, so that a small file stands
 * for one of 5 MB, which may take twice its size and 128 MiB.
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

enum { SIZE = 2 << 20, WORDS = 5 };

/* "@" stands for the file, "%" for one to write. */
static const struct taking {
    const char *file;
    long most; /* bytes for one of the file; a tenth more than is taken */
    const char *words[WORDS];
} takings[] = {
    {"names.collapsed", 48, {"top", "@"}},
    {"names.collapsed", 48, {"folded", "@"}},
    {"names.collapsed", 48, {"callers", "*", "@"}},
    {"names.collapsed", 48, {"tree", "--bottom-up", "@"}},
    {"names.collapsed", 42, {"import", "@", "-o", "%"}},
    {"forks.collapsed", 28, {"top", "@"}},
    {"forks.collapsed", 28, {"folded", "@"}},
    {"forks.collapsed", 28, {"callers", "*", "@"}},
    {"forks.collapsed", 28, {"tree", "--bottom-up", "@"}},
};

/* KiB that a command takes of memory for a file of that size. */
static long taken(const struct taking *t, size_t size)
{
    char program[PATH_MAX], file[TEMP_PATH], folder[TEMP_FOLDER];
    char made[TEMP_FOLDER + 16], *argv[WORDS + 2] = {program, NULL};
    struct limited_run run;
    struct blob b = {0};

    ck_assert(hostile_make(t->file, size, &b));
    temp_file(file, b.data, b.len);
    free(b.data);
    temp_folder(folder);
    snprintf(made, sizeof(made), "%s/made.topfn", folder);
    program_find(program);
    for (size_t i = 0; i < WORDS && t->words[i]; i++)
        argv[i + 1] = *t->words[i] == '@'   ? file
                      : *t->words[i] == '%' ? made
                                            : (char *)t->words[i];
    run = limited_run(argv, "/dev/null", NULL, 0);
    ck_assert_int_eq(run.status, 0);
    temp_folder_remove(folder);
    unlink(file);
    return run.kilobytes;
}

/* The program and its libraries take memory for a small file, too, and how much
 * depends on the system: that is not counted. */
TEST_LOOP(memory_in_proportion, COUNT(takings))
{
    const struct taking *t = &takings[_i];
    long more = taken(t, SIZE) - taken(t, 1 << 10);

    ck_assert_msg(more <= t->most * (SIZE >> 10), "%s %s: %ld KiB of %ld",
                  t->words[0], t->file, more, t->most * (SIZE >> 10));
}

SUITE
{
#ifdef SANITIZED
    return suite_skip_all("sanitizers take memory of their own");
#else
    return run_tests();
#endif
}
