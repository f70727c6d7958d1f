/*
 * The OLE compound .diagsession of Visual Studio 2017 to 2022 (format.md,
 * section 4). A chunk that contradicts itself ends the entry: what came before
 * is kept.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "engine/base/text.h"
#include "engine/base/mem.h"
#include "engine/base/reader.h"
#include "engine/base/strings.h"
#include "engine/base/unpacking.h"
#include "engine/container/cfb.h"
#include "engine/container/container.h"
#include "engine/container/package.h"
#include "engine/container/spool.h"
#include "engine/container/xpress.h"

/*
 * The property set that names the folder of each stream (format.md, section
 * 4.1).
 */

enum {
    SECTION_OFFSET = 44,
    VT_BSTR = 8,
    DICTIONARY = 0,
    /* Names are looked through for every property and stream. */
    MOST_NAMES = 1024,
};

static const char *utf16(struct strings *strings, struct bytes b)
{
    return strings_get(strings, strings_add_utf16(strings, b.data, b.len / 2));
}

static void read_dictionary(struct ole_names *names, struct reader *r,
                            struct strings *strings)
{
    uint32_t n = reader_count(r, 8, "dictionary entry");

    while (n-- && reader_more(r) && names->list.len < MOST_NAMES) {
        uint32_t id = reader_u32(r);
        uint64_t length = (uint64_t)reader_u32(r) * 2;
        struct bytes text =
            reader_bytes(r, length > SIZE_MAX ? SIZE_MAX : (size_t)length);

        reader_align(r, 4);
        if (!r->failed || text.data)
            *vec_add(&names->list) = (struct ole_name){
                .id = id,
                .name = utf16(strings, text),
            };
    }
}

static void read_folder(struct ole_names *names, uint32_t id, struct reader *r,
                        struct strings *strings)
{
    struct bytes text;

    if (reader_u32(r) != VT_BSTR)
        return;
    text = reader_bytes(r, reader_u32(r));
    if (r->failed)
        return;
    for (size_t i = 0; i < names->list.len; i++)
        if (names->list.data[i].id == id)
            names->list.data[i].folder = utf16(strings, text);
}

/* The dictionary, wherever it stands, or everything else. */
static void read_properties(struct ole_names *names, struct reader section,
                            bool dictionary, struct strings *strings)
{
    struct reader list = section;
    uint32_t n;

    reader_skip(&list, 4);
    n = reader_count(&list, 8, "property");
    for (uint32_t i = 0; i < n && i < MOST_NAMES; i++) {
        uint32_t id = reader_u32(&list);
        struct reader r = reader_at(&section, reader_u32(&list), "property");

        if (!dictionary && id != DICTIONARY)
            read_folder(names, id, &r, strings);
        if (!dictionary || id != DICTIONARY)
            continue;
        read_dictionary(names, &r, strings);
        return;
    }
}

void ole_names_read(struct ole_names *names, const uint8_t *bytes, size_t size,
                    struct strings *strings)
{
    struct reader file = reader_of("property set", bytes, size, 0, NULL);
    struct reader r = reader_at(&file, SECTION_OFFSET, "section offset");
    struct reader section;
    uint32_t offset = reader_u32(&r);

    if (r.failed || offset > size)
        return;
    section = reader_of("section", bytes + offset, size - offset, offset, NULL);
    read_properties(names, section, true, strings);
    read_properties(names, section, false, strings);
}

void ole_names_release(struct ole_names *names)
{
    vec_release(&names->list);
}

/* n of "En", from 1; 0 for another name. */
static size_t resource_number(const char *path, size_t length)
{
    size_t n = 0;

    if (length < 2 || length > 7 || (path[0] != 'E' && path[0] != 'e'))
        return 0;
    for (size_t i = 1; i < length; i++) {
        if (path[i] < '0' || path[i] > '9')
            return 0;
        n = n * 10 + (size_t)(path[i] - '0');
    }
    return n;
}

static const char *folder_of(const struct ole_names *names, const char *path,
                             size_t length)
{
    for (size_t i = 0; i < names->list.len; i++) {
        const struct ole_name *n = &names->list.data[i];

        if (n->folder && strlen(n->name) == length &&
            !strncmp(n->name, path, length))
            return n->folder;
    }
    return NULL;
}

static const struct resource *resource_in(const struct package *package,
                                          const char *folder)
{
    for (size_t i = 0; i < package->resources.len; i++)
        if (ascii_same(package->resources.data[i].prefix, folder))
            return &package->resources.data[i];
    return NULL;
}

const char *ole_full_name(const struct ole_names *names,
                          const struct package *package, const char *path,
                          struct strings *strings)
{
    size_t length = strcspn(path, "/");
    size_t number = resource_number(path, length);
    const char *folder = folder_of(names, path, length), *name;
    const struct resource *r = NULL;

    if (!folder && !number)
        return NULL;
    if (folder)
        r = resource_in(package, folder);
    else if (number <= package->resources.len)
        r = &package->resources.data[number - 1];
    if (!folder)
        folder = r ? r->prefix : "";
    name = path[length] ? path + length + 1 : r ? r->name : path;
    return strings_get(strings, strings_addf(strings, "%s%s%s", folder,
                                             *folder ? "/" : "", name));
}

enum {
    RECORD_HEADER = 8,
    CHUNK_HEADER = 16,
    LARGEST_RECORD = 1 << 20,
};

struct part {
    bool packed;
    struct spool spool;
};

struct compound {
    struct cfb *cfb;
    struct part *parts; /* by entry, which is by stream */
    struct unpack_budget budget;
    uint8_t stored[XPRESS_BLOCK], raw[XPRESS_BLOCK];
};

static int ole_probe(const uint8_t *data, size_t size)
{
    return cfb_probe(data, size);
}

/* ---- unpacking ---- */

/* Where an entry is being unpacked. */
struct unpacking {
    struct compound *c;
    const struct cfb_stream *stream;
    struct spool *spool;
    uint64_t at;        /* in the stream */
    const char *damage; /* why it stopped early */
};

static bool read_exactly(struct unpacking *u, void *to, size_t n)
{
    if (cfb_read(u->c->cfb, u->stream, u->at, to, n) != n) {
        u->damage = "truncated";
        return false;
    }
    u->at += n;
    return true;
}

static uint32_t sum(const uint8_t *bytes, size_t n)
{
    return (uint32_t)crc32(0, bytes, (uInt)n);
}

/* One chunk to the spool; its stored size with its header in *taken. */
static enum err_code unpack_chunk(struct unpacking *u, uint64_t left,
                                  size_t *raw_size, size_t *taken,
                                  struct err *err)
{
    struct compound *c = u->c;
    uint8_t h[CHUNK_HEADER];
    size_t stored, raw;
    const uint8_t *bytes = c->raw;

    if (!read_exactly(u, h, CHUNK_HEADER))
        return ERR_NONE;
    raw = load_u32(h + 4);
    stored = load_u32(h + 12);
    if (!raw || raw > XPRESS_BLOCK || stored > raw || !stored ||
        stored + CHUNK_HEADER > left) {
        u->damage = "a chunk's sizes are wrong";
        return ERR_NONE;
    }
    if (!read_exactly(u, c->stored, stored))
        return ERR_NONE;
    if (stored == raw)
        bytes = c->stored;
    else if (!xpress_huffman(c->stored, stored, c->raw, raw))
        u->damage = "a chunk does not unpack";
    if (!u->damage && (sum(c->stored, stored) != load_u32(h + 8) ||
                       sum(bytes, raw) != load_u32(h)))
        u->damage = "a chunk's checksum is wrong";
    *raw_size = raw;
    *taken = stored + CHUNK_HEADER;
    return u->damage ? ERR_NONE : spool_write(u->spool, bytes, raw, err);
}

static enum err_code unpack_record(struct unpacking *u, struct err *err)
{
    uint8_t h[RECORD_HEADER];
    size_t raw, stored, raw_size = 0, taken = 0;
    enum err_code code = ERR_NONE;

    if (!read_exactly(u, h, RECORD_HEADER))
        return ERR_NONE;
    raw = load_u32(h);
    stored = load_u32(h + 4);
    if (!raw || raw > LARGEST_RECORD || !stored)
        u->damage = "a record's sizes are wrong";
    while (!code && !u->damage && stored) {
        code = unpack_chunk(u, stored, &raw_size, &taken, err);
        if (code || u->damage)
            break;
        if (raw_size > raw)
            u->damage = "a record holds more than it says";
        raw -= raw_size;
        stored -= taken;
    }
    if (!u->damage && raw)
        u->damage = "a record holds less than it says";
    return code;
}

static enum err_code unpack(struct unpacking *u, struct err *err)
{
    enum err_code code = ERR_NONE;

    while (!code && !u->damage && u->at < u->stream->size) {
        uint64_t before = u->spool->size;

        code = unpack_record(u, err);
        if (!code && !unpack_take(&u->c->budget, u->spool->size - before))
            code = err_set(err, ERR_LIMIT,
                           "the container unpacks to more "
                           "than %u times its size",
                           UNPACK_RATIO);
    }
    return code;
}

static enum err_code copy_plain(struct unpacking *u, struct err *err)
{
    uint8_t *piece = u->c->raw;
    enum err_code code = ERR_NONE;
    size_t n;

    while (!code && (n = cfb_read(u->c->cfb, u->stream, u->at, piece,
                                  XPRESS_BLOCK)) != 0) {
        code = spool_write(u->spool, piece, n, err);
        u->at += n;
    }
    if (!code && u->at < u->stream->size)
        u->damage = "truncated";
    return code;
}

static enum err_code ole_load(struct container *container, struct entry *e,
                              struct err *err)
{
    struct compound *c = container->state;
    size_t i = (size_t)(e - container->entries);
    struct part *part = &c->parts[i];
    struct unpacking u = {
        .c = c,
        .stream = &c->cfb->streams[i],
        .spool = &part->spool,
    };
    enum err_code code;

    spool_init(u.spool, part->packed ? UINT64_MAX : u.stream->size);
    code = part->packed ? unpack(&u, err) : copy_plain(&u, err);
    e->damage = u.stream->cut && !u.damage ? "truncated" : u.damage;
    code = entry_take(e, u.spool, code, err);
    if (!code)
        e->claimed = e->size;
    return code;
}

/* ---- listing ---- */

static const struct cfb_stream *find_stream(const struct compound *c,
                                            const char *path)
{
    for (size_t i = 0; i < c->cfb->count; i++)
        if (ascii_same(c->cfb->streams[i].path, path))
            return &c->cfb->streams[i];
    return NULL;
}

/* The bytes of a small stream, to be freed; NULL without one. */
static uint8_t *small_stream(const struct compound *c,
                             const struct cfb_stream *s, size_t *size)
{
    uint8_t *bytes;

    if (!s || s->size > LARGEST_METADATA)
        return NULL;
    bytes = mem_new((size_t)s->size, 1);
    *size = cfb_read(c->cfb, s, 0, bytes, (size_t)s->size);
    return bytes;
}

static void read_metadata(struct container *container, struct package *package)
{
    struct compound *c = container->state;
    size_t size = 0;
    uint8_t *xml = small_stream(c, find_stream(c, "metadata.xml"), &size);

    *package = (struct package){0};
    if (!xml)
        container->warning = "there is no metadata.xml";
    else if (!package_read(package, xml, size, &container->arena))
        container->warning =
            "metadata.xml is not that of a diagnostics session";
    free(xml);
}

/* Without the property set there are no names in it. */
static void read_names(struct compound *c, struct ole_names *names)
{
    *names = (struct ole_names){0};
    for (size_t i = 0; i < c->cfb->count; i++) {
        const struct cfb_stream *s = &c->cfb->streams[i];
        size_t size = 0;
        uint8_t *bytes;

        if (s->path[0] != '\5')
            continue;
        bytes = small_stream(c, s, &size);
        if (bytes)
            ole_names_read(names, bytes, size, c->cfb->names);
        free(bytes);
    }
}

static void list_streams(struct container *container,
                         const struct package *package,
                         const struct ole_names *names)
{
    struct compound *c = container->state;

    container->count = c->cfb->count;
    container->entries = mem_new(container->count, sizeof(struct entry));
    c->parts = mem_new(container->count, sizeof(*c->parts));
    for (size_t i = 0; i < container->count; i++) {
        const struct cfb_stream *s = &c->cfb->streams[i];
        const char *full =
            ole_full_name(names, package, s->path, c->cfb->names);

        spool_init(&c->parts[i].spool, 0);
        c->parts[i].packed = full != NULL;
        entry_set_name(container, &container->entries[i],
                       full ? full : s->path);
        container->entries[i].claimed = s->size;
    }
}

static enum err_code ole_open(struct container *container, const uint8_t *data,
                              size_t size, struct err *err)
{
    struct compound *c = mem_new(1, sizeof(*c));
    struct package package;
    struct ole_names names;

    container->state = c;
    c->budget.packed = size;
    c->cfb = cfb_open(container->path, data, size, err);
    if (!c->cfb)
        return ERR_CORRUPT;
    read_metadata(container, &package);
    read_names(c, &names);
    list_streams(container, &package, &names);
    entries_classify(container);
    package_classify(&package, container);
    ole_names_release(&names);
    package_release(&package);
    return ERR_NONE;
}

static void ole_release(struct container *container)
{
    struct compound *c = container->state;

    for (size_t i = 0; i < container->count; i++)
        spool_release(&c->parts[i].spool);
    cfb_free(c->cfb);
    free(c->parts);
    free(c);
    free(container->entries);
}

const struct container_kind ole_container = {
    .name = "compound",
    .probe = ole_probe,
    .open = ole_open,
    .load = ole_load,
    .close = ole_release,
};
