#include "engine/container/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/mem.h"
#include "engine/base/vec.h"

static const char main_file[] = "data";
static const char kernel_names[] = "kcore_dir/kallsyms";

char *folder_path(const char *folder, const char *name)
{
    size_t n = strlen(folder) + strlen(name) + 2;
    char *path = mem_new(n, 1);

    snprintf(path, n, "%s/%s", folder, name);
    return path;
}

static bool has_file(const char *folder, const char *name)
{
    char *path = folder_path(folder, name);
    struct stat st;
    bool there = !stat(path, &st) && S_ISREG(st.st_mode);

    free(path);
    return there;
}

bool folder_is_recording(const char *path)
{
    static const char *const magics[] = {"PERFILE2", "2ELIFREP"};
    char begin[8] = "", *name;
    struct stat st;
    FILE *file;
    size_t n = 0;

    if (stat(path, &st) || !S_ISDIR(st.st_mode) || !has_file(path, main_file))
        return false;
    name = folder_path(path, main_file);
    file = fopen(name, "re");
    if (file)
        n = fread(begin, 1, sizeof(begin), file);
    if (file)
        fclose(file);
    free(name);
    return n == sizeof(begin) && (!memcmp(begin, magics[0], n) ||
                                  !memcmp(begin, magics[1], n));
}

/* The number in "data.12"; false: it is another file. */
static bool thread_of(const char *name, unsigned long *number)
{
    size_t n = sizeof(main_file) - 1;
    char *end;

    if (strncmp(name, main_file, n) || name[n] != '.' || name[n + 1] < '0' ||
        name[n + 1] > '9')
        return false;
    *number = strtoul(name + n + 1, &end, 10);
    return !*end;
}

static int by_number(const void *a, const void *b)
{
    unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

    return (x > y) - (x < y);
}

static enum err_code add_part(struct container *c, const char *name,
                              struct err *err)
{
    char *path = folder_path(c->path, name);
    struct container *part = container_open(path, err);

    free(path);
    if (!part)
        return err ? err->code : ERR_IO;
    c->parts = mem_resize(c->parts, c->part_count + 1, sizeof(struct container *));
    c->parts[c->part_count++] = part;
    return ERR_NONE;
}

enum err_code folder_open_parts(struct container *c, struct err *err)
{
    VEC(unsigned long) threads = {0};
    DIR *dir = opendir(c->path);
    enum err_code code = ERR_NONE;
    struct dirent *file;
    unsigned long number;
    char name[32];

    while (dir && (file = readdir(dir)) != NULL)
        if (thread_of(file->d_name, &number))
            *vec_add(&threads) = number;
    if (dir)
        closedir(dir);
    if (threads.len)
        qsort(threads.data, threads.len, sizeof(*threads.data), by_number);
    for (size_t i = 0; i < threads.len && !code; i++) {
        snprintf(name, sizeof(name), "%s.%lu", main_file, threads.data[i]);
        code = add_part(c, name, err);
    }
    if (!code && has_file(c->path, kernel_names))
        code = add_part(c, kernel_names, err);
    vec_release(&threads);
    c->entries[0].parts = c->parts;
    c->entries[0].part_count = c->part_count;
    return code;
}

void folder_close_parts(struct container *c)
{
    for (size_t i = 0; i < c->part_count; i++)
        container_close(c->parts[i]);
    free(c->parts);
}
