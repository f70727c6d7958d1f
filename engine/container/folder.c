#include "engine/container/folder.h"

#include <dirent.h>
#include <limits.h>
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
    return n == sizeof(begin) &&
           (!memcmp(begin, magics[0], n) || !memcmp(begin, magics[1], n));
}

/* The order of a file beside `data`: "data.12" is 12, the names of the kernel
 * come last; false: it is another file. */
static bool is_part(const char *name, unsigned long *order)
{
    size_t n = sizeof(main_file) - 1;
    char *end;

    *order = ULONG_MAX;
    if (!strcmp(name, kernel_names))
        return true;
    if (strncmp(name, main_file, n) || name[n] != '.' || name[n + 1] < '0' ||
        name[n + 1] > '9')
        return false;
    *order = strtoul(name + n + 1, &end, 10);
    return !*end;
}

struct part {
    unsigned long order;
    struct entry *entry;
};

static int by_order(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    return (x->order > y->order) - (x->order < y->order);
}

static void set_parts(struct container *c, struct entry *e, struct part *parts,
                      size_t n)
{
    qsort(parts, n, sizeof(*parts), by_order);
    e->parts = arena_new(&c->arena, struct entry *, n);
    e->part_count = n;
    for (size_t i = 0; i < n; i++)
        e->parts[i] = parts[i].entry;
}

/* ---- a folder ---- */

static enum err_code open_file(struct container *c, const char *name,
                               struct err *err)
{
    char *path = folder_path(c->path, name);
    struct container *file = container_open(path, err);

    free(path);
    if (!file)
        return err ? err->code : ERR_IO;
    c->files = mem_resize(c->files, c->file_count + 1, sizeof(*c->files));
    c->files[c->file_count++] = file;
    return ERR_NONE;
}

enum err_code folder_open_files(struct container *c, struct err *err)
{
    VEC(struct part) parts = {0};
    DIR *dir = opendir(c->path);
    enum err_code code = ERR_NONE;
    struct part part = {0};
    struct dirent *file;

    while (dir && !code && (file = readdir(dir)) != NULL) {
        if (!is_part(file->d_name, &part.order))
            continue;
        code = open_file(c, file->d_name, err);
        *vec_add(&parts) = part;
    }
    if (dir)
        closedir(dir);
    if (!code && has_file(c->path, kernel_names)) {
        code = open_file(c, kernel_names, err);
        *vec_add(&parts) = (struct part){.order = ULONG_MAX};
    }
    for (size_t i = 0; i < c->file_count; i++)
        parts.data[i].entry = c->files[i]->entries;
    if (!code && parts.len)
        set_parts(c, c->entries, parts.data, parts.len);
    vec_release(&parts);
    return code;
}

void folder_close_files(struct container *c)
{
    for (size_t i = 0; i < c->file_count; i++)
        container_close(c->files[i]);
    free(c->files);
}

/* ---- entries ---- */

/* Length of the path before "data", with the slash. */
static bool is_main(const char *name, size_t *folder)
{
    size_t n = strlen(name), tail = sizeof(main_file) - 1;

    *folder = n - tail;
    return n >= tail && !strcmp(name + n - tail, main_file) &&
           (n == tail || name[n - tail - 1] == '/');
}

void folder_join_entries(struct container *c)
{
    VEC(struct part) parts = {0};
    struct entry *e = NULL;
    size_t folder = 0;

    for (size_t i = 0; i < c->count && !e; i++)
        if (is_main(c->entries[i].inner, &folder))
            e = &c->entries[i];
    for (size_t i = 0; e && i < c->count; i++) {
        struct part part = {.entry = &c->entries[i]};

        if (!strncmp(e->inner, part.entry->inner, folder) &&
            is_part(part.entry->inner + folder, &part.order) &&
            part.entry->kind == ENTRY_OTHER) {
            part.entry->note = "a part of the recording";
            *vec_add(&parts) = part;
        }
    }
    if (parts.len) {
        e->kind = ENTRY_TRACE;
        set_parts(c, e, parts.data, parts.len);
    }
    vec_release(&parts);
}
