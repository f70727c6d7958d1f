#include "engine/container/folder.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/mem.h"
#include "engine/base/path.h"
#include "engine/base/text.h"
#include "engine/base/vec.h"

static const char main_file[] = "data";
static const char kernel_names[] = "kcore_dir/kallsyms";

static bool has_file(const char *folder, const char *name)
{
    char *path = path_join(folder, name);
    bool there = path_is_file(path);

    free(path);
    return there;
}

bool folder_is_recording(const char *path)
{
    static const char *const magics[] = {"PERFILE2", "2ELIFREP"};
    char begin[8] = "", *name;
    FILE *file;
    size_t n = 0;

    if (!path_is_folder(path) || !has_file(path, main_file))
        return false;
    name = path_join(path, main_file);
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
    char *path = path_join(c->path, name);
    struct container *file = container_open_file(path, err);

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

/*
 * The folder of a .diagsession that somebody unpacked. It has the session's
 * metadata.xml, or a log or recording that only sessions have. Its files are
 * entries, sorted by name; links and special files are left out. Other folders
 * are refused, because the files in them need not belong together.
 */

/* Limits of one folder: nesting, and the number of files. */
enum { DEEPEST = 4, MOST_FILES = 4096 };

struct listing {
    struct container *c;
    VEC(struct entry) files;
    VEC(char *) folders; /* still to list, relative to the opened one */
};

static size_t depth_of(const char *inner)
{
    size_t n = *inner != '\0';

    for (; *inner; inner++)
        n += *inner == '/';
    return n;
}

static void list_file(struct listing *l, char *inner)
{
    char *path = path_join(l->c->path, inner);
    struct stat st;

    if (!lstat(path, &st) && S_ISREG(st.st_mode) && l->files.len < MOST_FILES) {
        *vec_add(&l->files) = (struct entry){
            .name = arena_strndup(&l->c->arena, path, strlen(path)),
            .inner = arena_strndup(&l->c->arena, inner, strlen(inner)),
            .claimed = (uint64_t)st.st_size,
        };
    } else if (!lstat(path, &st) && S_ISDIR(st.st_mode) &&
               depth_of(inner) < DEEPEST && l->folders.len < MOST_FILES) {
        *vec_add(&l->folders) = inner;
        inner = NULL;
    }
    free(path);
    free(inner);
}

static void list_folder(struct listing *l, const char *inner)
{
    char *path = *inner ? path_join(l->c->path, inner) : NULL;
    DIR *dir = opendir(path ? path : l->c->path);
    struct dirent *file;

    while (dir && (file = readdir(dir)) != NULL)
        if (strcmp(file->d_name, ".") != 0 && strcmp(file->d_name, "..") != 0)
            list_file(l, *inner ? path_join(inner, file->d_name)
                                : text_dup(file->d_name));
    if (dir)
        closedir(dir);
    free(path);
}

static int by_inner_name(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;

    return strcmp(a->inner, b->inner);
}

static bool is_session(const struct container *c)
{
    bool session = false, trace = false;

    for (size_t i = 0; i < c->count; i++) {
        const struct entry *e = &c->entries[i];

        trace |= e->kind == ENTRY_TRACE;
        session |= ascii_same(e->inner, "metadata.xml") ||
                   ascii_same(path_base_name(e->inner), "sc.user_aux.etl") ||
                   text_ends(e->inner, ".vsp");
    }
    return session && trace;
}

/* Instruments records into a folder, too. */
static enum err_code refuse_folder(const char *path, struct err *err)
{
    size_t n = strlen(path);

    while (n && path[n - 1] == '/')
        n--;
    return err_set(err, ERR_IO, "%s: is a directory%s", path,
                   n > 6 && !memcmp(path + n - 6, ".trace", 6)
                       ? " that looks like a recording of Instruments; open a "
                         "table of it that 'xctrace export' writes"
                       : "; topfn opens only those that 'perf record "
                         "--threads' writes and unpacked .diagsession files");
}

static enum err_code extracted_open(struct container *c, const uint8_t *data,
                                    size_t size, struct err *err)
{
    struct listing l = {.c = c};

    (void)data;
    (void)size;
    list_folder(&l, "");
    for (size_t i = 0; i < l.folders.len; i++)
        list_folder(&l, l.folders.data[i]);
    for (size_t i = 0; i < l.folders.len; i++)
        free(l.folders.data[i]);
    vec_release(&l.folders);
    c->entries = arena_new(&c->arena, struct entry, l.files.len + 1);
    c->count = l.files.len;
    if (l.files.len) {
        qsort(l.files.data, l.files.len, sizeof(*l.files.data), by_inner_name);
        memcpy(c->entries, l.files.data, l.files.len * sizeof(*l.files.data));
    }
    vec_release(&l.files);
    entries_classify(c);
    return is_session(c) ? ERR_NONE : refuse_folder(c->path, err);
}

/* An archive in the folder is refused, like an archive in an archive. */
static enum err_code extracted_load(struct container *c, struct entry *e,
                                    struct err *err)
{
    struct container *file = container_open_file(e->name, err);

    if (!file)
        return err ? err->code : ERR_IO;
    c->files = mem_resize(c->files, c->file_count + 1, sizeof(*c->files));
    c->files[c->file_count++] = file;
    if (file->count != 1 || *file->entries[0].inner)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: an archive in a folder; open the archive itself",
                       e->name);
    e->data = file->entries[0].data;
    e->size = file->entries[0].size;
    e->of_file = file->entries[0].of_file;
    e->mapped = file->entries[0].mapped;
    return ERR_NONE;
}

const struct container_kind extracted_container = {
    .name = "folder",
    .open = extracted_open,
    .load = extracted_load,
};
