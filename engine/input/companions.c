#include "engine/input/companions.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/text.h"

static void folder_of(const char *path, char folder[LONGEST_PATH])
{
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) : 0;

    if (!slash || n >= LONGEST_PATH)
        strcpy(folder, ".");
    else
        snprintf(folder, LONGEST_PATH, "%.*s", n ? (int)n : 1, path);
}

/* The file of this name in `folder`, without regard to case. */
static bool find_in(const char *folder, const char *name,
                    char found[LONGEST_PATH])
{
    DIR *dir = opendir(folder);
    bool is_there = false;
    struct dirent *e;

    while (dir && !is_there && (e = readdir(dir)))
        if (ascii_same(e->d_name, name))
            is_there = snprintf(found, LONGEST_PATH, "%s%s%s",
                                strcmp(folder, ".") ? folder : "",
                                strcmp(folder, ".") ? "/" : "",
                                e->d_name) < LONGEST_PATH;
    if (dir)
        closedir(dir);
    return is_there;
}

/* Whether `path`, links followed, lies in `folder` or below it. */
static bool is_below(const char *path, const char *folder)
{
    char *file = realpath(path, NULL), *top = realpath(folder, NULL);
    size_t n = top ? strlen(top) : 0;
    bool below = file && top && !strncmp(file, top, n) &&
                 (file[n] == '/' || (n == 1 && *top == '/'));

    free(file);
    free(top);
    return below;
}

enum companion_place companion_find(const char *wanted, const char *recording,
                                    bool anywhere, char found[LONGEST_PATH])
{
    const char *name = path_base_name(wanted);
    char folder[LONGEST_PATH];

    folder_of(recording, folder);
    if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
        return COMPANION_ABSENT;
    if (name != wanted && !access(wanted, R_OK) &&
        strlen(wanted) < LONGEST_PATH) {
        strcpy(found, wanted);
        if (anywhere || is_below(wanted, ".") || is_below(wanted, folder))
            return COMPANION_FOUND;
        return COMPANION_OUTSIDE;
    }
    return find_in(".", name, found) || find_in(folder, name, found)
               ? COMPANION_FOUND
               : COMPANION_ABSENT;
}
