/*
 * A folder that was a container: a .diagsession that somebody unpacked, which
 * has its metadata.xml, or the logs and recordings of one. Its files are
 * entries, in order of their names; links and what is no plain file are left
 * out. Other folders are refused: what lies in them need not belong together.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/mem.h"
#include "engine/base/text.h"
#include "engine/base/vec.h"
#include "engine/container/folder.h"
#include "engine/container/names.h"

/* Folders in folders, and files, of one that is opened. */
enum { DEEPEST = 4, MOST_FILES = 4096 };

struct listing {
    struct container *c;
    VEC(struct entry) files;
    VEC(char *) folders; /* still to be listed, relative to the first */
};

/* "inner/name", or "name" of the first folder. */
static char *inner_path(const char *inner, const char *name)
{
    if (*inner)
        return folder_path(inner, name);
    return strcpy(mem_new(strlen(name) + 1, 1), name);
}

static size_t depth_of(const char *inner)
{
    size_t n = *inner != '\0';

    for (; *inner; inner++)
        n += *inner == '/';
    return n;
}

static void take_file(struct listing *l, char *inner)
{
    char *path = folder_path(l->c->path, inner);
    struct stat st;

    if (!lstat(path, &st) && S_ISREG(st.st_mode) &&
        l->files.len < MOST_FILES) {
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
    char *path = *inner ? folder_path(l->c->path, inner) : NULL;
    DIR *dir = opendir(path ? path : l->c->path);
    struct dirent *file;

    while (dir && (file = readdir(dir)) != NULL)
        if (strcmp(file->d_name, ".") != 0 && strcmp(file->d_name, "..") != 0)
            take_file(l, inner_path(inner, file->d_name));
    if (dir)
        closedir(dir);
    free(path);
}

static int by_name(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;

    return strcmp(a->inner, b->inner);
}

static bool is_session(const struct container *c)
{
    static const char *const names[] = {"metadata.xml", "sc.user_aux.etl"};
    bool session = false, trace = false;

    for (size_t i = 0; i < c->count; i++) {
        const struct entry *e = &c->entries[i];

        trace |= e->kind == ENTRY_TRACE;
        session |= ascii_same(e->inner, names[0]) ||
                   ascii_same(path_base_name(e->inner), names[1]) ||
                   entry_name_ends(e->inner, ".vsp");
    }
    return session && trace;
}

/* Instruments records into a folder, too. */
static enum err_code refuse(const struct container *c, struct err *err)
{
    size_t n = strlen(c->path);

    while (n && c->path[n - 1] == '/')
        n--;
    if (n > 6 && !memcmp(c->path + n - 6, ".trace", 6))
        return err_set(err, ERR_IO,
                       "%s: is a directory, as a recording of Instruments is, "
                       "which topfn does not read",
                       c->path);
    return err_set(err, ERR_IO,
                   "%s: is a directory; of these topfn opens an unpacked "
                   ".diagsession and what perf record --threads writes",
                   c->path);
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
        qsort(l.files.data, l.files.len, sizeof(*l.files.data), by_name);
        memcpy(c->entries, l.files.data, l.files.len * sizeof(*l.files.data));
    }
    vec_release(&l.files);
    entries_classify(c);
    return is_session(c) ? ERR_NONE : refuse(c, err);
}

/* Archives in the folder are not opened, as those in archives are not. */
static enum err_code extracted_load(struct container *c, struct entry *e,
                                    struct err *err)
{
    struct container *file = container_open(e->name, err);

    if (!file)
        return err ? err->code : ERR_IO;
    c->files = mem_resize(c->files, c->file_count + 1, sizeof(*c->files));
    c->files[c->file_count++] = file;
    if (file->count != 1 || *file->entries[0].inner)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: an archive in a folder; open it by itself",
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
