#include "engine/base/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/mem.h"

enum { NAME_TRIES = 1000, NAME_SPACE = 48, LISTED_MOST = 16 };

/* Temporary files, for the signal handler, which removes them. An entry has a
 * path only while it is ready. */
static struct {
    atomic_bool taken, ready;
    char path[PATH_MAX];
} listed[LISTED_MOST];

static int list(const char *path)
{
    size_t n = strlen(path) + 1;

    for (int i = 0; i < LISTED_MOST && n <= sizeof(listed[i].path); i++) {
        if (atomic_exchange(&listed[i].taken, true))
            continue;
        memcpy(listed[i].path, path, n);
        atomic_store(&listed[i].ready, true);
        return i;
    }
    return -1;
}

void new_file_abandon(void)
{
    for (int i = 0; i < LISTED_MOST; i++)
        if (atomic_load(&listed[i].ready))
            unlink(listed[i].path);
}

static void release(struct new_file *file)
{
    if (file->place >= 0) {
        atomic_store(&listed[file->place].ready, false);
        atomic_store(&listed[file->place].taken, false);
    }
    free(file->path);
    free(file->temp);
    file->path = file->temp = NULL;
}

static enum err_code fail(struct new_file *file, struct err *err)
{
    mem_check_errno();
    err_set(err, ERR_IO, "%s: cannot write: %s", file->path, strerror(errno));
    release(file);
    return ERR_IO;
}

/* Names left over by a crash are stepped over, not reused: the other process
 * may be alive in another container. */
static int create_temp(struct new_file *file)
{
    size_t size = strlen(file->path) + NAME_SPACE;
    int fd = -1;

    file->temp = mem_new(size, 1);
    for (int i = 0; i < NAME_TRIES && fd < 0; i++) {
        snprintf(file->temp, size, "%s.%ld-%d.tmp", file->path, (long)getpid(),
                 i);
        fd = open(file->temp, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

enum err_code new_file_create(struct new_file *file, const char *path,
                              struct err *err)
{
    const char *prefix = path[0] == '/' ? "" : "./";
    size_t size = strlen(path) + sizeof("./");
    struct stat st;
    bool replaces;
    int fd;

    file->path = mem_new(size, 1);
    file->temp = NULL;
    file->place = -1;
    snprintf(file->path, size, "%s%s", prefix, path);
    replaces = !stat(file->path, &st);
    /* Renaming over a device or a pipe would replace it. */
    if (replaces && !S_ISREG(st.st_mode)) {
        errno = S_ISDIR(st.st_mode) ? EISDIR : EEXIST;
        return fail(file, err);
    }
    fd = create_temp(file);
    if (fd < 0)
        return fail(file, err);
    /* A file that is replaced keeps its permissions. */
    if (replaces)
        (void)fchmod(fd, st.st_mode & 07777);
    close(fd);
    file->place = list(file->temp);
    return ERR_NONE;
}

static int sync_path(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC);
    int result, error;

    if (fd < 0)
        return -1;
    result = fsync(fd);
    error = errno;
    close(fd);
    errno = error;
    return result;
}

enum err_code new_file_publish(struct new_file *file, struct err *err)
{
    if (sync_path(file->temp, O_WRONLY) || rename(file->temp, file->path)) {
        int error = errno;

        unlink(file->temp);
        errno = error;
        return fail(file, err);
    }
    /* The name is in the directory: sync that too. Where a directory cannot be
     * synced there is nothing better to do. */
    strrchr(file->path, '/')[1] = '\0';
    (void)sync_path(file->path, O_RDONLY | O_DIRECTORY);
    release(file);
    return ERR_NONE;
}

void new_file_discard(struct new_file *file)
{
    unlink(file->temp);
    release(file);
}
