#include "symbols/find/online/keep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/mem.h"
#include "symbols/find/folder.h"

void keep_start(struct keep *keep, const char *path)
{
    *keep = (struct keep){.path = path};
}

static bool fail(struct keep *keep)
{
    mem_check_errno();
    err_set(&keep->err, ERR_IO, "%s: cannot write: %s", keep->path,
            strerror(errno));
    return false;
}

/* All folders above a file. */
static bool make_folders(const char *file)
{
    char *path = text_copy(file, strlen(file));
    char *slash = path;
    bool made = true;

    while (made && (slash = strchr(slash + 1, '/')) != NULL) {
        *slash = '\0';
        made = !mkdir(path, 0777) || errno == EEXIST;
        *slash = '/';
    }
    free(path);
    return made;
}

static bool begin(struct keep *keep)
{
    if (!make_folders(keep->path))
        return fail(keep);
    if (new_file_create(&keep->file, keep->path, &keep->err))
        return false;
    keep->stream = fopen(keep->file.temp, "wb");
    return keep->stream || fail(keep);
}

bool keep_bytes(struct keep *keep, const void *data, size_t n)
{
    if (!keep->stream && !begin(keep))
        return false;
    return fwrite(data, 1, n, keep->stream) == n || fail(keep);
}

bool keep_ends(struct keep *keep)
{
    FILE *stream = keep->stream;

    keep->stream = NULL;
    if (stream)
        return !fclose(stream) || fail(keep);
    err_set(&keep->err, ERR_TRUNCATED, "%s: nothing came", keep->path);
    return false;
}

bool keep_publish(struct keep *keep)
{
    return !new_file_publish(&keep->file, &keep->err);
}

void keep_drop(struct keep *keep)
{
    if (keep->stream)
        fclose(keep->stream);
    keep->stream = NULL;
    if (keep->file.temp)
        new_file_discard(&keep->file);
}
