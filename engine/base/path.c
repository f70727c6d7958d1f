#include "engine/base/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "engine/base/mem.h"
#include "engine/base/text.h"

char *path_last_part(const char *path, size_t n)
{
    size_t at = n;
    char *name;

    while (at && path[at - 1] != '/' && path[at - 1] != '\\')
        at--;
    name = text_copy(path + at, n - at);
    if (!*name || !strcmp(name, ".") || !strcmp(name, "..")) {
        free(name);
        return NULL;
    }
    return name;
}

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? text_copy(path, (size_t)(slash - path) + 1)
                 : text_copy(".", 1);
}

char *path_join(const char *folder, const char *name)
{
    size_t n = strlen(folder) + strlen(name) + 2;
    char *path = mem_new(n, 1);

    snprintf(path, n, "%s%s%s", folder,
             *folder && folder[strlen(folder) - 1] == '/' ? "" : "/", name);
    return path;
}

bool path_is_plain(const char *path)
{
    return *path == '/' && !strstr(path, "/../");
}

bool path_is_below(const char *path, const char *folder)
{
    char *file = realpath(path, NULL), *top = realpath(folder, NULL);
    size_t n = top ? strlen(top) : 0;
    bool below = file && top && !strncmp(file, top, n) &&
                 (top[n - 1] == '/' || file[n] == '/' || !file[n]);

    free(file);
    free(top);
    return below;
}

enum path_kind path_kind(const char *path)
{
    struct stat st;

    if (stat(path, &st))
        return PATH_NONE;
    if (S_ISREG(st.st_mode))
        return PATH_FILE;
    return S_ISDIR(st.st_mode) ? PATH_FOLDER : PATH_OTHER;
}

bool path_is_file(const char *path)
{
    return path_kind(path) == PATH_FILE;
}

bool path_is_empty(const char *path)
{
    struct stat st;

    return !stat(path, &st) && !st.st_size;
}

bool path_is_folder(const char *path)
{
    return path_kind(path) == PATH_FOLDER;
}

char *folder_find(const char *folder, const char *name)
{
    char *path = path_join(folder, name), *best = NULL;
    struct dirent *entry;
    struct stat st;
    DIR *dir;

    if (!stat(path, &st))
        return path;
    free(path);
    dir = opendir(folder);
    while (dir && (entry = readdir(dir)) != NULL) {
        if (strcasecmp(entry->d_name, name) != 0 ||
            (best && strcmp(entry->d_name, best) >= 0))
            continue;
        free(best);
        best = text_dup(entry->d_name);
    }
    if (dir)
        closedir(dir);
    path = best ? path_join(folder, best) : NULL;
    free(best);
    return path;
}

bool path_make_folders(const char *file)
{
    char *path = text_dup(file), *slash = path;
    bool made = true;

    while (made && (slash = strchr(slash + 1, '/')) != NULL) {
        *slash = '\0';
        made = !mkdir(path, 0777) || errno == EEXIST;
        *slash = '/';
    }
    free(path);
    return made;
}
