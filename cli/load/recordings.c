#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/load/load.h"
#include "cli/terminal/terminal.h"
#include "engine/base/mem.h"
#include "engine/container/folder.h"
#include "engine/input/formats.h"

/* True for the first bytes of containers and databases. */
static bool may_hold_one(const uint8_t *data, size_t size)
{
    static const char *const marks[] = {"PK\3\4", "\xD0\xCF\x11\xE0",
                                        "SQLite format 3", "\x1F\x8B"};

    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
        size_t n = strlen(marks[i]);

        if (size >= n && !memcmp(data, marks[i], n))
            return true;
    }
    return false;
}

bool is_recording(const char *path)
{
    uint8_t data[4096];
    struct stat st;
    FILE *file =
        !stat(path, &st) && S_ISREG(st.st_mode) ? fopen(path, "re") : NULL;
    size_t size;

    if (!file)
        return false;
    size = fread(data, 1, sizeof(data), file);
    fclose(file);
    return may_hold_one(data, size) || trace_format_of(data, size);
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static void add_folder(struct recordings *r, const char *path, DIR *dir)
{
    size_t before = r->paths.len, n = strlen(path);
    const char *between = n && path[n - 1] == '/' ? "" : "/";
    struct dirent *entry;

    while ((entry = readdir(dir)) != NULL) {
        const char *file;

        if (entry->d_name[0] == '.')
            continue;
        file = arena_fmt(&r->arena, "%s%s%s", path, between, entry->d_name);
        if (is_recording(file) || folder_is_recording(file))
            *vec_add(&r->paths) = file;
    }
    if (r->paths.len > before)
        qsort(r->paths.data + before, r->paths.len - before,
              sizeof(*r->paths.data), by_name);
}

bool recordings_add(struct recordings *r, const char *path)
{
    size_t before = r->paths.len;
    struct stat st;
    DIR *dir;

    if (stat(path, &st) || !S_ISDIR(st.st_mode) || folder_is_recording(path)) {
        *vec_add(&r->paths) = path;
        return true;
    }
    dir = opendir(path);
    if (!dir) {
        mem_check_errno();
        say("%s: %s", path, strerror(errno));
        return false;
    }
    add_folder(r, path, dir);
    closedir(dir);
    if (r->paths.len == before)
        say("%s: no recording in this folder", path);
    return r->paths.len > before;
}

void recordings_release(struct recordings *r)
{
    vec_release(&r->paths);
    arena_release(&r->arena);
}
