/*
 * sweep BUILD [FOLDER...]: every command on every file of the folders, and on
 * those of tests/hostile.txt, within the limits of limited_run.h.
 *
 * Files of images and of their names are asked by `resolve`, all others by the
 * commands that take recordings; what is packed by xz is unpacked, what is for
 * a fuzz target ("demangle-x.fuzz") goes to that. Whoever refuses a file names
 * it; of made files it is known what has to be said, and which have samples.
 * Made traces lie beside all made debug files, which must not slow them. An
 * image or PDB is tried with a trace that has samples in it, too. Ends with "N
 * passed, N failed"; with a number in SWEEP_SIZE made files are of so many
 * bytes, and with a glob in SWEEP_ONLY other names are left out. With SWEEP_FEW
 * recordings are tried with a few commands only: what files of many megabytes
 * cost shows in these.
 */
#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/hostile.h"
#include "tests/support/limited_run.h"

enum {
    PATH = 512,
    MOST_WORDS = 8,
    MADE_SIZE = 1 << 19,
    FEW = 5,
    REFUSED = 64,
    ADDRESSES = 2048,
    OUTPUT_FREE = 65 << 20,
    OUTPUT_RATIO = 8,
};

/* "@" stands for the file, "%" for one to write, "#" for addresses of code, as
 * many as a sampled program has. */
static const char *const commands[][MOST_WORDS] = {
    {"top", "@"},
    {"import", "@", "-o", "%.topfn"},
    {"diff", "@", "@"},
    {"page", "@", "-o", "%"},
    {"events", "@", "--mode", "full"},
    /* The first FEW end here. */
    {"folded", "@"},
    {"callers", "*", "@"},
    {"tree", "@"},
    {"tree", "--bottom-up", "@"},
    {"info", "@"},
    {"merge", "@", "@", "-o", "%.topfn"},
    {"timeline", "@"},
    {"events", "@"},
    {"events", "@", "--mode", "compact"},
    {"events", "@", "--mode", "meta"},
    {"query", "@", "SELECT count(*) FROM samples"},
    {"series", "@", "@"},
    {"list", "mixer::mix", "@"},
    {"annotate", "mixer::mix", "@"},
    {"symbols", "@"},
    {"flame", "@", "-o", "%"},
    {"export", "@", "--to", "pprof", "-o", "%"},
    {"export", "@", "--to", "otlp", "-o", "%"},
    {"export", "@", "--to", "speedscope", "-o", "%"},
    {"export", "@", "--to", "firefox", "-o", "%"},
    {"export", "@", "--to", "cpuprofile", "-o", "%"},
    {"export", "@", "--to", "callgrind", "-o", "%"},
    {"export", "@", "--to", "collapsed", "-o", "%"},
};

static const char *const about_images[][MOST_WORDS] = {
    {"resolve", "@", "#"},
};

/* Of a trace with samples in an image: "+" stands for the folder of that. */
static const char *const about_samples[][MOST_WORDS] = {
    {"top", "@", "--symbols", "+"},
    {"page", "@", "-o", "%", "--symbols", "+"},
    {"import", "@", "-o", "%.topfn", "--symbols", "+"},
    {"annotate", "f", "@", "--symbols", "+"},
    {"symbols", "@", "--symbols", "+"},
};

/* The traces of tests/hostile.txt whose image has this name; the first row
 * counts. */
static const struct {
    const char *ending, *trace, *image;
} sampled[] = {
    {"/assemblies.pdb", "assemblies.etl", "a.pdb"},
    {"/paths.so", "paths.perf.data", "a"},
    {".so", "sampled.perf.data", "a"},
    {".exe", "sampled.etl", "a.exe"},
    {".pdb", "sampled.etl", "a.pdb"},
};

static const char *build;
static const char *beside; /* the file whose image a trace has samples in */
static unsigned long passed, failed;

/* Makes the addresses, each one place behind a multiple of 16 at most. */
static size_t add_addresses(char **argv)
{
    static char texts[ADDRESSES][16];

    for (unsigned i = 0; i < ADDRESSES; i++) {
        snprintf(texts[i], sizeof(texts[i]), "0x%x", 0x1000 + 16 * i + i % 2);
        argv[i] = texts[i];
    }
    return ADDRESSES;
}

static size_t file_size(const char *path)
{
    struct stat st;

    return stat(path, &st) ? 0 : (size_t)st.st_size;
}

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
    static const char *const others[] = {".md", ".c", ".py", ".dwo"};
    const char *only = getenv("SWEEP_ONLY");

    if (only && *only && fnmatch(only, name, 0))
        return false;
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (ends_with(name, others[i]))
            return false;
    return name[0] != '.';
}

/* ---- one command ---- */

static void say(const char *const *words, const char *path,
                const struct limited_run *run, const char *what)
{
    printf("topfn");
    for (; *words; words++)
        printf(" %s", **words == '@' ? path : *words);
    printf("%s%s: %s: status %d, %.1f s, %ld KiB\n", beside ? " of " : "",
           beside ? beside : "", what, run->status, run->seconds,
           run->kilobytes);
    fflush(stdout);
}

/* The first bytes of a file in the folder of what is printed. */
static void read_printed(const char *name, char *text, size_t room)
{
    char path[PATH];
    FILE *f;
    size_t n = 0;

    snprintf(path, sizeof(path), "%s/swept/%s", build, name);
    f = fopen(path, "rb");
    if (f) {
        n = fread(text, 1, room - 1, f);
        fclose(f);
    }
    text[n] = '\0';
}

/* The number that the only row of a query is. */
static bool counts_any(void)
{
    char text[4096];
    size_t n;

    read_printed("out", text, sizeof(text));
    n = strlen(text);
    while (n && (text[n - 1] == '\n' || text[n - 1] == ' '))
        n--;
    return n && text[n - 1] >= '0' && text[n - 1] <= '9' &&
           (text[n - 1] != '0' || (n > 1 && text[n - 2] >= '0'));
}

/* Says what was wrong; NULL: nothing. A function that is not in a recording is
 * another refusal. */
static const char *objection(const char *const *words, const char *path,
                             const struct limited_run *run, size_t size,
                             size_t written)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    bool describes = !strcmp(*words, "info") || !strcmp(*words, "resolve");
    bool asks = !strcmp(*words, "list") || !strcmp(*words, "annotate") ||
                !strcmp(*words, "callers") || !strcmp(*words, "export");
    const char *says = hostile_note(name, "says", 0);
    char errors[4096];

    read_printed("errors", errors, sizeof(errors));
    if (!limited_run_is_kind(run, size))
        return "beyond the limits";
    if (written > OUTPUT_FREE + OUTPUT_RATIO * size)
        return "output beyond the limits";
    if (run->status >= REFUSED && !strstr(errors, "--max-output") &&
        !strstr(errors, asks ? "topfn: " : name))
        return "refused without a word of the file";
    if (describes && says && !strstr(errors, says))
        return "left out without a word";
    if (!strcmp(*words, "query") && hostile_is_full(name) &&
        (run->status || !counts_any()))
        return "samples that are lost";
    return NULL;
}

static void judge(const char *const *words, const char *path,
                  const struct limited_run *run, size_t size, size_t written)
{
    const char *what = objection(words, path, run, size, written);

    if (what)
        say(words, path, run, what);
    failed += what != NULL;
    passed += !what;
}

/* Of all that a command is given: two sides are two files. */
static size_t inputs_of(const char *const *words, size_t size)
{
    size_t sum = 0;

    for (size_t i = 0; i < MOST_WORDS && words[i]; i++)
        sum += *words[i] == '@' ? size : 0;
    return sum;
}

static void try_command(char *program, const char *const *words,
                        const char *path, size_t size)
{
    char out[PATH], errors[PATH], folder[PATH], made[MOST_WORDS][PATH + 16];
    char *argv[MOST_WORDS + ADDRESSES + 2] = {program, NULL};
    struct limited_run run;
    size_t count = 1, written = 0; /* to files of their own */

    snprintf(out, sizeof(out), "%s/swept/out", build);
    snprintf(errors, sizeof(errors), "%s/swept/errors", build);
    snprintf(folder, sizeof(folder), "%s/swept/images", build);
    for (size_t i = 0; i < MOST_WORDS && words[i]; i++) {
        snprintf(made[i], sizeof(made[i]), "%s%s", out, words[i] + 1);
        if (*words[i] == '%')
            unlink(made[i]);
        if (*words[i] == '#')
            count += add_addresses(&argv[count]);
        else
            argv[count++] = *words[i] == '@'   ? (char *)path
                            : *words[i] == '%' ? made[i]
                            : *words[i] == '+' ? folder
                                               : (char *)words[i];
    }
    run = limited_run(argv, out, errors, 0);
    for (size_t i = 0; i < MOST_WORDS && words[i]; i++)
        written += *words[i] == '%' && words[i][1] ? file_size(made[i]) : 0;
    judge(words, path, &run, inputs_of(words, size), written + file_size(out));
}

/* ---- files ---- */

/* "demangle-x.fuzz" goes to BUILD/fuzz_demangle. */
static void try_target(const char *path, size_t size)
{
    static const char *const words[] = {"@", NULL};
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    char target[2 * PATH], out[PATH];
    char *argv[] = {target, (char *)path, NULL};
    struct limited_run run;

    snprintf(target, sizeof(target), "%s/fuzz_%.*s", build,
             (int)strcspn(name, "-."), name);
    snprintf(out, sizeof(out), "%s/swept/errors", build);
    run = limited_run(argv, out, NULL, 0);
    judge(words, path, &run, size, 0);
}

/* The image beside a trace of it, under the name that the trace has. */
static void try_sampled(char *program, const char *path, size_t size)
{
    for (size_t i = 0; i < sizeof(sampled) / sizeof(*sampled); i++) {
        char trace[PATH], image[PATH], shell[6 * PATH];

        if (!ends_with(path, sampled[i].ending))
            continue;
        snprintf(trace, sizeof(trace), "%s/hostile/%s", build,
                 sampled[i].trace);
        snprintf(image, sizeof(image), "%s/swept/images/%s", build,
                 sampled[i].image);
        snprintf(shell, sizeof(shell), "cp '%s' '%s'", path, image);
        if (system(shell))
            abort();
        beside = path;
        for (size_t k = 0; k < sizeof(about_samples) / sizeof(*about_samples);
             k++)
            try_command(program, about_samples[k], trace,
                        size + file_size(trace));
        beside = NULL;
        unlink(image);
        return;
    }
}

static void try_file(char *program, const char *path)
{
    bool image = is_image(path);
    const char *few = getenv("SWEEP_FEW");
    size_t n = image         ? 1
               : few && *few ? FEW
                             : sizeof(commands) / sizeof(*commands);
    struct stat st;

    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return;
    if (ends_with(path, ".fuzz")) {
        try_target(path, (size_t)st.st_size);
        return;
    }
    for (size_t i = 0; i < n; i++)
        try_command(program, image ? about_images[i] : commands[i], path,
                    (size_t)st.st_size);
    try_sampled(program, path, (size_t)st.st_size);
}

/* Beside what is printed, without its ending. */
static void try_packed(char *program, const char *path)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    char plain[2 * PATH], shell[6 * PATH];

    snprintf(plain, sizeof(plain), "%s/swept/%.*s", build,
             (int)strlen(name) - 3, name);
    snprintf(shell, sizeof(shell), "xz -dc '%s' >'%s'", path, plain);
    if (system(shell)) {
        printf("%s: xz does not unpack it\n", path);
        failed++;
        return;
    }
    try_file(program, plain);
    unlink(plain);
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
        if (is_input(list[i]->d_name)) {
            if (ends_with(path, ".xz"))
                try_packed(program, path);
            else
                try_file(program, path);
        }
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
    snprintf(folder, sizeof(folder), "%s/swept/images", build);
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
