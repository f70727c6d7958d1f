/*
 * sources - source files by the paths that debug files name them by.
 *
 *     struct sources sources = {0};
 *     sources_add(&sources, "/home/me/app");
 *     sources_map(&sources, "C:\\build=src");
 *     struct textfile *text = sources_find(&sources, "C:\\build\\app.c");
 *     sources_release(&sources);
 *
 * A trace may name any file there is. So only regular files are opened that
 * lie where a map puts them or below a folder that was added, by no link out
 * of it. Looked for where a map puts it; at the path itself; then in the
 * folders, by its last parts, as many of them as lead to a file there: of
 * /srv/a/b.c first DIR/srv/a/b.c, then DIR/a/b.c, then DIR/b.c; of a long path
 * the last 64 parts are tried. Nothing tells whether a file is of the same
 * version.
 */
#ifndef TOPFN_SOURCES_H
#define TOPFN_SOURCES_H

#include "engine/base/map.h"
#include "engine/base/strings.h"
#include "engine/base/textfile.h"
#include "engine/base/vec.h"

struct source_map {
    const char *from; /* `from_length` characters, no slash at the end */
    size_t from_length;
    const char *to;
};

struct sources {
    VEC(const char *) folders;
    VEC(struct source_map) maps;
    char *refused; /* the first that is there and was not opened; or NULL */
    /* Files looked for before; NULL for a file that was not found. */
    struct strings *paths;
    struct map ids;
    VEC(struct textfile *) files;
    uint64_t steps; /* parts of paths looked for in folders, for tests */
};

/* "FROM=TO": paths that begin with FROM begin with TO here. The longest FROM
 * counts. In paths of Windows either slash will do, and case does not
 * matter. False when it is none. The text must outlive the sources. */
bool sources_map(struct sources *sources, const char *text);

/* Files below this folder may be opened, and are looked for there. The text
 * must outlive the sources. */
void sources_add(struct sources *sources, const char *folder);

/* NULL: not found, not allowed, or not a text. Lives until sources_release. */
struct textfile *sources_find(struct sources *sources, const char *path);

/* Where the maps put a path, to be freed; NULL: none does. */
char *sources_mapped(const struct sources *sources, const char *path);
void sources_release(struct sources *sources);

#endif
