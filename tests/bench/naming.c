/*
 * bench-naming [FILE...]: names for 20,000 random addresses in each of
 * several ELF files with a build-id (default: this program and the others
 * beside it), by one thread and by one per core, and whether both gave the
 * same. Median of five.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/elf.h"
#include "symbols/find/folder.h"
#include "symbols/naming.h"
#include "tests/support/same_profile.h"
#include "tests/support/timing.h"

enum { RUNS = 5, ADDRESSES = 20000 };

/* Random ones that the file has a name for, the same in every run. */
static void add_addresses(struct profile *p, struct debug_file *file)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    uint64_t state = 88172645463325252u;
    uint32_t n = 0;

    for (uint32_t i = 0; i < 10 * ADDRESSES && n < ADDRESSES; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if (!debug_frames(file, state % file->size, frames, DEBUG_FRAMES_MAX))
            continue;
        n++;
        profile_location(
            p, &(struct location){.address = elf_base(file) +
                                             state % file->size,
                                  .module = (uint32_t)p->modules.len,
                                  .method = NO_ID,
                                  .kind = CODE_NATIVE,
                                  .cause = CAUSE_NO_SYMBOLS});
    }
}

/* A file is found by the path in the profile, which must be a full one. */
static void add_module(struct profile *p, const char *given)
{
    struct places places = {.paths = {0}};
    char *path = realpath(given, NULL);
    struct opened o = {.file = NULL};

    if (path && opened_path(&o, path, &places, NULL) &&
        o.file->kind == &elf_debug_kind && o.file->identity.build_id_size) {
        add_addresses(p, o.file);
        *vec_add(&p->modules) = (struct module){
            .path = strings_add(p->strings, path, strlen(path)),
            .name = strings_add(p->strings, "image", 5),
            .identity = o.file->identity,
        };
    }
    opened_close(&o);
    free(path);
}

static struct profile *profile_of(char **paths, size_t count)
{
    struct profile *p = profile_new();

    for (size_t i = 0; i < count; i++)
        add_module(p, paths[i]);
    return p;
}

static struct profile *name(char **paths, size_t count, unsigned threads,
                            double *took)
{
    struct places places = {.paths = {0}};
    struct naming_options options = {
        .places = &places, .style = DEMANGLE_SHORT, .threads = threads};
    struct profile *p = profile_of(paths, count);
    double start = seconds_of(CLOCK_MONOTONIC);

    name_profile(p, &options, NULL);
    *took = seconds_of(CLOCK_MONOTONIC) - start;
    profile_finish(p);
    places_release(&places);
    return p;
}

static int run(char **paths, size_t count)
{
    double one[RUNS], all[RUNS];
    bool same = true;

    for (int i = 0; i < RUNS; i++) {
        struct profile *a = name(paths, count, 1, &one[i]);
        struct profile *b = name(paths, count, 0, &all[i]);

        same &= !same_profile(a, b);
        profile_free(a);
        profile_free(b);
    }
    printf("naming %zu images: one thread %.0f ms, one per core %.0f ms, "
           "ratio %.2f, %s\n",
           count, median(one, RUNS) * 1e3, median(all, RUNS) * 1e3,
           median(one, RUNS) / median(all, RUNS),
           same ? "same names" : "NAMES DIFFER");
    return !same;
}

int main(int argc, char **argv)
{
    char *folder = path_folder(argv[0]), *pattern;
    glob_t files;
    int status = 1;

    if (argc > 1) {
        free(folder);
        return run(argv + 1, (size_t)argc - 1);
    }
    pattern = path_join(folder, "bench-*");
    if (!glob(pattern, 0, NULL, &files))
        status = run(files.gl_pathv, files.gl_pathc);
    globfree(&files);
    free(pattern);
    free(folder);
    return status;
}
