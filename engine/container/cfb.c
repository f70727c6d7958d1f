/* Headers, chains of sectors and the directory (format.md, section 3). */
#include "engine/container/cfb.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER_SIZE = 512,
    HEADER_FAT = 109,
    ENTRY_SIZE = 128,
    MINI_SHIFT = 6,
    CUTOFF = 4096,
    TYPE_STORAGE = 1,
    TYPE_STREAM = 2,
    TYPE_ROOT = 5,
    DEEPEST = 16,
    MOST_STREAMS = 65536, /* real packages have a few */
};

/* As what else ends a chain, beyond what a file can have. */
#define NO_ENTRY 0xFFFFFFFFu

bool cfb_probe(const uint8_t *data, size_t size)
{
    static const uint8_t magic[8] = {0xD0, 0xCF, 0x11, 0xE0,
                                     0xA1, 0xB1, 0x1A, 0xE1};

    return size >= sizeof(magic) && !memcmp(data, magic, sizeof(magic));
}

static bool take_bit(uint8_t *bits, size_t i)
{
    bool was = bits[i / 8] >> (i % 8) & 1;

    bits[i / 8] |= (uint8_t)(1u << (i % 8));
    return !was;
}

/* The bytes of a sector that the file has, fewer than a whole one at the end
 * of a cut file. */
static struct bytes sector_bytes(const struct cfb *c, uint32_t sector)
{
    size_t at = ((size_t)sector + 1) << c->shift;
    size_t left = c->file.len - at, size = (size_t)1 << c->shift;

    return (struct bytes){c->file.base + at, left < size ? left : size};
}

/* Entry `i` of a table of 32-bit numbers; NO_ENTRY when it is not there. */
static uint32_t table_entry(const struct cfb *c, const struct cfb_chain *table,
                            size_t i)
{
    size_t per_sector = ((size_t)1 << c->shift) / 4;
    struct bytes b;

    if (i / per_sector >= table->count)
        return NO_ENTRY;
    b = sector_bytes(c, table->sectors[i / per_sector]);
    i = i % per_sector * 4;
    return i + 4 <= b.len ? load_u32(b.data + i) : NO_ENTRY;
}

/* Follows a chain through `table`, over at most `most` sectors that nobody
 * used before. */
static struct cfb_chain follow(struct cfb *c, const struct cfb_chain *table,
                               uint8_t *used, size_t sectors, uint32_t first,
                               uint64_t most)
{
    VEC(uint32_t) list = {0};
    struct cfb_chain chain;

    for (uint32_t s = first;
         s < sectors && list.len < most && take_bit(used, s);
         s = table_entry(c, table, s))
        *vec_add(&list) = s;
    chain.count = list.len;
    chain.sectors = arena_new(&c->arena, uint32_t, list.len);
    if (list.len)
        memcpy(chain.sectors, list.data, list.len * sizeof(*list.data));
    vec_release(&list);
    return chain;
}

/* The FAT's own sectors: in the header and in the DIFAT. */
static void find_fat(struct cfb *c, uint32_t count, uint32_t difat)
{
    const uint8_t *header = c->file.base;
    size_t per_sector = ((size_t)1 << c->shift) / 4 - 1;
    VEC(uint32_t) list = {0};

    for (size_t i = 0; i < HEADER_FAT && list.len < count; i++)
        *vec_add(&list) = load_u32(header + 76 + 4 * i);
    while (list.len < count && difat < c->sectors && take_bit(c->used, difat)) {
        struct bytes b = sector_bytes(c, difat);

        if (b.len < (size_t)1 << c->shift)
            break;
        for (size_t i = 0; i < per_sector && list.len < count; i++)
            *vec_add(&list) = load_u32(b.data + 4 * i);
        difat = load_u32(b.data + 4 * per_sector);
    }
    c->fat.sectors = arena_new(&c->arena, uint32_t, list.len);
    for (size_t i = 0; i < list.len; i++)
        if (list.data[i] < c->sectors && take_bit(c->used, list.data[i]))
            c->fat.sectors[c->fat.count++] = list.data[i];
    vec_release(&list);
}

/* ---- directory ---- */

struct directory {
    struct cfb_chain chain;
    size_t count;
    uint32_t *parent; /* by entry; 0 is the root */
    uint8_t *seen;
    VEC(uint32_t) pending;
};

static const uint8_t *directory_entry(const struct cfb *c,
                                      const struct directory *d, size_t i)
{
    size_t per_sector = ((size_t)1 << c->shift) / ENTRY_SIZE;
    struct bytes b = sector_bytes(c, d->chain.sectors[i / per_sector]);

    return b.data + i % per_sector * ENTRY_SIZE;
}

/* Gives the children of one storage their parent. */
static void adopt(const struct cfb *c, struct directory *d, uint32_t storage)
{
    *vec_add(&d->pending) = load_u32(directory_entry(c, d, storage) + 76);
    while (d->pending.len) {
        uint32_t i = d->pending.data[--d->pending.len];
        const uint8_t *e;

        if (i >= d->count || !take_bit(d->seen, i))
            continue;
        d->parent[i] = storage;
        e = directory_entry(c, d, i);
        *vec_add(&d->pending) = load_u32(e + 68);
        *vec_add(&d->pending) = load_u32(e + 72);
    }
}

static const char *entry_name(struct cfb *c, const uint8_t *e)
{
    size_t n = load_u16(e + 64);

    n = n > 64 ? 32 : n / 2;
    return strings_get(c->names, strings_add_utf16(c->names, e, n));
}

/* "folder/name"; a path that is too deep loses its front. */
static const char *entry_path(struct cfb *c, const struct directory *d,
                              uint32_t i)
{
    const char *path = entry_name(c, directory_entry(c, d, i));

    for (unsigned depth = 0; d->parent[i] && depth < DEEPEST; depth++) {
        const char *folder;

        i = d->parent[i];
        folder = entry_name(c, directory_entry(c, d, i));
        path = strings_get(c->names,
                           strings_addf(c->names, "%s/%s", folder, path));
    }
    return path;
}

static void add_stream(struct cfb *c, const struct directory *d, uint32_t i)
{
    const uint8_t *e = directory_entry(c, d, i);
    struct cfb_stream *s = &c->streams[c->count++];
    uint32_t first = load_u32(e + 116);
    unsigned shift;
    uint64_t room; /* in sectors */

    s->path = entry_path(c, d, i);
    s->size = c->shift == 9 ? load_u32(e + 120) : load_u64(e + 120);
    s->mini = s->size < CUTOFF;
    shift = s->mini ? MINI_SHIFT : c->shift;
    room = (s->size >> shift) + 1;
    s->chain = s->mini
                   ? follow(c, &c->mini_fat, c->mini_used,
                            (size_t)(c->mini_size >> MINI_SHIFT), first, room)
                   : follow(c, &c->fat, c->used, c->sectors, first, room);
    if (s->size > (uint64_t)s->chain.count << shift) {
        s->size = (uint64_t)s->chain.count << shift;
        s->cut = true;
    }
}

/* The root's own stream holds the mini sectors. */
static bool open_root(struct cfb *c, const struct directory *d)
{
    const uint8_t *root;

    if (!d->count)
        return false;
    root = directory_entry(c, d, 0);
    if (root[66] != TYPE_ROOT)
        return false;
    c->mini = follow(c, &c->fat, c->used, c->sectors, load_u32(root + 116),
                     c->sectors);
    c->mini_size = (uint64_t)c->mini.count << c->shift;
    c->mini_used = mem_new((size_t)(c->mini_size >> MINI_SHIFT) / 8 + 1, 1);
    return true;
}

static void open_streams(struct cfb *c, struct directory *d)
{
    size_t streams = 0;

    d->parent = mem_new(d->count, sizeof(*d->parent));
    d->seen = mem_new(d->count / 8 + 1, 1);
    for (uint32_t i = 0; i < d->count; i++) {
        uint8_t type = directory_entry(c, d, i)[66];

        if (type == TYPE_STORAGE || type == TYPE_ROOT)
            adopt(c, d, i);
        streams += type == TYPE_STREAM;
    }
    if (streams > MOST_STREAMS)
        streams = MOST_STREAMS;
    c->streams = mem_new(streams, sizeof(*c->streams));
    for (uint32_t i = 0; c->count < streams; i++)
        if (directory_entry(c, d, i)[66] == TYPE_STREAM)
            add_stream(c, d, i);
    free(d->parent);
    free(d->seen);
    vec_release(&d->pending);
}

/* Directory entries up to the first sector that is not whole. */
static bool open_directory(struct cfb *c, uint32_t first)
{
    struct directory d = {
        .chain = follow(c, &c->fat, c->used, c->sectors, first, c->sectors),
    };
    size_t sector = (size_t)1 << c->shift;

    for (size_t i = 0; i < d.chain.count; i++)
        if (sector_bytes(c, d.chain.sectors[i]).len < sector)
            d.chain.count = i;
    d.count = d.chain.count * (sector / ENTRY_SIZE);
    if (!open_root(c, &d))
        return false;
    open_streams(c, &d);
    return true;
}

static enum err_code refuse(const struct cfb *c, const char *what,
                            struct err *err)
{
    return err_set(err, ERR_CORRUPT, "%s: compound file: %s", c->file.name,
                   what);
}

static enum err_code open_header(struct cfb *c, struct err *err)
{
    const uint8_t *h = c->file.base;

    if (c->file.len < HEADER_SIZE)
        return refuse(c, "header truncated", err);
    c->shift = load_u16(h + 30);
    if (c->shift != 9 && c->shift != 12)
        return refuse(c, "unknown size of sectors", err);
    if (load_u16(h + 32) != MINI_SHIFT || load_u32(h + 56) != CUTOFF)
        return refuse(c, "unknown size of mini sectors", err);
    c->sectors = (c->file.len - 1) >> c->shift;
    c->used = mem_new(c->sectors / 8 + 1, 1);
    find_fat(c, load_u32(h + 44), load_u32(h + 68));
    c->mini_fat = follow(c, &c->fat, c->used, c->sectors, load_u32(h + 60),
                         load_u32(h + 64));
    if (!open_directory(c, load_u32(h + 48)))
        return refuse(c, "no directory", err);
    return ERR_NONE;
}

struct cfb *cfb_open(const char *name, const uint8_t *data, size_t size,
                     struct err *err)
{
    struct cfb *c = mem_new(1, sizeof(*c));

    c->file = reader_of(name, data, size, 0, err);
    c->names = strings_new();
    if (!open_header(c, err))
        return c;
    cfb_free(c);
    return NULL;
}

void cfb_free(struct cfb *c)
{
    if (!c)
        return;
    free(c->streams);
    free(c->used);
    free(c->mini_used);
    strings_free(c->names);
    arena_release(&c->arena);
    free(c);
}

/* Where `offset` in a chain is, and how many bytes lie there in a row: none
 * where the file is cut. */
static struct bytes chain_bytes(const struct cfb *c,
                                const struct cfb_chain *chain, uint64_t offset)
{
    size_t within = (size_t)offset & (((size_t)1 << c->shift) - 1);
    struct bytes b = sector_bytes(c, chain->sectors[offset >> c->shift]);

    if (within > b.len)
        within = b.len;
    return (struct bytes){b.data + within, b.len - within};
}

static struct bytes mini_bytes(const struct cfb *c,
                               const struct cfb_chain *chain, uint64_t offset)
{
    uint64_t sector = chain->sectors[offset >> MINI_SHIFT];
    size_t mini = (size_t)1 << MINI_SHIFT, within = (size_t)offset & (mini - 1);
    struct bytes b = chain_bytes(c, &c->mini, (sector << MINI_SHIFT) + within);

    if (b.len > mini - within)
        b.len = mini - within;
    return b;
}

size_t cfb_read(const struct cfb *c, const struct cfb_stream *s,
                uint64_t offset, void *buffer, size_t n)
{
    uint8_t *to = buffer;
    size_t done = 0;

    if (offset >= s->size)
        return 0;
    if (n > s->size - offset)
        n = (size_t)(s->size - offset);
    while (done < n) {
        struct bytes b = s->mini ? mini_bytes(c, &s->chain, offset + done)
                                 : chain_bytes(c, &s->chain, offset + done);

        if (!b.len)
            break;
        if (b.len > n - done)
            b.len = n - done;
        memcpy(to + done, b.data, b.len);
        done += b.len;
    }
    return done;
}
