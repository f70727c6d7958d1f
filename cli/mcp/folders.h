/*
 * folders - the folders that a server of the Model Context Protocol may read.
 *
 *     struct folders folders = {0};
 *     if (folders_add(&folders, "traces", &err) &&
 *         folders_find(&folders, "run 1.etl", path, &err))
 *         read(path);
 *     folders_release(&folders);
 *
 * A client names files, and its words may come from a hostile recording. A
 * file counts by the place that its name leads to, with all symbolic links
 * followed.
 */
#ifndef TOPFN_CLI_MCP_FOLDERS_H
#define TOPFN_CLI_MCP_FOLDERS_H

#include <limits.h>
#include <stdbool.h>

#include "engine/base/err.h"
#include "engine/base/out.h"
#include "engine/base/vec.h"

struct folders {
    VEC(char *) paths; /* absolute, without symbolic links */
};

/* False: it is no folder. */
bool folders_add(struct folders *folders, const char *folder, struct err *err);
void folders_release(struct folders *folders);

/* The absolute path of a regular file below one of the folders. A relative
 * name begins in any of them. False, with the same message for a file that is
 * elsewhere and for one that is not there. */
bool folders_find(const struct folders *folders, const char *name,
                  char path[PATH_MAX], struct err *err);

/* Writes as JSON which recordings there are, in order of their paths: at most
 * `most`, and how many there are in all. */
void folders_list(const struct folders *folders, size_t most, struct out *out);

#endif
