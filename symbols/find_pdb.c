#include "symbols/find_pdb.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "engine/base/mem.h"

void pdb_key(const uint8_t g[16], uint32_t age, char key[PDB_KEY_SIZE])
{
    snprintf(key, PDB_KEY_SIZE,
             "%08X%04X%04X%02X%02X%02X%02X%02X%02X%02X%02X%X", load_u32(g),
             load_u16(g + 4), load_u16(g + 6), g[8], g[9], g[10], g[11],
             g[12], g[13], g[14], g[15], age);
}

const char *find_cause_text(enum find_cause cause)
{
    switch (cause) {
    case FIND_OK:
        return "found";
    case FIND_NOT_NAMED:
        return "image names no debug file";
    case FIND_ABSENT:
        return "no debug file";
    case FIND_MISMATCH:
        return "identity mismatch";
    case FIND_BROKEN:
        return "broken debug file";
    }
    return "";
}

static char *duplicate(const void *text, size_t n)
{
    char *copy = mem_new(n + 1, 1);

    if (n)
        memcpy(copy, text, n);
    return copy;
}

/* The part after the last slash of either kind; NULL when it would not stay
 * in its folder. */
static char *last_part(struct bytes path)
{
    size_t at = path.len;
    char *name;

    while (at && path.data[at - 1] != '/' && path.data[at - 1] != '\\')
        at--;
    name = duplicate(path.data + at, path.len - at);
    if (!*name || !strcmp(name, ".") || !strcmp(name, "..")) {
        free(name);
        return NULL;
    }
    return name;
}

static bool is_file(const char *path)
{
    struct stat st;

    return !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool is_folder(const char *path)
{
    struct stat st;

    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static char *join(const char *folder, const char *name)
{
    size_t n = strlen(folder) + strlen(name) + 2;
    char *path = mem_new(n, 1);

    snprintf(path, n, "%s%s%s", folder,
             *folder && folder[strlen(folder) - 1] == '/' ? "" : "/", name);
    return path;
}

/* An entry of a folder, in its own case or, of those in another, the first
 * in the order of bytes. NULL: there is none. */
static char *find_entry(const char *folder, const char *name)
{
    char *path = join(folder, name), *best = NULL;
    struct dirent *entry;
    struct stat st;
    DIR *dir;

    if (!stat(path, &st))
        return path;
    free(path);
    dir = opendir(folder);
    while (dir && (entry = readdir(dir)) != NULL) {
        if (strcasecmp(entry->d_name, name) ||
            (best && strcmp(entry->d_name, best) >= 0))
            continue;
        free(best);
        best = duplicate(entry->d_name, strlen(entry->d_name));
    }
    if (dir)
        closedir(dir);
    path = best ? join(folder, best) : NULL;
    free(best);
    return path;
}

/* A later probe replaces what an earlier one found out only if it came
 * closer: broken and mismatching files are worth more than absent ones. */
static void note(struct found_pdb *found, enum find_cause cause,
                 const char *path)
{
    if (found->cause >= cause && found->path)
        return;
    found->cause = cause;
    free(found->path);
    found->path = duplicate(path, strlen(path));
}

static bool matches(const struct debug_file *file,
                    const struct pe_codeview *cv)
{
    /* A portable PDB's identity ends with the stamp of the entry. */
    uint32_t age = cv->is_portable ? cv->stamp : cv->age;

    return !memcmp(file->identity.guid, cv->guid, sizeof(cv->guid)) &&
           file->identity.age == age;
}

/* `path` is kept when the file is the one. */
static bool accept(struct found_pdb *found, struct container *container,
                   struct debug_file *file, char *path)
{
    free(found->path);
    found->path = path;
    found->cause = FIND_OK;
    found->container = container;
    found->file = file;
    return true;
}

static bool try_file(struct found_pdb *found, const struct pe_codeview *cv,
                     const char *candidate)
{
    struct debug_file *file = NULL;
    struct container *container;
    struct err err = {0};
    char *path;

    if (!candidate || !is_file(candidate))
        return false;
    path = duplicate(candidate, strlen(candidate));
    container = container_open(path, &err);
    if (container && container->count)
        file = debug_open(path, container->entries[0].data,
                          container->entries[0].size, &err);
    if (file && matches(file, cv))
        return accept(found, container, file, path);
    note(found, file ? FIND_MISMATCH : FIND_BROKEN, path);
    if (!file && found->cause == FIND_BROKEN)
        snprintf(found->reason, sizeof(found->reason), "%s", err.message);
    debug_close(file);
    if (container)
        container_close(container);
    free(path);
    return false;
}

static bool try_entry(struct found_pdb *found, const struct pe_codeview *cv,
                      const char *folder, const char *name)
{
    char *path = find_entry(folder, name);
    bool done = try_file(found, cv, path);

    free(path);
    return done;
}

/* NAME/KEY/NAME */
static bool try_store(struct found_pdb *found, const struct pe_codeview *cv,
                      const char *folder)
{
    char *names = find_entry(folder, found->name), *keys = NULL;
    char key[PDB_KEY_SIZE];
    bool done = false;

    pdb_key(cv->guid, cv->is_portable ? UINT32_MAX : cv->age, key);
    if (names && is_folder(names))
        keys = find_entry(names, key);
    if (keys)
        done = try_entry(found, cv, keys, found->name);
    free(names);
    free(keys);
    return done;
}

static bool try_path(struct found_pdb *found, const struct pe_codeview *cv,
                     const char *path)
{
    if (!is_folder(path))
        return try_file(found, cv, path);
    return try_entry(found, cv, path, found->name) ||
           try_store(found, cv, path);
}

/* "app.pdb" of "bin/app.exe": images and PDBs are renamed together. */
static char *image_pdb(const char *image)
{
    const char *slash = strrchr(image, '/');
    const char *name = slash ? slash + 1 : image;
    const char *dot = strrchr(name, '.');
    size_t n = dot ? (size_t)(dot - name) : strlen(name);
    char *pdb = mem_new(n + sizeof(".pdb"), 1);

    memcpy(pdb, name, n);
    memcpy(pdb + n, ".pdb", sizeof(".pdb"));
    return pdb;
}

static bool try_beside(struct found_pdb *found, const struct pe_codeview *cv,
                       const char *image)
{
    const char *slash = strrchr(image, '/');
    char *folder = slash ? duplicate(image, (size_t)(slash - image) + 1)
                         : duplicate(".", 1);
    char *other = image_pdb(image);
    bool done = try_entry(found, cv, folder, found->name) ||
                try_entry(found, cv, folder, other);

    free(folder);
    free(other);
    return done;
}

struct found_pdb find_pdb(const struct pe_codeview *cv, const char *image,
                          const char *const *paths, size_t count)
{
    struct found_pdb found = {.cause = FIND_NOT_NAMED};

    if (cv)
        found.name = last_part(cv->path);
    if (!found.name)
        return found;
    found.cause = FIND_ABSENT;
    if (try_beside(&found, cv, image))
        return found;
    for (size_t i = 0; i < count; i++)
        if (try_path(&found, cv, paths[i]))
            break;
    return found;
}

void found_pdb_release(struct found_pdb *found)
{
    debug_close(found->file);
    if (found->container)
        container_close(found->container);
    free(found->name);
    free(found->path);
    *found = (struct found_pdb){.cause = FIND_NOT_NAMED};
}
