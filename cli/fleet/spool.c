#include "cli/fleet/spool.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/mem.h"
#include "engine/base/newfile.h"
#include "engine/container/container.h"
#include "engine/fleet/rows.h"
#include "engine/store/store.h"

#define ENDING ".topfn"
#define SAID ".said"

enum { DIGITS = FLEET_HASH_SIZE - 1 };

/* FOLDER/HASH with an ending. */
static char *path_of(const char *folder, const char *hash, const char *ending,
                     struct arena *arena)
{
    size_t size = strlen(folder) + strlen(hash) + strlen(ending) + 2;
    char *path = arena_new(arena, char, size);

    snprintf(path, size, "%s/%s%s", folder, hash, ending);
    return path;
}

/* Values as those of a row (rows.h); no host is "". */
static void describe(const struct fleet_recording *r, struct out *out)
{
    row_text(out, r->host ? r->host : "");
    row_u64(out, (uint64_t)r->time);
    row_u64(out, r->slice_ns);
    row_count(out, r->label_count);
    for (size_t i = 0; i < r->label_count; i++) {
        row_text(out, r->labels[i].key);
        row_text(out, r->labels[i].value);
    }
}

static enum err_code write_file(const char *path,
                                const struct fleet_recording *r,
                                struct err *err)
{
    struct new_file file;
    struct out *out;
    FILE *stream;
    bool ok;

    if (new_file_create(&file, path, err))
        return err->code;
    stream = fopen(file.temp, "we");
    out = stream ? out_stream(stream) : NULL;
    if (out)
        describe(r, out);
    ok = out && out_close(out, err);
    if (stream && fclose(stream))
        ok = false;
    if (ok)
        return new_file_publish(&file, err);
    mem_check_errno();
    new_file_discard(&file);
    return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
}

enum err_code spool_keep(const char *folder, const struct profile *p,
                         const struct fleet_recording *r, struct err *err)
{
    struct arena arena = {0};
    enum err_code code;

    if (mkdir(folder, 0777) && errno != EEXIST)
        return err_set(err, ERR_IO, "%s: %s", folder, strerror(errno));
    code = write_file(path_of(folder, r->hash, SAID, &arena), r, err);
    if (!code)
        code = store_write(p, path_of(folder, r->hash, ENDING, &arena), err);
    arena_release(&arena);
    return code;
}

static bool is_ours(const char *name)
{
    return strspn(name, "0123456789abcdef") == DIGITS &&
           !strcmp(name + DIGITS, ENDING);
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

void spool_list(const char *folder, struct recordings *waiting)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL)
        if (is_ours(entry->d_name))
            *vec_add(&waiting->paths) =
                path_of(folder, entry->d_name, "", &waiting->arena);
    if (dir)
        closedir(dir);
    if (waiting->paths.len)
        qsort(waiting->paths.data, waiting->paths.len,
              sizeof(*waiting->paths.data), by_name);
}

/* "FOLDER/HASH.topfn" */
static char *beside(const char *database, struct arena *arena)
{
    size_t n = strlen(database) - strlen(ENDING);
    char *stem = arena_strndup(arena, database, n);
    size_t size = n + sizeof(SAID);
    char *path = arena_new(arena, char, size);

    snprintf(path, size, "%s" SAID, stem);
    return path;
}

static const char *get_text(struct spooled *s, struct reader *r)
{
    struct bytes text = row_get_bytes(r);

    return arena_strndup(&s->arena, (const char *)text.data, text.len);
}

static void take(struct spooled *s, struct reader *r)
{
    struct fleet_label *labels;
    const char *host = get_text(s, r);

    s->recording.host = *host ? host : NULL;
    s->recording.time = (int64_t)reader_u64(r);
    s->recording.slice_ns = reader_u64(r);
    s->recording.label_count = row_get_count(r, 2);
    labels = arena_new(&s->arena, struct fleet_label,
                       s->recording.label_count);
    for (size_t i = 0; i < s->recording.label_count; i++) {
        labels[i].key = get_text(s, r);
        labels[i].value = get_text(s, r);
    }
    s->recording.labels = labels;
    if (!s->recording.slice_ns)
        reader_fail(r, ERR_CORRUPT, "slice of no time");
}

enum err_code spool_read(const char *database, struct spooled *s,
                         struct err *err)
{
    const char *slash = strrchr(database, '/'), *path;
    struct container *c;
    struct reader r;

    *s = (struct spooled){.arena = {0}};
    s->recording.hash = arena_strndup(&s->arena, slash + 1, DIGITS);
    path = beside(database, &s->arena);
    c = container_open(path, err);
    if (!c)
        return err->code;
    r = reader_of(path, c->entries[0].data, c->entries[0].size, 0, err);
    take(s, &r);
    container_close(c);
    return r.failed ? ERR_CORRUPT : ERR_NONE;
}

void spooled_release(struct spooled *s)
{
    arena_release(&s->arena);
}

void spool_remove(const char *database)
{
    struct arena arena = {0};

    unlink(database);
    unlink(beside(database, &arena));
    arena_release(&arena);
}
