#include "engine/container/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/mem.h"

enum { PIECE = 1 << 16, IN_MEMORY = 1 << 20 };

bool is_pipe(int fd)
{
    struct stat st;

    return !fstat(fd, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

static enum err_code copy(int fd, const char *name, char *buffer,
                          struct spool *spool, struct err *err)
{
    ssize_t n;

    while ((n = read(fd, buffer, PIECE)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, ERR_IO, "%s: %s", name, strerror(errno));
        if (spool_write(spool, buffer, (size_t)n, err))
            return err ? err->code : ERR_IO;
    }
    if (!spool->size)
        return err_set(err, ERR_TRUNCATED,
                       "%s: nothing came through the pipe", name);
    return spool_map(spool, err);
}

enum err_code pipe_read(int fd, const char *name, struct spool *spool,
                        struct err *err)
{
    char *buffer = mem_new(PIECE, 1);
    int flags = fcntl(fd, F_GETFL);
    enum err_code code;

    /* It was opened so as not to wait for a writer; now there may be one. */
    if (flags >= 0)
        fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    spool_init(spool, IN_MEMORY);
    code = copy(fd, name, buffer, spool, err);
    free(buffer);
    return code;
}
