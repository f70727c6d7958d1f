/*
 * sweep BUILD [FOLDER...]: every command on every file of the folders, and on
 * those that hostile.h makes, within the limits of limited_run.h.
 *
 * Files of images and of their names are asked by `resolve`, all others by the
 * commands that take recordings. Ends with "N passed, N failed"; with a number
 * in SWEEP_SIZE made files are of so many bytes.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/hostile.h"
#include "tests/support/limited_run.h"

enum { PATH = 512, MOST_WORDS = 8, MADE_SIZE = 1 << 19 };

/* "@" stands for the file, "%" for one to write. */
static const char *const commands[][MOST_WORDS] = {
    {"top", "@"},
    {"folded", "@"},
    {"callers", "*", "@"},
    {"tree", "@"},
    {"tree", "--bottom-up", "@"},
    {"info", "@"},
    {"import", "@", "-o", "%.topfn"},
    {"merge", "@", "@", "-o", "%.topfn"},
    {"timeline", "@"},
    {"events", "@"},
    {"query", "@", "SELECT count(*) FROM samples"},
    {"diff", "@", "@"},
    {"series", "@", "@"},
    {"list", "mixer::mix", "@"},
    {"annotate", "mixer::mix", "@"},
    {"symbols", "@"},
    {"flame", "@", "-o", "%"},
    {"page", "@", "-o", "%"},
    {"export", "@", "--to", "pprof", "-o", "%"},
    {"export", "@", "--to", "speedscope", "-o", "%"},
    {"export", "@", "--to", "firefox", "-o", "%"},
    {"export", "@", "--to", "cpuprofile", "-o", "%"},
    {"export", "@", "--to", "callgrind", "-o", "%"},
    {"export", "@", "--to", "perfetto", "-o", "%"},
    {"export", "@", "--to", "collapsed", "-o", "%"},
};

static const char *const about_images[][MOST_WORDS] = {
    {"resolve", "@", "0x1000"},
};

static const char *build;
static unsigned long passed, failed;

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && !strcmp(text + n - m, end);
}

static bool is_image(const char *path)
{
    static const char *const ends[] = {".pdb", ".exe",  ".dll",  ".so",
                                       ".map", ".dump", ".debug"};

    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
        if (ends_with(path, ends[i]))
            return true;
    return false;
}

/* Notes and generators of a folder are no input. */
static bool is_input(const char *name)
{
    static const char *const others[] = {".md", ".c", ".py", ".fuzz", ".xz"};

    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (ends_with(name, others[i]))
            return false;
    return name[0] != '.';
}

static void say(const char *const *words, const char *path,
                const struct limited_run *run)
{
    printf("topfn");
    for (; *words; words++)
        printf(" %s", **words == '@' ? path : *words);
    printf(": status %d, %.1f s, %ld KiB\n", run->status, run->seconds,
           run->kilobytes);
    fflush(stdout);
}

static void try_command(char *program, const char *const *words,
                        const char *path, size_t size)
{
    char out[PATH], made[MOST_WORDS][PATH + 16];
    char *argv[MOST_WORDS + 2] = {program, NULL};
    struct limited_run run;

    snprintf(out, sizeof(out), "%s/swept/out", build);
    for (size_t i = 0; i < MOST_WORDS && words[i]; i++) {
        snprintf(made[i], sizeof(made[i]), "%s%s", out, words[i] + 1);
        if (*words[i] == '%')
            unlink(made[i]);
        argv[i + 1] = *words[i] == '@'   ? (char *)path
                      : *words[i] == '%' ? made[i]
                                         : (char *)words[i];
    }
    run = limited_run(argv, out, NULL, 0);
    if (limited_run_is_kind(&run, size)) {
        passed++;
        return;
    }
    failed++;
    say(words, path, &run);
}

static void try_file(char *program, const char *path)
{
    bool image = is_image(path);
    size_t n = image ? 1 : sizeof(commands) / sizeof(*commands);
    struct stat st;

    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return;
    for (size_t i = 0; i < n; i++)
        try_command(program, image ? about_images[i] : commands[i], path,
                    (size_t)st.st_size);
}

static void try_folder(char *program, const char *folder)
{
    struct dirent **list;
    int n = scandir(folder, &list, NULL, alphasort);

    if (n < 0) {
        printf("%s: no such folder\n", folder);
        failed++;
    }
    for (int i = 0; i < n; i++) {
        char path[2 * PATH];

        snprintf(path, sizeof(path), "%s/%s", folder, list[i]->d_name);
        if (is_input(list[i]->d_name))
            try_file(program, path);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
}

int main(int argc, char **argv)
{
    const char *size = getenv("SWEEP_SIZE");
    char program[PATH], folder[PATH];

    if (argc < 2) {
        fprintf(stderr, "sweep BUILD [FOLDER...]\n");
        return 64;
    }
    build = argv[1];
    snprintf(program, sizeof(program), "%s/topfn", build);
    snprintf(folder, sizeof(folder), "%s/swept", build);
    mkdir(folder, 0700);
    snprintf(folder, sizeof(folder), "%s/hostile", build);
    mkdir(folder, 0700);
    hostile_write(folder, size && *size ? strtoul(size, NULL, 10) : MADE_SIZE);
    try_folder(program, folder);
    for (int i = 2; i < argc; i++)
        try_folder(program, argv[i]);
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed > 0;
}
