/*
 * torture BUILD SECONDS [SEED]: what no input and no failure may do.
 *
 *   mutants   small changes to files of every kind, each under a limit of
 *             2 s of processor time and of 2 times its size and 128 MiB
 *   memory    one allocation fails, in whatever library: status 71, or the
 *             same output as without
 *   kills     an import is killed: what was there before is still there
 *
 * Ends with "N passed, N failed"; findings stay in BUILD/tortured. The same
 * seed makes the same tries.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/limited_run.h"

enum { PATH = 512, BIGGEST = 4 << 20, MUTATED = 24 };

static const char *build;
static uint64_t state;
static unsigned long passed, failed;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below ? state % below : 0;
}

static void join(char path[PATH], const char *folder, const char *name)
{
    snprintf(path, PATH, "%s/%s", folder, name);
}

static void keep(const char *input, const char *what, const char *command,
                 const struct limited_run *o)
{
    char to[PATH + 64], shell[3 * PATH];

    failed++;
    snprintf(to, sizeof(to), "%s/tortured/%s-%lu", build, what, failed);
    snprintf(shell, sizeof(shell), "cp '%s' '%s'", input, to);
    printf("%s: topfn %s: status %d, %.1f s, %ld KiB: %s\n", what, command,
           o->status, o->seconds, o->kilobytes, to);
    fflush(stdout);
    if (system(shell))
        printf("%s could not be kept\n", input);
}

/* ---- inputs ---- */

struct input {
    char path[PATH];
    size_t size;
    bool image; /* for resolve */
};

static struct input inputs[4096];
static size_t input_count;

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && !strcmp(text + n - m, end);
}

static void add_input(const char *path, off_t size)
{
    static const char *const images[] = {".pdb", ".exe", ".dll", ".so",
                                         ".debug", ".map", ".dump"};
    struct input *in = &inputs[input_count];

    if (!size || size > BIGGEST ||
        input_count == sizeof(inputs) / sizeof(*inputs))
        return;
    snprintf(in->path, PATH, "%s", path);
    in->size = (size_t)size;
    for (size_t i = 0; i < sizeof(images) / sizeof(*images); i++)
        in->image |= ends_with(path, images[i]);
    input_count++;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct input *)a)->path,
                  ((const struct input *)b)->path);
}

static void add_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL) {
        char path[PATH];
        struct stat st;

        join(path, folder, entry->d_name);
        if (entry->d_name[0] == '.' || !strcmp(entry->d_name, "expected") ||
            !strcmp(entry->d_name, "fuzz") || lstat(path, &st))
            continue;
        if (S_ISDIR(st.st_mode))
            add_folder(path);
        else if (S_ISREG(st.st_mode))
            add_input(path, st.st_size);
    }
    if (dir)
        closedir(dir);
}

/* ---- mutants ---- */

static size_t read_file(const char *path, uint8_t *bytes)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(bytes, 1, BIGGEST, f) : 0;

    if (f)
        fclose(f);
    return n;
}

static void write_file(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f))
        abort();
}

/* Bits, extreme numbers, a stretch copied elsewhere, the end cut off. */
static size_t mutate(uint8_t *bytes, size_t n)
{
    static const uint32_t extremes[] = {0, 1, 0x7F, 0xFFFF, 0x7FFFFFFF,
                                        0xFFFFFFFF, 0x01000000};
    size_t changes = 1 + draw(MUTATED);

    for (size_t i = 0; i < changes; i++) {
        size_t at = draw(n), from = draw(n), length = draw(64);

        switch (draw(4)) {
        case 0:
            bytes[at] ^= (uint8_t)(1 << draw(8));
            break;
        case 1:
            bytes[at] = (uint8_t)draw(256);
            break;
        case 2:
            if (n - at >= 4)
                memcpy(bytes + at, &extremes[draw(7)], 4);
            break;
        default:
            if (at + length <= n && from + length <= n)
                memmove(bytes + at, bytes + from, length);
        }
    }
    return draw(8) ? n : 1 + draw(n);
}

static void try_mutant(char *program, const struct input *in)
{
    static char *const commands[][3] = {
        {"top", NULL, NULL},       {"folded", NULL, NULL},
        {"info", NULL, NULL},      {"tree", "--bottom-up", NULL},
        {"callers", "*", NULL},    {"import", "-o", NULL},
    };
    static uint8_t bytes[BIGGEST];
    char path[PATH], out[PATH], db[PATH];
    char *argv[8] = {program, NULL};
    size_t n = mutate(bytes, read_file(in->path, bytes));
    size_t at = 1, which = draw(6);
    struct limited_run o;

    join(path, build, in->image ? "tortured/input.map" : "tortured/input");
    join(out, build, "tortured/out");
    join(db, build, "tortured/out.topfn");
    write_file(path, bytes, n);
    if (in->image) {
        argv[at++] = "resolve";
        argv[at++] = path;
        argv[at++] = "0x1000";
    } else {
        argv[at++] = commands[which][0];
        if (commands[which][1])
            argv[at++] = commands[which][1];
        if (which == 5)
            argv[at++] = db;
        argv[at++] = path;
    }
    argv[at] = NULL;
    o = limited_run(argv, out, NULL, 0);
    if (limited_run_is_kind(&o, n))
        passed++;
    else
        keep(path, "mutant", argv[1], &o);
}

/* ---- memory ---- */

static bool same_file(const char *a, const char *b)
{
    static uint8_t x[BIGGEST], y[BIGGEST];
    size_t n = read_file(a, x);

    return n == read_file(b, y) && !memcmp(x, y, n);
}

static unsigned long allocations(void)
{
    char path[PATH], line[256];
    unsigned long n = 0;
    FILE *f;

    join(path, build, "tortured/stderr");
    f = fopen(path, "r");
    while (f && fgets(line, sizeof(line), f))
        sscanf(line, "allocations %lu", &n);
    if (f)
        fclose(f);
    return n;
}

/* Every `step`th allocation of one command fails, one a run. */
static void try_memory(char *const argv[], unsigned long tries)
{
    char good[PATH], out[PATH], errors[PATH], preload[PATH], number[32];
    unsigned long total;

    join(good, build, "tortured/good");
    join(out, build, "tortured/out");
    join(preload, build, "fail_malloc.so");
    setenv("LD_PRELOAD", preload, 1);
    setenv("COUNT_MALLOC", "1", 1);
    join(errors, build, "tortured/stderr");
    limited_run(argv, good, errors, 0);
    unsetenv("COUNT_MALLOC");
    total = allocations();
    for (unsigned long i = 0; i < tries && total; i++) {
        struct limited_run o;

        snprintf(number, sizeof(number), "%lu", 1 + total * i / tries);
        setenv("FAIL_MALLOC", number, 1);
        o = limited_run(argv, out, NULL, 0);
        unsetenv("FAIL_MALLOC");
        if (o.status == 71 || (o.status == 0 && same_file(good, out))) {
            passed++;
        } else {
            printf("memory: allocation %s of %lu: ", number, total);
            keep(out, "memory", argv[1], &o);
        }
    }
    unsetenv("LD_PRELOAD");
}

static void try_memory_of(char *program, unsigned long tries)
{
    static char *const commands[][6] = {
        {"top", "testdata/etl/mixer.etl", "--symbols", "testdata/pdb"},
        {"annotate", "mixer::rounds", "testdata/etl/rounds.etl", "--symbols",
         "testdata/pdb"},
        {"folded", "testdata/speedscope/evented.json"},
        {"diff", "testdata/etl/orders.etl", "testdata/diff/changed.etl"},
        {"query", "testdata/etl/mixer.etl", "SELECT count(*) FROM samples"},
        {"query", "testdata/firefox/rounds.json",
         "SELECT printf('%s', count(*)) FROM samples"},
        {"info", "testdata/container/mixer.etl.zip"},
        {"tree", "testdata/pprof/rounds.pb", "--bottom-up"},
        {"tree", "testdata/otlp/checkout.json"},
        {"callers", "*", "testdata/cpuprofile/script.cpuprofile"},
    };

    char path[PATH];

    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
        char *argv[8] = {program, NULL};

        memcpy(argv + 1, commands[i], sizeof(commands[i]));
        try_memory(argv, tries);
    }
    join(path, build, "tortured/flame.html");
    try_memory((char *[]){program, "flame", "testdata/etl/mixer.etl", "-o",
                          path, NULL},
               tries);
}

/* ---- kills ---- */

static void try_kill(char *program, char *trace)
{
    char db[PATH], out[PATH], tool[PATH];
    char *import[] = {tool, "import", trace, "-o", db, NULL};
    char *info[] = {tool, "info", db, NULL};
    struct limited_run o;

    snprintf(tool, PATH, "%s", program);
    join(db, build, "tortured/killed.topfn");
    join(out, build, "tortured/out");
    if (access(db, R_OK))
        limited_run(import, out, NULL, 0);
    limited_run(import, out, NULL, 200 + (unsigned)draw(30000));
    o = limited_run(info, out, NULL, 0);
    if (o.status == 0)
        passed++;
    else
        keep(db, "kill", "info", &o);
}

int main(int argc, char **argv)
{
    char program[PATH], folder[PATH];
    time_t end;
    unsigned long seconds;

    if (argc < 3) {
        fprintf(stderr, "torture BUILD SECONDS [SEED]\n");
        return 64;
    }
    build = argv[1];
    seconds = strtoul(argv[2], NULL, 10);
    state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    state = state * 0x9E3779B97F4A7C15u | 1;
    join(program, build, "topfn");
    join(folder, build, "tortured");
    mkdir(folder, 0700);
    add_folder("testdata");
    qsort(inputs, input_count, sizeof(*inputs), by_name);
    try_memory_of(program, 10 + 4 * seconds);
    for (unsigned long i = 0; i < 2 + seconds / 4; i++)
        try_kill(program, "testdata/etl/orders.etl");
    end = time(NULL) + (time_t)seconds;
    while (input_count && time(NULL) < end)
        try_mutant(program, &inputs[draw(input_count)]);
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed > 0;
}
