#include "symbols/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/path.h"
#include "engine/base/text.h"

/* Parts of a path that a trace names, in a folder that is searched. */
enum { MOST_PARTS = 64 };

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

/* "C:\...", "\\server\..." and what has no other slash. */
static bool is_windows(const char *path)
{
    return (path[0] && path[1] == ':') || (strchr(path, '\\') != NULL);
}

bool sources_map(struct sources *s, const char *text)
{
    const char *equals = strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : 0;

    if (!n || !equals[1])
        return false;
    while (n && is_slash(text[n - 1]))
        n--;
    *vec_add(&s->maps) = (struct source_map){text, n, equals + 1};
    return true;
}

static bool same_character(char a, char b, bool windows)
{
    if (!windows)
        return a == b;
    return (is_slash(a) && is_slash(b)) || ascii_fold(a) == ascii_fold(b);
}

static bool begins_with(const char *path, const struct source_map *map)
{
    bool windows = is_windows(path);

    for (size_t i = 0; i < map->from_length; i++)
        if (!path[i] || !same_character(path[i], map->from[i], windows))
            return false;
    return !path[map->from_length] || is_slash(path[map->from_length]);
}

static void unix_slashes(char *path)
{
    for (; *path; path++)
        if (*path == '\\')
            *path = '/';
}

char *sources_mapped(const struct sources *s, const char *path)
{
    const struct source_map *best = NULL;
    char *rest, *mapped;

    for (size_t i = 0; i < s->maps.len; i++) {
        const struct source_map *map = &s->maps.data[i];

        if (begins_with(path, map) &&
            (!best || map->from_length > best->from_length))
            best = map;
    }
    if (!best)
        return NULL;
    path += best->from_length;
    while (is_slash(*path))
        path++;
    rest = text_dup(path);
    if (is_windows(best->from) || strchr(rest, '\\'))
        unix_slashes(rest);
    mapped = *rest ? path_join(best->to, rest) : text_dup(best->to);
    free(rest);
    return mapped;
}

/* The parts of `path`, one after the other, below a folder; NULL: there is no
 * such file. Takes no part that leads out of it. */
static char *find_below(struct sources *s, const char *folder, const char *path)
{
    char *at = text_dup(folder), *next;

    while (at && *path) {
        size_t n = strcspn(path, "/");
        char *name = text_copy(path, n);

        s->steps++;
        next = strcmp(name, "..") ? folder_find(at, name) : NULL;
        free(name);
        free(at);
        at = next;
        path += n;
        path += strspn(path, "/");
    }
    if (at && !path_is_file(at)) {
        free(at);
        at = NULL;
    }
    return at;
}

static char *find_in_folders(struct sources *s, const char *tail)
{
    char *found = NULL;

    for (size_t i = 0; i < s->folders.len && !found; i++)
        found = find_below(s, s->folders.data[i], tail);
    return found;
}

/* Drops parts that name no folder of their own ("", "."). */
static void drop_empty_parts(char *path)
{
    char *to = path;

    while (*path) {
        size_t n = strcspn(path, "/");
        bool more = path[n] == '/';

        if (n && (n != 1 || *path != '.')) {
            memmove(to, path, n + more);
            to += n + more;
        }
        path += n + more;
    }
    *to = '\0';
}

/* The last `most` parts of a path without empty ones. */
static const char *last_parts(const char *path, size_t most)
{
    const char *at = path + strlen(path);

    while (at > path && (at[-1] != '/' || --most))
        at--;
    return at;
}

/* The longest tail of the path first. */
static char *find_tail(struct sources *s, const char *path)
{
    char *all = text_dup(path), *found = NULL;
    const char *tail;

    if (is_windows(path))
        unix_slashes(all);
    drop_empty_parts(all);
    tail = last_parts(all, MOST_PARTS);
    while (*tail && !found) {
        tail += strspn(tail, "/");
        if (*tail)
            found = find_in_folders(s, tail);
        tail += strcspn(tail, "/");
    }
    free(all);
    return found;
}

void sources_add(struct sources *s, const char *folder)
{
    *vec_add(&s->folders) = folder;
}

/* Takes `path`, which may be NULL, over. */
static struct textfile *open_at(struct sources *s, char *path)
{
    struct textfile *file = NULL;
    bool allowed = false;

    if (!path || !path_is_file(path)) {
        free(path);
        return NULL;
    }
    for (size_t i = 0; i < s->folders.len && !allowed; i++)
        allowed = path_is_below(path, s->folders.data[i]);
    for (size_t i = 0; i < s->maps.len && !allowed; i++)
        allowed = path_is_below(path, s->maps.data[i].to);
    if (allowed) {
        file = textfile_open(path, NULL);
    } else if (!s->refused) {
        s->refused = path;
        return NULL;
    }
    free(path);
    return file;
}

static struct textfile *look_for(struct sources *s, const char *path)
{
    struct textfile *file = open_at(s, sources_mapped(s, path));

    if (!file)
        file = open_at(s, text_dup(path));
    return file ? file : open_at(s, find_tail(s, path));
}

struct textfile *sources_find(struct sources *s, const char *path)
{
    uint32_t fresh = (uint32_t)s->files.len, id;

    if (!s->paths)
        s->paths = strings_new();
    id = map_add(&s->ids, strings_add(s->paths, path, strlen(path)), 0, fresh);
    if (id == fresh)
        *vec_add(&s->files) = look_for(s, path);
    return s->files.data[id];
}

void sources_release(struct sources *s)
{
    for (size_t i = 0; i < s->files.len; i++)
        textfile_close(s->files.data[i]);
    vec_release(&s->files);
    vec_release(&s->maps);
    vec_release(&s->folders);
    free(s->refused);
    map_release(&s->ids);
    strings_free(s->paths);
}
