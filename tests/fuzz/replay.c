/*
 * replay - runs a fuzz target without a fuzzer.
 *
 *     build/fuzz_etl [-mutate=N] FILE|FOLDER...
 *
 * Every file goes to LLVMFuzzerTestOneInput as it is; with -mutate=N also cut
 * off at up to 8 N lengths (all of them in a small file) and N times with a few
 * bytes overwritten. The mutations are the same in every run. An input that
 * makes the target crash or hang is named and saved in ./crash-replay.
 *
 * A new target is FUZZ(NAME) in a file tests/fuzz/fuzz_*.c (target.h); its
 * seeds are testdata/fuzz/NAME, testdata/NAME and testdata/broken. `make test`
 * replays them, `make fuzz` explores (clang).
 */
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

#include "tests/fuzz/target.h"
#include "tests/support/crash.h"

/* Files of more than this are changed less often. */
enum { LARGE = 1 << 20 };

static unsigned long runs;

/* A copy of exactly `n` bytes, so that a sanitizer sees one byte beyond. */
static void run(const char *name, const char *how, size_t number,
                const uint8_t *data, size_t n)
{
    uint8_t *copy = malloc(n ? n : 1);

    if (!copy)
        abort();
    if (n)
        memcpy(copy, data, n);
    crash_note(name, how, number, copy, n);
    LLVMFuzzerTestOneInput(copy, n);
    crash_clear();
    free(copy);
    runs++;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void run_cut(const char *name, const uint8_t *data, size_t n,
                    size_t most)
{
    size_t step = n / (most ? most : 1) + 1;

    for (size_t cut = 0; most && cut < n; cut += step)
        run(name, "cut at", cut, data, cut);
}

/* Extreme values find more than random ones: half the bytes are 0 or FF. */
static void run_changed(const char *name, const uint8_t *data, size_t n,
                        size_t times)
{
    uint8_t *copy = malloc(n ? n : 1);
    uint64_t state = 0x9E3779B97F4A7C15u ^ n;

    if (!copy)
        abort();
    for (size_t i = 0; n && i < times; i++) {
        memcpy(copy, data, n);
        for (size_t k = 0; k <= i % 4; k++) {
            uint64_t r = next_random(&state);
            uint8_t value = (uint8_t)(r >> 56);

            copy[(r >> 8) % n] = r & 1 ? value : value & 1 ? 0xFF : 0;
        }
        run(name, "change", i, copy, n);
    }
    free(copy);
}

static uint8_t *read_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size ? size : 1);

    if (!file || !data || fread(data, 1, size, file) != size) {
        fprintf(stderr, "%s: cannot read\n", path);
        exit(1);
    }
    fclose(file);
    return data;
}

static void run_file(const char *path, size_t size, size_t mutate)
{
    uint8_t *data = read_file(path, size);

    if (size > LARGE)
        mutate /= 10;
    run(path, "as it is", 0, data, size);
    run_cut(path, data, size, 8 * mutate);
    run_changed(path, data, size, mutate);
    free(data);
}

static void run_path(const char *path, size_t mutate);

static void run_folder(const char *path, size_t mutate)
{
    struct dirent **names;
    int n = scandir(path, &names, NULL, alphasort);
    char inner[1000];

    for (int i = 0; i < n; i++) {
        snprintf(inner, sizeof(inner), "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.')
            run_path(inner, mutate);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

/* Folders nest no deeper than a path is long. */
static void run_path(const char *path, size_t mutate)
{
    struct stat st;

    if (stat(path, &st)) {
        perror(path);
        exit(1);
    }
    if (S_ISDIR(st.st_mode))
        run_folder(path, mutate);
    else
        run_file(path, (size_t)st.st_size, mutate);
}

int main(int argc, char **argv)
{
    size_t mutate = 0;

    LLVMFuzzerInitialize(&argc, &argv);
    crash_watch();
    run("nothing", "as it is", 0, NULL, 0);
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "-mutate=", 8))
            mutate = strtoul(argv[i] + 8, NULL, 10);
        else
            run_path(argv[i], mutate);
    }
    printf("%lu runs\n", runs);
    return 0;
}
