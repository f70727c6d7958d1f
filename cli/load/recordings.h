/*
 * recordings - files on a command line, and folders of them.
 *
 *     struct recordings r = {0};
 *     if (recordings_add(&r, "main-branch/"))
 *         use(r.paths.data, r.paths.len);
 *     recordings_release(&r);
 *
 * A folder stands for the recordings in it, in order of their names; what
 * else lies there is passed over, and so are folders in it.
 */
#ifndef TOPFN_CLI_RECORDINGS_H
#define TOPFN_CLI_RECORDINGS_H

#include "engine/base/arena.h"
#include "engine/base/vec.h"

struct recordings {
    VEC(const char *) paths;
    struct arena arena;
};

/* A path that is no folder is added as it is, whatever it leads to. False,
 * with a message, where a folder has no recording or cannot be read. */
bool recordings_add(struct recordings *recordings, const char *path);
void recordings_release(struct recordings *recordings);

#endif
