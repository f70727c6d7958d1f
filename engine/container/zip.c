/*
 * Zip archives: .etl.zip, .nettrace.zip, .vspx, and the .diagsession of
 * Visual Studio 2022, which is one with a metadata.xml.
 *
 * libzip reads the archive from the mapped file. It is told nothing but
 * numbers of entries: names are only shown. Limits:
 *
 *   - deflate makes at most 1032 bytes out of one, so a claim beyond that is
 *     a lie; other methods have no such bound and are refused;
 *   - an entry, and all entries together, come to no more than packed bytes
 *     may (base/unpacking.h);
 *   - entries that share their bytes add up to more than the archive:
 *     refused.
 *
 * Stored entries are used where they are in the mapped file.
 */
#include <string.h>
#include <zip.h>
#include <zlib.h>

#include "engine/base/text.h"
#include "engine/base/mem.h"
#include "engine/base/unpacking.h"
#include "engine/container/container.h"
#include "engine/container/package.h"
#include "engine/container/spool.h"

enum {
    DEFLATE_MOST = 1032, /* bytes out of one */
    DEFLATE_SLACK = 1024,
    ENCRYPTED = 1, /* general purpose bit flag 0 */
    PIECE = 256 * 1024,
};

/* One entry as the central directory describes it. */
struct item {
    uint64_t packed;
    uint16_t method;
    bool encrypted;
    struct spool spool;
};

/* The mapped archive, as libzip reads it. */
struct zip_bytes {
    const uint8_t *data;
    uint64_t size;
    uint64_t at;        /* where the next read begins */
    uint64_t last_read; /* where the latest one began */
    zip_error_t error;
};

struct archive {
    zip_t *zip;
    struct zip_bytes source;
    struct item *items;   /* by entry */
    uint64_t packed_used; /* of all entries loaded */
    struct unpack_budget budget;
    uint8_t *piece;
};

static int zip_probe(const uint8_t *data, size_t size)
{
    static const uint8_t local[4] = {'P', 'K', 3, 4};
    static const uint8_t end[4] = {'P', 'K', 5, 6};

    return size >= 4 && (!memcmp(data, local, 4) || !memcmp(data, end, 4));
}

/* Memory that runs out is no fault of the archive. */
static void check_memory(const zip_error_t *error)
{
    int code = zip_error_code_zip(error);

    if (code == ZIP_ER_MEMORY ||
        (code == ZIP_ER_ZLIB && zip_error_code_system(error) == Z_MEM_ERROR))
        mem_exhausted(0);
}

static zip_int64_t read_source(struct zip_bytes *s, void *to, uint64_t n)
{
    if (n > s->size - s->at)
        n = s->size - s->at;
    memcpy(to, s->data + s->at, (size_t)n);
    s->last_read = s->at;
    s->at += n;
    return (zip_int64_t)n;
}

static zip_int64_t seek_source(struct zip_bytes *s, void *to, uint64_t n)
{
    zip_int64_t at =
        zip_source_seek_compute_offset(s->at, s->size, to, n, &s->error);

    if (at < 0)
        return -1;
    s->at = (uint64_t)at;
    return 0;
}

static zip_int64_t stat_source(const struct zip_bytes *s, void *to, uint64_t n)
{
    zip_stat_t st;

    zip_stat_init(&st);
    st.size = s->size;
    st.valid = ZIP_STAT_SIZE;
    if (n < sizeof(st))
        return -1;
    memcpy(to, &st, sizeof(st));
    return (zip_int64_t)sizeof(st);
}

/*
 * libzip calls it for the bytes of the archive (zip_source_function(3)).
 * The library's own source for bytes in memory would do, but libzip does not
 * tell where a stored entry lies. This one notes where libzip reads, so that
 * a stored trace of gigabytes is used in place and not copied.
 */
static zip_int64_t serve_source(void *state, void *data, zip_uint64_t n,
                                zip_source_cmd_t command)
{
    struct zip_bytes *s = state;

    switch (command) {
    case ZIP_SOURCE_OPEN:
        s->at = 0;
        return 0;
    case ZIP_SOURCE_READ:
        return read_source(s, data, n);
    case ZIP_SOURCE_SEEK:
        return seek_source(s, data, n);
    case ZIP_SOURCE_TELL:
        return (zip_int64_t)s->at;
    case ZIP_SOURCE_STAT:
        return stat_source(s, data, n);
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&s->error, data, n);
    case ZIP_SOURCE_CLOSE:
        return 0;
    case ZIP_SOURCE_FREE:
        zip_error_fini(&s->error);
        return 0;
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(
            ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_CLOSE,
            ZIP_SOURCE_FREE, ZIP_SOURCE_SUPPORTS, -1);
    default:
        zip_error_set(&s->error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

static enum err_code open_archive(struct container *c, struct archive *a,
                                  struct err *err)
{
    zip_error_t error;
    zip_source_t *source;

    zip_error_init(&error);
    zip_error_init(&a->source.error);
    source = zip_source_function_create(serve_source, &a->source, &error);
    if (!source)
        mem_exhausted(sizeof(a->source));
    /* For want of memory the library may call an archive inconsistent, too. */
    for (int i = 0; i < 2 && !a->zip; i++)
        a->zip =
            zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
    if (!a->zip) {
        check_memory(&error);
        a->zip = zip_open_from_source(source, ZIP_RDONLY, &error);
        c->warning = "the archive's two directories disagree";
    }
    if (!a->zip) {
        check_memory(&error);
        err_set(err, ERR_CORRUPT, "%s: truncated or damaged zip archive: %s",
                c->path, zip_error_strerror(&error));
        zip_source_free(source);
    }
    zip_error_fini(&error);
    return a->zip ? ERR_NONE : ERR_CORRUPT;
}

static void list_entry(struct container *c, struct archive *a, size_t i)
{
    struct entry *e = &c->entries[i];
    struct item *item = &a->items[i];
    zip_stat_t st;

    spool_init(&item->spool, 0);
    if (zip_stat_index(a->zip, i, 0, &st)) {
        entry_set_name(c, e, "");
        item->method = UINT16_MAX;
        return;
    }
    entry_set_name(c, e, st.valid & ZIP_STAT_NAME ? st.name : "");
    if (st.valid & ZIP_STAT_SIZE)
        e->claimed = st.size;
    if (st.valid & ZIP_STAT_COMP_SIZE)
        item->packed = st.comp_size;
    item->method =
        st.valid & ZIP_STAT_COMP_METHOD ? st.comp_method : UINT16_MAX;
    item->encrypted = st.valid & ZIP_STAT_ENCRYPTION_METHOD &&
                      st.encryption_method != ZIP_EM_NONE;
}

static enum err_code check_entry(const struct archive *a, const struct entry *e,
                                 const struct item *item, struct err *err)
{
    uint64_t most;

    if (item->encrypted)
        return err_set(err, ERR_UNSUPPORTED, "%s: is encrypted", e->name);
    if (item->method != ZIP_CM_STORE && item->method != ZIP_CM_DEFLATE)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: unknown compression method %u; topfn reads stored "
                       "and deflated entries",
                       e->name, item->method);
    most = item->packed;
    if (item->method == ZIP_CM_DEFLATE)
        most = item->packed > UINT64_MAX / DEFLATE_MOST - DEFLATE_SLACK
                   ? UINT64_MAX
                   : item->packed * DEFLATE_MOST + DEFLATE_SLACK;
    if (item->packed > a->source.size - a->packed_used)
        return err_set(err, ERR_CORRUPT, "%s: entries of the archive overlap",
                       e->name);
    if (e->claimed > most)
        return err_set(err, ERR_CORRUPT,
                       "%s: claims to unpack to %llu bytes, more than its %llu "
                       "packed bytes can hold",
                       e->name, (unsigned long long)e->claimed,
                       (unsigned long long)item->packed);
    if (e->claimed > unpack_most(item->packed))
        return err_set(err, ERR_LIMIT,
                       "%s: unpacks to more than %u times its "
                       "size",
                       e->name, UNPACK_RATIO);
    return ERR_NONE;
}

/* Unpacks until the end or the first fault, which is noted in the entry. */
static enum err_code unpack(struct archive *a, struct entry *e,
                            struct item *item, zip_file_t *file,
                            struct err *err)
{
    enum err_code code = ERR_NONE;
    zip_int64_t n;

    spool_init(&item->spool, e->claimed);
    while (!code && (n = zip_fread(file, a->piece, PIECE)) != 0) {
        if (n < 0) {
            check_memory(zip_file_get_error(file));
            e->damage = "the archive's entry is damaged";
            break;
        }
        if ((uint64_t)n > e->claimed - item->spool.size) {
            e->damage = "the archive's entry is larger than stated";
            break;
        }
        code = spool_write(&item->spool, a->piece, (size_t)n, err);
    }
    if (!code && !e->damage && item->spool.size < e->claimed)
        e->damage = "the archive's entry is smaller than stated";
    return code;
}

static enum err_code load_packed(struct archive *a, struct entry *e,
                                 struct item *item, size_t i, struct err *err)
{
    zip_file_t *file = zip_fopen_index(a->zip, i, 0);
    enum err_code code;

    if (!file)
        check_memory(zip_get_error(a->zip));
    if (!file)
        return err_set(err, ERR_CORRUPT, "%s: %s", e->name,
                       zip_error_strerror(zip_get_error(a->zip)));
    if (!a->piece)
        a->piece = mem_new(PIECE, 1);
    code = unpack(a, e, item, file, err);
    zip_fclose(file);
    return entry_take(e, &item->spool, code, err);
}

/* Where libzip reads the first byte of a stored entry; NULL if it does not:
 * load_packed knows why. */
static const uint8_t *place_of(struct archive *a, size_t i, uint64_t n)
{
    zip_file_t *file = zip_fopen_index(a->zip, i, ZIP_FL_COMPRESSED);
    const uint8_t *at = NULL;
    uint8_t first;

    if (!file)
        return NULL;
    if (zip_fread(file, &first, 1) == 1 &&
        n <= a->source.size - a->source.last_read)
        at = a->source.data + a->source.last_read;
    zip_fclose(file);
    return at;
}

static enum err_code zip_load(struct container *c, struct entry *e,
                              struct err *err)
{
    struct archive *a = c->state;
    size_t i = (size_t)(e - c->entries);
    struct item *item = &a->items[i];
    enum err_code code = check_entry(a, e, item, err);

    if (code)
        return code;
    a->packed_used += item->packed;
    if (item->method == ZIP_CM_STORE && item->packed == e->claimed)
        e->data = place_of(a, i, item->packed);
    if (e->data) {
        e->size = (size_t)item->packed;
        return ERR_NONE;
    }
    if (!unpack_take_part(&a->budget, item->packed, e->claimed))
        return err_set(err, ERR_LIMIT,
                       "%s: the archive unpacks to more than "
                       "%u times its size",
                       e->name, UNPACK_RATIO);
    return load_packed(a, e, item, i, err);
}

/* A .diagsession says itself what its entries are. */
static void read_metadata(struct container *c)
{
    struct package package;
    size_t i = 0;

    while (i < c->count && !ascii_same(c->entries[i].inner, "metadata.xml"))
        i++;
    if (i == c->count || c->entries[i].claimed > LARGEST_METADATA)
        return;
    if (container_load(c, i, NULL)) {
        c->warning = "metadata.xml cannot be unpacked";
        return;
    }
    if (!package_read(&package, c->entries[i].data, c->entries[i].size,
                      &c->arena))
        c->warning = "metadata.xml is not that of a diagnostics session";
    package_classify(&package, c);
    package_release(&package);
}

static enum err_code zip_list(struct container *c, const uint8_t *data,
                              size_t size, struct err *err)
{
    struct archive *a = mem_new(1, sizeof(*a));
    zip_int64_t count;

    c->state = a;
    a->source = (struct zip_bytes){.data = data, .size = size};
    if (open_archive(c, a, err))
        return ERR_CORRUPT;
    count = zip_get_num_entries(a->zip, 0);
    c->count = count > 0 ? (size_t)count : 0;
    c->entries = mem_new(c->count, sizeof(*c->entries));
    a->items = mem_new(c->count, sizeof(*a->items));
    for (size_t i = 0; i < c->count; i++)
        list_entry(c, a, i);
    entries_classify(c);
    read_metadata(c);
    return ERR_NONE;
}

static void zip_release(struct container *c)
{
    struct archive *a = c->state;

    for (size_t i = 0; i < c->count; i++)
        spool_release(&a->items[i].spool);
    if (a->zip)
        zip_discard(a->zip);
    free(a->items);
    free(a->piece);
    free(a);
    free(c->entries);
}

const struct container_kind zip_container = {
    .name = "zip",
    .probe = zip_probe,
    .open = zip_list,
    .load = zip_load,
    .close = zip_release,
};
