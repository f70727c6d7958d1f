#include "tests/support/temp_folder.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t files;

static int count(const char *path, const struct stat *st, int type,
                 struct FTW *at)
{
    (void)path, (void)st, (void)at;
    files += type == FTW_F;
    return 0;
}

static int erase(const char *path, const struct stat *st, int type,
                 struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

void temp_folder(char folder[TEMP_FOLDER])
{
    snprintf(folder, TEMP_FOLDER, "/tmp/topfn-folder-XXXXXX");
    if (!mkdtemp(folder))
        abort();
}

size_t temp_folder_files(const char *folder)
{
    files = 0;
    nftw(folder, count, 8, FTW_PHYS);
    return files;
}

void temp_folder_put(const char *folder, const char *name, const void *data,
                     size_t n)
{
    char path[400];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    for (char *at = path + strlen(folder) + 1; (at = strchr(at, '/')) != NULL;
         *at++ = '/') {
        *at = '\0';
        (void)mkdir(path, 0700);
    }
    file = fopen(path, "wb");
    if (!file || fwrite(data, 1, n, file) != n || fclose(file))
        abort();
}

void temp_folder_remove(const char *folder)
{
    nftw(folder, erase, 8, FTW_PHYS | FTW_DEPTH);
}
