#include "symbols/find/bundle.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/file_hash.h"
#include "engine/base/newfile.h"
#include "engine/base/path.h"
#include "engine/base/text_line.h"
#include "symbols/find/pdb.h"

/* ---- which files, by which names ---- */

/* "NAME/KEY/NAME", or NAME where there is no key. */
static char *store_name(const char *name, const char *key)
{
    struct out *text = out_memory();
    char *path;

    if (*key)
        out_fmt(text, "%s/%s/", name, key);
    out_str(text, name);
    path = text_dup(out_text(text, NULL));
    out_close(text, NULL);
    return path;
}

/* A portable PDB has no age. */
static bool is_portable(const char *path)
{
    char magic[4] = "";
    FILE *file = fopen(path, "re");
    bool is = file && fread(magic, sizeof(magic), 1, file) == 1 &&
              !memcmp(magic, "BSJB", sizeof(magic));

    if (file)
        fclose(file);
    return is;
}

static char *name_in_bundle(const struct identity *id, bool is_image,
                            const struct found *found)
{
    char key[sizeof(((struct wanted *)NULL)->key)] = "";
    char *name = path_last_part(found->path, strlen(found->path)),
         *path;

    if (id->build_id_size)
        path = build_id_path(".", id->build_id, id->build_id_size,
                             is_image ? "" : ".debug");
    else
        path = NULL;
    if (!path) {
        if (is_image)
            code_id_of_pe(id, key);
        else if (!guid_is_zero(id->guid))
            pdb_key(id->guid, is_portable(found->path) ? UINT32_MAX : id->age,
                    key);
        path = store_name(name ? name : "unnamed", key);
    } else {
        memmove(path, path + strlen("./"), strlen(path) - 1);
    }
    free(name);
    return path;
}

static void add_file(struct bundle *b, const char *from, char *name)
{
    for (size_t i = 0; i < b->files.len; i++)
        if (!strcmp(b->files.data[i].name, name)) {
            free(name); /* the same build, or found first: one is enough */
            return;
        }
    *vec_add(&b->files) =
        (struct bundle_file){.from = text_dup(from), .name = name};
}

void bundle_add(struct bundle *b, const struct identity *id, bool is_image,
                const struct found *found)
{
    if (found->cause != FIND_OK || !found->path || found->inside)
        return;
    add_file(b, found->path, name_in_bundle(id, is_image, found));
    for (size_t i = 0; i < found->referred.len; i++) {
        const char *path = found->referred.data[i];
        char *name = path_last_part(path, strlen(path));

        if (name)
            add_file(b, path, name);
    }
}

void bundle_add_source(struct bundle *b, const char *path, const char *from)
{
    struct out *name = out_memory();
    const char *at = path;

    if (at[0] && at[1] == ':') /* a drive */
        at += 2;
    out_str(name, "source");
    while (*at) {
        size_t n = strcspn(at, "/\\");

        if (n && strncmp(at, "..", n) != 0) /* nor ".": it stays below */
            out_fmt(name, "/%.*s", (int)n, at);
        at += n + (at[n] != '\0');
    }
    add_file(b, from, text_dup(out_text(name, NULL)));
    out_close(name, NULL);
}

/* ---- writing ---- */

static enum err_code failed(struct err *err, const char *path)
{
    return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
}

enum err_code bundle_begin(const char *folder, struct err *err)
{
    char *list = path_join(folder, BUNDLE_LIST);
    bool known = path_is_file(list);
    struct dirent *entry;
    size_t others = 0;
    DIR *dir;

    free(list);
    if (mkdir(folder, 0777) && errno != EEXIST)
        return failed(err, folder);
    dir = opendir(folder);
    if (!dir)
        return failed(err, folder);
    while ((entry = readdir(dir)) != NULL)
        others += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(dir);
    if (others && !known)
        return err_set(err, ERR_USAGE,
                       "%s: the folder is not empty and has no " BUNDLE_LIST,
                       folder);
    return ERR_NONE;
}

/* NULL: err says why. */
static FILE *begin_file(struct new_file *file, const char *path,
                        struct err *err)
{
    FILE *stream = NULL;

    *file = (struct new_file){.temp = NULL};
    if (!new_file_create(file, path, err)) {
        stream = new_file_stream(file);
        if (!stream)
            (void)failed(err, path);
    }
    return stream;
}

/* `done`: all was written to the stream, which may be NULL. */
static enum err_code end_file(struct new_file *file, FILE *stream, bool done,
                              struct err *err)
{
    if (stream)
        done = !fclose(stream) && done;
    if (done)
        return new_file_publish(file, err);
    if (stream)
        (void)failed(err, file->path);
    if (file->temp)
        new_file_discard(file);
    return ERR_IO;
}

static bool copy_bytes(FILE *from, FILE *to, uint64_t *size)
{
    char bytes[1 << 16];
    size_t n;

    *size = 0;
    while ((n = fread(bytes, 1, sizeof(bytes), from)) > 0) {
        if (fwrite(bytes, 1, n, to) != n)
            return false;
        *size += n;
    }
    return !ferror(from);
}

static enum err_code copy_file(const char *from, const char *to, uint64_t *size,
                               struct err *err)
{
    FILE *source = fopen(from, "re"), *target;
    struct new_file file;
    bool done;

    if (!source)
        return failed(err, from);
    target = begin_file(&file, to, err);
    done = target && copy_bytes(source, target, size);
    fclose(source);
    return end_file(&file, target, done, err);
}

static int by_name(const void *x, const void *y)
{
    const struct bundle_file *a = x, *b = y;

    return strcmp(a->name, b->name);
}

static enum err_code write_file(struct bundle_file *f, const char *folder,
                                struct out *list, struct err *err)
{
    char *path = path_join(folder, f->name), hash[FILE_HASH_SIZE];
    enum err_code code = path_make_folders(path)
                             ? copy_file(f->from, path, &f->size, err)
                             : failed(err, path);

    if (!code)
        code = file_hash(path, hash, err);
    if (!code) {
        out_fmt(list, "# %llu bytes\n%s  %s\n", (unsigned long long)f->size,
                hash, f->name);
    }
    free(path);
    return code;
}

static enum err_code write_list(struct out *list, const char *folder,
                                struct err *err)
{
    char *path = path_join(folder, BUNDLE_LIST);
    struct new_file file;
    FILE *stream = begin_file(&file, path, err);
    size_t n;
    const char *text = out_text(list, &n);
    enum err_code code =
        end_file(&file, stream, stream && fwrite(text, 1, n, stream) == n, err);

    free(path);
    return code;
}

enum err_code bundle_write(struct bundle *b, const char *folder,
                           struct err *err)
{
    struct out *list = out_memory();
    enum err_code code = ERR_NONE;

    out_str(list, "# Symbol files of a profile, for topfn --symbols and "
                  "sha256sum -c\n");
    vec_sort(&b->files, by_name);
    for (size_t i = 0; i < b->files.len && !code; i++) {
        code = write_file(&b->files.data[i], folder, list, err);
        b->size += b->files.data[i].size;
    }
    if (!code)
        code = write_list(list, folder, err);
    out_close(list, NULL);
    return code;
}

void bundle_release(struct bundle *b)
{
    for (size_t i = 0; i < b->files.len; i++) {
        free(b->files.data[i].from);
        free(b->files.data[i].name);
    }
    vec_release(&b->files);
}

/* ---- checking ---- */

/* Compares one file with its line of the list. */
static void check_file(const char *folder, struct text_line hash,
                       struct text_line name, uint64_t size, bool contents,
                       struct out *complaints)
{
    char *inner = text_copy(name.at, (size_t)(name.end - name.at));
    char *path = path_join(folder, inner), now[FILE_HASH_SIZE];
    struct err err = {0};
    struct stat st;

    if (stat(path, &st) || !S_ISREG(st.st_mode))
        out_fmt(complaints, "%s: missing, but listed in %s\n", path,
                BUNDLE_LIST);
    else if ((uint64_t)st.st_size != size)
        out_fmt(complaints, "%s: changed, it has another size than in %s\n",
                path, BUNDLE_LIST);
    else if (contents && (file_hash(path, now, &err) ||
                          (size_t)(hash.end - hash.at) != strlen(now) ||
                          memcmp(hash.at, now, strlen(now)) != 0))
        out_fmt(complaints, "%s: changed, its hash is not the one in %s\n",
                path, BUNDLE_LIST);
    free(path);
    free(inner);
}

/* A name that stays in the folder. */
static bool stays(struct text_line name)
{
    size_t n = (size_t)(name.end - name.at);

    return n && *name.at != '/' && !memmem(name.at, n, "..", 2) &&
           !memchr(name.at, '\0', n);
}

static void check_list(const char *folder, const char *at, const char *end,
                       bool contents, struct out *complaints)
{
    uint64_t size = 0;

    while (at < end) {
        struct text_line l = line_next(&at, end), hash;

        if (line_take(&l, "#")) {
            line_skip_blanks(&l);
            (void)line_number(&l, &size);
            continue;
        }
        hash = line_word(&l);
        line_skip_blanks(&l);
        if (stays(l))
            check_file(folder, hash, l, size, contents, complaints);
    }
}

void bundle_check(const char *folder, bool contents, struct out *complaints)
{
    char *path = path_join(folder, BUNDLE_LIST);
    struct container *file =
        path_is_file(path) ? container_open_file(path, NULL) : NULL;

    if (file && file->count)
        check_list(folder, (const char *)file->entries[0].data,
                   (const char *)file->entries[0].data + file->entries[0].size,
                   contents, complaints);
    container_close(file);
    free(path);
}
