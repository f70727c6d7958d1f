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

enum { SIZE = 2 << 20, WORDS = 10 };

/* KiB that a command takes of memory for a file of that size; the words are
 * those of a note in tests/hostile.txt. */
static long taken(const char *name, const char *words, size_t size)
{
    char program[PATH_MAX], file[TEMP_PATH], folder[TEMP_FOLDER];
    char made[TEMP_FOLDER + 16], text[80], *argv[WORDS] = {program};
    struct limited_run run;
    struct blob b = {0};

    ck_assert(hostile_make(name, size, &b));
    temp_file(file, b.data, b.len);
    free(b.data);
    temp_folder(folder);
    snprintf(made, sizeof(made), "%s/made.topfn", folder);
    program_find(program);
    snprintf(text, sizeof(text), "%s", words);
    argv[1] = strtok(text, " ");
    for (size_t i = 1; argv[i]; i++) {
        argv[i] = *argv[i] == '@' ? file : *argv[i] == '%' ? made : argv[i];
        argv[i + 1] = strtok(NULL, " ");
    }
    run = limited_run(argv, "/dev/null", NULL, 0);
    ck_assert_int_eq(run.status, 0);
    temp_folder_remove(folder);
    unlink(file);
    return run.kilobytes;
}

/* The program and its libraries take memory for a small file, too, and how much
 * depends on the system: that is not counted. */
static void check(const char *name, const char *note)
{
    char *words;
    long most = strtol(note, &words, 10) * (SIZE >> 10);
    long more = taken(name, words, SIZE) - taken(name, words, 1 << 10);

    ck_assert_msg(more <= most, "%s %s: %ld KiB of %ld", words, name, more,
                  most);
}

TEST(memory_in_proportion)
{
    const char *name, *note;

    for (size_t i = 0; (name = hostile_name(i)); i++)
        for (size_t k = 0; (note = hostile_note(name, "takes", k)); k++)
            check(name, note);
}

SUITE
{
#ifdef SANITIZED
    return suite_skip_all("sanitizers take memory of their own");
#else
    return run_tests();
#endif
}
