#include "cli/mcp/folders.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/load/load.h"
#include "engine/base/json.h"
#include "engine/base/text.h"

bool folders_add(struct folders *f, const char *folder, struct err *err)
{
    char path[PATH_MAX];
    struct stat st;

    if (!realpath(folder, path) || stat(path, &st)) {
        mem_check_errno();
        err_set(err, ERR_NOT_FOUND, "%s: %s", folder, strerror(errno));
        return false;
    }
    if (!S_ISDIR(st.st_mode)) {
        err_set(err, ERR_USAGE, "%s: not a folder", folder);
        return false;
    }
    *vec_add(&f->paths) = text_dup(path);
    return true;
}

void folders_release(struct folders *f)
{
    for (size_t i = 0; i < f->paths.len; i++)
        free(f->paths.data[i]);
    vec_release(&f->paths);
}

static bool is_below(const struct folders *f, const char *path)
{
    for (size_t i = 0; i < f->paths.len; i++) {
        const char *folder = f->paths.data[i];
        size_t n = strlen(folder);

        if (!strncmp(path, folder, n) && (path[n] == '/' || n == 1))
            return true;
    }
    return false;
}

static bool find_in(const struct folders *f, const char *folder,
                    const char *name, char path[PATH_MAX])
{
    char joined[PATH_MAX];
    struct stat st;
    int n = snprintf(joined, sizeof(joined), "%s%s%s", folder,
                     *folder ? "/" : "", name);

    return n > 0 && n < PATH_MAX && realpath(joined, path) &&
           is_below(f, path) && !stat(path, &st) && S_ISREG(st.st_mode);
}

bool folders_find(const struct folders *f, const char *name,
                  char path[PATH_MAX], struct err *err)
{
    bool found = *name == '/' && find_in(f, "", name, path);

    for (size_t i = 0; i < f->paths.len && *name != '/' && !found; i++)
        found = find_in(f, f->paths.data[i], name, path);
    if (!found)
        err_set(err, ERR_NOT_FOUND,
                "no file \"%.200s\" in the folders of this server; the tool "
                "recordings lists its recordings",
                name);
    return found;
}

/* nftw passes no context. The process lists one set of folders and ends. */
static VEC(char *) listed;

enum { FILES_MOST = 100000, OPEN_MOST = 16 };

static int visit(const char *path, const struct stat *st, int type,
                 struct FTW *at)
{
    (void)at;
    if (type == FTW_F && S_ISREG(st->st_mode) && is_recording(path))
        *vec_add(&listed) = text_dup(path);
    return listed.len == FILES_MOST;
}

static int by_path(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

static void write_list(size_t most, size_t total, struct out *out)
{
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_text(&json, "schema", "topfn.recordings/1");
    json_array(&json, "rows");
    for (size_t i = 0; i < total && i < most; i++) {
        struct stat st = {.st_size = 0};

        (void)!stat(listed.data[i], &st);
        json_object(&json, NULL);
        json_text(&json, "file", listed.data[i]);
        json_u64(&json, "bytes", (uint64_t)st.st_size);
        json_end(&json);
    }
    json_end(&json);
    json_u64(&json, "total_rows", total);
    json_end(&json);
    out_char(out, '\n');
}

void folders_list(const struct folders *f, size_t most, struct out *out)
{
    size_t total = 0;

    for (size_t i = 0; i < f->paths.len; i++)
        (void)nftw(f->paths.data[i], visit, OPEN_MOST, FTW_PHYS);
    vec_sort(&listed, by_path);
    /* A folder may lie in another one. */
    for (size_t i = 0; i < listed.len; i++) {
        if (total && !strcmp(listed.data[total - 1], listed.data[i]))
            free(listed.data[i]);
        else
            listed.data[total++] = listed.data[i];
    }
    write_list(most, total, out);
    for (size_t i = 0; i < total; i++)
        free(listed.data[i]);
    vec_release(&listed);
}
