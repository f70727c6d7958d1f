#include "engine/container/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/base/mem.h"
#include "engine/base/newfile.h"

enum { LARGEST_IN_MEMORY = 8 << 20 };

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder && *folder ? folder : "/tmp";
}

static enum err_code open_file(struct spool *s, struct err *err)
{
    const char *folder = temporary_folder();

    s->file = nameless_file(folder);
    if (s->file < 0)
        return err_set(err, ERR_IO, "%s: cannot make a temporary file: %s",
                       folder, strerror(errno));
    return ERR_NONE;
}

void spool_init(struct spool *s, uint64_t claimed)
{
    *s = (struct spool){.file = -1};
    if (claimed <= LARGEST_IN_MEMORY)
        s->room = (size_t)claimed;
}

static enum err_code write_all(int file, const uint8_t *bytes, size_t n,
                               struct err *err)
{
    while (n) {
        ssize_t done = write(file, bytes, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return err_set(err, ERR_IO, "%s: cannot write to a temporary "
                           "file: %s", temporary_folder(), strerror(errno));
        bytes += done;
        n -= (size_t)done;
    }
    return ERR_NONE;
}

/* Moves the bytes to a file when there are more than was claimed. */
static enum err_code leave_memory(struct spool *s, struct err *err)
{
    enum err_code code = open_file(s, err);

    if (!code && s->memory)
        code = write_all(s->file, s->memory, s->size, err);
    free(s->memory);
    s->memory = NULL;
    return code;
}

enum err_code spool_write(struct spool *s, const void *bytes, size_t n,
                          struct err *err)
{
    enum err_code code = ERR_NONE;

    if (s->file < 0 && n <= s->room - s->size) {
        if (!s->memory)
            s->memory = mem_new(s->room, 1);
        memcpy(s->memory + s->size, bytes, n);
        s->size += n;
        return ERR_NONE;
    }
    if (s->file < 0)
        code = leave_memory(s, err);
    if (!code)
        code = write_all(s->file, bytes, n, err);
    if (!code)
        s->size += n;
    return code;
}

enum err_code spool_map(struct spool *s, struct err *err)
{
    void *map;

    s->data = s->memory;
    if (s->file < 0 || !s->size)
        return ERR_NONE;
    map = mmap(NULL, s->size, PROT_READ, MAP_PRIVATE, s->file, 0);
    if (map == MAP_FAILED) {
        mem_check_errno();
        return err_set(err, ERR_IO, "cannot map a temporary file: %s",
                       strerror(errno));
    }
    close(s->file);
    s->file = -1;
    s->map = map;
    s->data = map;
    return ERR_NONE;
}

void spool_release(struct spool *s)
{
    if (s->map)
        munmap(s->map, s->size);
    free(s->memory);
    if (s->file >= 0)
        close(s->file);
    *s = (struct spool){.file = -1};
}
