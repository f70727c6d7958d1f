#include "engine/container/container.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/map.h"
#include "engine/base/mem.h"
#include "engine/base/pages.h"
#include "engine/base/path.h"
#include "engine/base/strings.h"
#include "engine/base/text.h"
#include "engine/container/folder.h"
#include "engine/container/spool.h"

/*
 * Reads a pipe to its end, so that it can be used like a file.
 */

enum { PIECE = 1 << 16, IN_MEMORY = 1 << 20 };

/* Tells whether this is a pipe or a socket. */
static bool is_pipe(int fd)
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
        return err_set(err, ERR_TRUNCATED, "%s: the pipe delivered no data",
                       name);
    return spool_map(spool, err);
}

/* Reads to the end. Release the spool in any case. */
static enum err_code pipe_read(int fd, const char *name, struct spool *spool,
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

/* The whole file as the one entry. */

static int plain_probe(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    return 1;
}

static enum err_code plain_open(struct container *c, const uint8_t *data,
                                size_t size, struct err *err)
{
    (void)err;
    c->entries = mem_new(1, sizeof(*c->entries));
    c->entries[0] = (struct entry){
        .name = c->path,
        .inner = "",
        .kind = ENTRY_TRACE,
        .claimed = size,
        .data = data,
        .size = size,
    };
    c->count = 1;
    return ERR_NONE;
}

static void plain_close(struct container *c)
{
    free(c->entries);
}

static const struct container_kind plain = {
    .name = "plain",
    .probe = plain_probe,
    .open = plain_open,
    .close = plain_close,
};

/* First match wins; `plain` matches everything and stays last. */
static const struct container_kind *const kinds[] = {
    &zip_container,
    &ole_container,
    &gzip_container,
    &plain,
};

/* The mapped file that every container begins with. */
struct mapped {
    struct container c;
    char *path;
    void *map;
    size_t size;
    struct spool spool; /* of a pipe: has the bytes instead of `map` */
    bool piped;
    bool named; /* by a person, who may name a pipe or a folder */
};

/* A copied file has small holes where it has zeros: those are contents. */
enum { LEAST_HOLE = 1 << 20 };

/* The size without a large hole at the end, which was reserved but never
 * written: reading it would make the system fill memory with zeros. */
static size_t written_size(int fd, off_t size)
{
    off_t data = 0, hole = 0;

    while (hole < size) {
        data = lseek(fd, hole, SEEK_DATA);
        if (data < 0)
            return errno == ENXIO && hole && size - hole >= LEAST_HOLE
                       ? (size_t)hole
                       : (size_t)size;
        hole = lseek(fd, data, SEEK_HOLE);
        if (hole <= data)
            return (size_t)size;
    }
    return (size_t)size;
}

/* "-" is standard input. Opening a pipe that nobody writes to does not
 * wait. */
static int open_path(const char *path)
{
    if (!strcmp(path, "-"))
        return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static int open_in(const char *folder, const char *name)
{
    char *path = path_join(folder, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    free(path);
    return fd;
}

/* Files of /proc say that they are empty. */
static bool has_no_size(int fd, const struct stat *st)
{
    char byte;

    return S_ISREG(st->st_mode) && !st->st_size && pread(fd, &byte, 1, 0) == 1;
}

static enum err_code map_file(struct mapped *m, int fd, struct err *err)
{
    struct stat st;
    size_t size;

    if (fstat(fd, &st))
        return err_set(err, ERR_IO, "%s: %s", m->path, strerror(errno));
    m->c.owner = st.st_uid;
    if (!m->named && !S_ISREG(st.st_mode))
        return err_set(err, ERR_UNSUPPORTED, "%s: not a regular file", m->path);
    if (S_ISDIR(st.st_mode)) {
        m->c.kind = &extracted_container;
        return ERR_NONE;
    }
    if (is_pipe(fd) || has_no_size(fd, &st)) {
        m->piped = true;
        if (pipe_read(fd, m->path, &m->spool, err))
            return err ? err->code : ERR_IO;
        m->size = m->spool.size;
        return ERR_NONE;
    }
    if (!S_ISREG(st.st_mode))
        return err_set(err, ERR_UNSUPPORTED, "%s: not a regular file", m->path);
    if (!st.st_size)
        return ERR_NONE;
    size = written_size(fd, st.st_size);
    m->map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (m->map == MAP_FAILED) {
        m->map = NULL;
        mem_check_errno();
        return err_set(err, ERR_IO, "%s: cannot map: %s", m->path,
                       strerror(errno));
    }
    m->size = size;
    return ERR_NONE;
}

/* Tells for each entry whether it lies in the file as it is. */
static void say_where_from(struct mapped *m)
{
    for (size_t i = 0; i < m->c.count; i++) {
        struct entry *e = &m->c.entries[i];

        if (m->c.kind == &plain)
            e->of_file = e->mapped = m->map != NULL;
        else if (!e->data)
            e->packed = m->size;
    }
}

static struct container *open_container(const char *path, bool named,
                                        struct err *err)
{
    struct mapped *m = mem_new(1, sizeof(*m));
    enum err_code code;
    bool folder;
    int fd;

    m->named = named;
    m->path = mem_new(strlen(path) + 1, 1);
    strcpy(m->path, path);
    m->c.path = m->path;
    folder = named && folder_is_recording(path);
    fd = folder ? open_in(path, "data") : open_path(path);
    if (fd < 0) {
        bool absent = errno == ENOENT || errno == ENOTDIR;

        code = err_set(err, absent ? ERR_NOT_FOUND : ERR_IO, "%s: %s", path,
                       strerror(errno));
    } else {
        code = map_file(m, fd, err);
        close(fd);
    }
    if (!code) {
        size_t i = 0, last = sizeof(kinds) / sizeof(kinds[0]) - 1;
        const uint8_t *data = m->piped ? m->spool.data : m->map;

        while (i < last && !kinds[i]->probe(data, m->size))
            i++;
        if (!m->c.kind)
            m->c.kind = kinds[i];
        code = m->c.kind->open(&m->c, data, m->size, err);
    }
    if (!code && folder)
        code = folder_open_files(&m->c, err);
    if (!code) {
        say_where_from(m);
        return &m->c;
    }
    container_close(&m->c);
    return NULL;
}

struct container *container_open(const char *path, struct err *err)
{
    return open_container(path, true, err);
}

struct container *container_open_file(const char *path, struct err *err)
{
    return open_container(path, false, err);
}

static enum err_code load(struct container *c, struct entry *e, struct err *err)
{
    return e->data || !c->kind->load ? ERR_NONE : c->kind->load(c, e, err);
}

enum err_code container_load(struct container *c, size_t index, struct err *err)
{
    struct entry *e = &c->entries[index];
    enum err_code code = load(c, e, err);

    for (size_t i = 0; i < e->part_count && !code && c->kind->load; i++)
        code = load(c, e->parts[i], err);
    return code;
}

enum err_code entry_take(struct entry *e, struct spool *spool,
                         enum err_code code, struct err *err)
{
    if (!code)
        code = spool_map(spool, err);
    if (!code && e->damage && !spool->size)
        code = err_set(err, ERR_CORRUPT, "%s: %s", e->name, e->damage);
    if (code) {
        spool_release(spool);
        return code;
    }
    e->data = spool->data;
    e->size = spool->size;
    e->mapped = spool->map != NULL;
    return ERR_NONE;
}

void entry_forget(const struct entry *e, size_t from, size_t n)
{
    if (e->mapped)
        pages_forget(e->data + from, n);
}

void container_close(struct container *c)
{
    struct mapped *m = (struct mapped *)c;

    if (!c)
        return;
    if (c->kind && c->kind->close)
        c->kind->close(c);
    folder_close_files(c);
    arena_release(&c->arena);
    if (m->piped)
        spool_release(&m->spool);
    if (m->map)
        munmap(m->map, m->size);
    free(m->path);
    free(m);
}

/*
 * Names of container entries, which come from strangers.
 *
 * They are compared without regard to ASCII case, with '/' for either
 * separator. Nothing here, and nothing else, opens a file by such a name.
 */

/* The endings of each format in input/formats.c: entries are unpacked only if
 * they are called so. */
static const char *const trace_endings[] = {
    ".nettrace",   ".netperf",      ".data",
    ".perf",       ".vsp",          ".speedscope.json",
    ".cpuprofile", ".profile.json", ".jslb",
    ".etl",        ".pb",           ".pprof",
    ".folded",     ".collapsed",    ".jfr",
    ".otlp",       ".otlp.json",    NULL,
};
static const char *const symbol_endings[] = {".pdb", ".dbg", ".debug", NULL};

char *entry_name_normal(struct arena *arena, const char *name)
{
    char *copy = arena_strndup(arena, name, strlen(name));

    for (char *c = copy; *c; c++)
        if (*c == '\\')
            *c = '/';
    return copy;
}

void entry_set_name(struct container *c, struct entry *e, const char *name)
{
    size_t n = strlen(c->path);
    char *full;

    e->inner = entry_name_normal(&c->arena, name);
    full = arena_new(&c->arena, char, n + strlen(e->inner) + 2);
    memcpy(full, c->path, n);
    full[n] = '!';
    strcpy(full + n + 1, e->inner);
    e->name = full;
}

static bool ends_in(const char *name, const char *const *endings)
{
    while (*endings && !text_ends(name, *endings))
        endings++;
    return *endings;
}

static enum entry_kind kind_by_name(const char *name)
{
    if (ends_in(name, trace_endings))
        return ENTRY_TRACE;
    return ends_in(name, symbol_endings) ||
                   ascii_same(path_base_name(name), "symbols.bin")
               ? ENTRY_SYMBOLS
               : ENTRY_OTHER;
}

void entries_classify(struct container *c)
{
    struct strings *names = strings_new();
    struct map seen = {0};

    for (uint32_t i = 0; i < c->count; i++) {
        struct entry *e = &c->entries[i];
        uint32_t id =
            strings_fold(names, strings_add(names, e->inner, strlen(e->inner)));

        e->kind = kind_by_name(e->inner);
        if (map_add(&seen, id, 0, i) == i)
            continue;
        e->kind = ENTRY_OTHER;
        e->note = "same name as an earlier entry";
    }
    map_release(&seen);
    strings_free(names);
    folder_join_entries(c);
}
