#include "cli/load/same_content.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/out.h"

enum { BLOCK = 1 << 16 };

static bool same_bytes(FILE *a, FILE *b)
{
    static char first[BLOCK], second[BLOCK];
    size_t n, m;

    do {
        n = fread(first, 1, BLOCK, a);
        m = fread(second, 1, BLOCK, b);
        if (n != m || memcmp(first, second, n) != 0)
            return false;
    } while (n == BLOCK);
    return !ferror(a) && !ferror(b);
}

static bool same_size(const char *a, const char *b)
{
    struct stat first, second;

    return !stat(a, &first) && !stat(b, &second) && S_ISREG(first.st_mode) &&
           S_ISREG(second.st_mode) && first.st_size == second.st_size;
}

static bool same_files(const char *a, const char *b)
{
    bool same = same_size(a, b);
    FILE *first = same ? fopen(a, "rb") : NULL;
    FILE *second = same ? fopen(b, "rb") : NULL;

    same = first && second && same_bytes(first, second);
    if (first)
        fclose(first);
    if (second)
        fclose(second);
    return same;
}

static bool is_file(const char *path)
{
    return same_size(path, path);
}

/* Counts the files of folder `a`; returns false if one of them differs from
 * the file of that name in `b`. */
static bool same_in(const char *a, const char *b, size_t *count)
{
    DIR *dir = is_file(a) ? NULL : opendir(a);
    struct dirent *entry;
    bool same = dir != NULL;

    *count = 0;
    while (same && (entry = readdir(dir)) != NULL) {
        struct out *first = out_memory(), *second = out_memory();

        out_fmt(first, "%s/%s", a, entry->d_name);
        out_fmt(second, "%s/%s", b, entry->d_name);
        if (is_file(out_text(first, NULL))) {
            same = same_files(out_text(first, NULL), out_text(second, NULL));
            ++*count;
        }
        out_close(first, NULL);
        out_close(second, NULL);
    }
    if (dir)
        closedir(dir);
    return same;
}

static bool same_folders(const char *a, const char *b)
{
    size_t files, others;

    return same_in(a, b, &files) && same_in(b, a, &others) && files;
}

bool same_content(const char *a, const char *b)
{
    return same_files(a, b) || same_folders(a, b);
}
