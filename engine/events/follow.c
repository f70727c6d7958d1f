/*
 * A trace that is still being written, through a pipe. Bytes that have come
 * stay where they are in memory, as events point into them: room for all that
 * may come is set aside at first and costs nothing until it is filled.
 */
#include "engine/events/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/base/mem.h"

struct follow {
    int file;
    uint8_t *bytes;
    size_t size;
    bool ended;
    void (*idle)(void *context);
    void *context;
};

enum { PIECE = 1 << 16 };

static const size_t most = (size_t)64 << 30;

struct follow *follow_open(const char *path, void (*idle)(void *context),
                           void *context, struct err *err)
{
    int file = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : 0;
    struct follow *f;
    void *map;

    if (file < 0) {
        err_set(err, ERR_NOT_FOUND, "%s: %s", path, strerror(errno));
        return NULL;
    }
    map = mmap(NULL, most, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) {
        err_set(err, ERR_LIMIT, "%s: not enough address space to follow it: %s",
                path, strerror(errno));
        if (file)
            close(file);
        return NULL;
    }
    f = mem_new(1, sizeof(*f));
    *f = (struct follow){file, map, 0, false, idle, context};
    return f;
}

void follow_close(struct follow *f)
{
    if (!f)
        return;
    munmap(f->bytes, most);
    if (f->file)
        close(f->file);
    free(f);
}

const uint8_t *follow_bytes(const struct follow *f)
{
    return f->bytes;
}

size_t follow_size(const struct follow *f)
{
    return f->size;
}

bool follow_wait(struct follow *f, size_t size)
{
    while (f->size < size && !f->ended) {
        ssize_t n;

        if (f->idle)
            f->idle(f->context);
        n = f->size + PIECE > most ? 0
                                   : read(f->file, f->bytes + f->size, PIECE);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            f->ended = true;
        else
            f->size += (size_t)n;
    }
    return f->size >= size;
}
