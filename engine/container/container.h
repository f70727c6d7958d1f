/*
 * container - what is inside the file that a person names.
 *
 *     struct container *c = container_open("a.diagsession", &err);
 *     for (size_t i = 0; i < c->count; i++)
 *         if (c->entries[i].kind == ENTRY_TRACE &&
 *             !container_load(c, i, &err))
 *             read_trace(&c->entries[i]);
 *     container_close(c);
 *
 * Opening lists the entries and decides what each is for; only loading one
 * costs time and memory. A plain file is one entry, loaded from the start. A
 * new kind of container is one file with a `const struct container_kind` and
 * a row in the table of container.c.
 *
 * Names of entries come from strangers: they are shown and compared, never
 * opened. Unpacked bytes go to memory or to a nameless file (spool.h).
 *
 * A file that shrinks while it is read would raise SIGBUS: the program turns
 * that into an I/O error message (cli/main.c).
 */
#ifndef TOPFN_CONTAINER_H
#define TOPFN_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine/base/arena.h"
#include "engine/base/err.h"

enum entry_kind {
    ENTRY_OTHER,   /* listed, not used but as a part of another */
    ENTRY_TRACE,   /* to be read */
    ENTRY_SYMBOLS, /* names of code: PDBs, symbols.bin */
};

/* The members up to `claimed` live as long as the container. */
struct entry {
    const char *name;  /* path of the file, or "container!inner/name" */
    const char *inner; /* name in the container with '/'; "" for a plain file */
    enum entry_kind kind;
    const char *note; /* why it is of this kind or cannot be used; or NULL */
    uint64_t claimed; /* size once unpacked, as the container says */
    /* Once loaded: */
    const uint8_t *data;
    size_t size;
    bool of_file;       /* `data` is a mapping of the file as it lies there */
    bool mapped;        /* ... or of another that nobody writes to (pages.h) */
    uint64_t packed;    /* bytes of the file it was unpacked from; 0: plain */
    const char *damage; /* what cut it short; NULL for nothing */
    /* Other files of the same recording (folder.h), loaded with this one. */
    struct entry **parts;
    size_t part_count;
};

struct container_kind;

struct container {
    const struct container_kind *kind;
    const char *path;
    struct entry *entries;
    size_t count;
    const char *warning;      /* about the whole, a sentence; or NULL */
    uid_t owner;              /* of the file */
    struct arena arena;       /* names and notes */
    void *state;              /* the kind's own: handles */
    struct container **files; /* of a folder, beside its main one */
    size_t file_count;
};

struct container_kind {
    const char *name; /* "plain", "zip", "compound file" */
    /* Tells whether the mapped file is of this kind. */
    int (*probe)(const uint8_t *data, size_t size);
    /* Lists the entries; on failure leaves what `close` can free. `close`
     * and `load` may be NULL. */
    enum err_code (*open)(struct container *c, const uint8_t *data, size_t size,
                          struct err *err);
    enum err_code (*load)(struct container *c, struct entry *entry,
                          struct err *err);
    void (*close)(struct container *c);
};

extern const struct container_kind zip_container, ole_container, gzip_container,
    extracted_container;

/* "-" is standard input. A folder that perf wrote is one entry (folder.h); the
 * files of an unpacked .diagsession are entries (folder.c). Input through
 * a pipe is read to its end.
 * NULL on failure: not found, another directory, not readable, not mappable, or
 * a container that contradicts itself. */
struct container *container_open(const char *path, struct err *err);

/* The same for a file that nobody named and that lies where strangers may put
 * files: anything but a regular file is refused, and nothing is waited for. */
struct container *container_open_file(const char *path, struct err *err);
void container_close(struct container *c);

/* Makes data and size of an entry valid until container_close. The bytes that
 * can be unpacked of a damaged entry are kept, and `damage` says so; it is an
 * error only if there are none. Loading twice is once. */
enum err_code container_load(struct container *c, size_t index,
                             struct err *err);

/* Gives back the memory of what was read of a loaded entry, from the byte
 * `from` on, where it can be had again. */
void entry_forget(const struct entry *entry, size_t from, size_t n);

struct spool;

/* Ends the loading of an entry: gives it the bytes of a spool, or releases the
 * spool. `code`: of unpacking. */
enum err_code entry_take(struct entry *e, struct spool *spool,
                         enum err_code code, struct err *err);

/* The name with '\' turned to '/'. */
char *entry_name_normal(struct arena *arena, const char *name);

/* Fills in `inner` and `name` of a new entry. */
void entry_set_name(struct container *c, struct entry *e, const char *name);

/*
 * Decides what each entry is for, by name: traces by their endings, PDBs and
 * symbols.bin as symbols. The first of several traces with equal names is used,
 * because programs differ in which one they show.
 */
void entries_classify(struct container *c);

#endif
