#include "engine/base/newfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/mem.h"
#include "engine/base/text.h"

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
    if (file->fd >= 0)
        close(file->fd);
    free(file->path);
    free(file->temp);
    file->path = file->temp = NULL;
    file->fd = -1;
}

static enum err_code fail(struct new_file *file, struct err *err)
{
    mem_check_errno();
    err_set(err, ERR_IO, "%s: cannot write: %s", file->path, strerror(errno));
    release(file);
    return ERR_IO;
}

/* The length of BASE if a name is "BASE.PID-NUMBER.tmp"; else 0. */
static size_t temp_base(const char *name)
{
    static const char ending[] = ".tmp", before[] = "-.";
    size_t n = strlen(name), end = strlen(ending);

    if (n < end || strcmp(name + n - end, ending) != 0)
        return 0;
    n -= end;
    for (int i = 0; i < 2; i++) {
        end = n;
        while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
            n--;
        if (n == end || !n || name[--n] != before[i])
            return 0;
    }
    return n;
}

/* Removes this user's file that nobody has locked: whoever made it is dead. A
 * process that is alive in another container has a lock as well. */
static void remove_if_dead(int folder, const char *name)
{
    int fd =
        openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    struct stat st;

    if (fd < 0)
        return;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
        !flock(fd, LOCK_EX | LOCK_NB))
        unlinkat(folder, name, 0);
    close(fd);
}

/* Removes the temporary files of `base` in a folder that killed processes
 * left; NULL: of all names. */
static void sweep(const char *folder, const char *base)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL) {
        size_t n = temp_base(entry->d_name);

        if (n &&
            (!base || (strlen(base) == n && !memcmp(entry->d_name, base, n))))
            remove_if_dead(dirfd(dir), entry->d_name);
    }
    if (dir)
        closedir(dir);
}

/* False when another process swept the file away before it was locked, or is
 * about to. Nothing is swept on file systems without locks. */
static bool keep_locked(int fd)
{
    struct stat st;

    if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return false;
    return !fstat(fd, &st) && st.st_nlink;
}

static bool create_temp(struct new_file *file, const char *folder,
                        const char *base)
{
    size_t size = strlen(folder) + strlen(base) + NAME_SPACE;

    file->temp = mem_new(size, 1);
    for (int i = 0; i < NAME_TRIES; i++) {
        snprintf(file->temp, size, "%s/%s.%ld-%d.tmp", folder, base,
                 (long)getpid(), i);
        file->fd =
            open(file->temp, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
        if (file->fd >= 0 && keep_locked(file->fd))
            return true;
        if (file->fd < 0 && errno != EEXIST)
            return false;
        if (file->fd >= 0)
            close(file->fd);
        file->fd = -1;
    }
    return false;
}

enum err_code new_file_create(struct new_file *file, const char *path,
                              struct err *err)
{
    return new_file_create_in(file, NULL, path, err);
}

enum err_code new_file_create_in(struct new_file *file, const char *folder,
                                 const char *path, struct err *err)
{
    const char *prefix = path[0] == '/' ? "" : "./";
    size_t size = strlen(path) + sizeof("./");
    char *own, *base;
    struct stat st;
    bool replaces, created;

    *file = (struct new_file){.path = mem_new(size, 1), .fd = -1, .place = -1};
    snprintf(file->path, size, "%s%s", prefix, path);
    replaces = !stat(file->path, &st);
    /* Renaming over a device or a pipe would replace it. */
    if (replaces && !S_ISREG(st.st_mode)) {
        errno = S_ISDIR(st.st_mode) ? EISDIR : EEXIST;
        return fail(file, err);
    }
    base = strrchr(file->path, '/') + 1;
    own = text_copy(file->path, (size_t)(base - file->path));
    sweep(folder ? folder : own, folder ? NULL : base);
    created = create_temp(file, folder ? folder : own, base);
    free(own);
    if (!created)
        return fail(file, err);
    /* A file that is replaced keeps its permissions. */
    if (replaces)
        (void)fchmod(file->fd, st.st_mode & 07777);
    file->place = list(file->temp);
    return ERR_NONE;
}

FILE *new_file_stream(const struct new_file *file)
{
    int fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "wb");

    if (!stream && fd >= 0)
        close(fd);
    return stream;
}

static void sync_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

enum err_code new_file_publish(struct new_file *file, struct err *err)
{
    if (fsync(file->fd) || rename(file->temp, file->path)) {
        int error = errno;

        unlink(file->temp);
        errno = error;
        return fail(file, err);
    }
    /* The name is in the directory: sync that too. If a directory cannot be
     * synced, there is nothing better to do. */
    strrchr(file->path, '/')[1] = '\0';
    sync_folder(file->path);
    release(file);
    return ERR_NONE;
}

void new_file_discard(struct new_file *file)
{
    unlink(file->temp);
    release(file);
}

int nameless_file(const char *folder)
{
    size_t n = strlen(folder) + sizeof("/topfn-XXXXXX");
    char *name;
    int fd = -1;

#ifdef O_TMPFILE
    /* It can never get a name, which is why sandbox.c allows it. */
    fd = open(folder, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
#endif
    if (fd >= 0)
        return fd;
    name = mem_new(n, 1);
    snprintf(name, n, "%s/topfn-XXXXXX", folder);
    fd = mkstemp(name);
    if (fd >= 0)
        unlink(name);
    free(name);
#ifdef MFD_CLOEXEC
    /* A sandbox allows no name, not even for a moment. */
    if (fd < 0 && errno == EPERM)
        fd = memfd_create("topfn", MFD_CLOEXEC);
#endif
    return fd;
}
