#include "tests/support/ole_writer.h"

#include <zlib.h>

enum {
    END_OF_CHAIN = -2,
    FAT_SECTOR = -3,
    FREE = -1,
    MINI = 64,
    CUTOFF = 4096,
    RECORD = 1 << 20,
};

struct maker {
    int32_t fat[OLE_SECTOR / 4], mini_fat[OLE_SECTOR / 4];
    struct blob sectors; /* from sector 3 on */
    struct blob mini;
    uint32_t first[OLE_MOST_STREAMS];
};

/* Appends to the sectors; returns the first one. */
static uint32_t add_chain(struct maker *m, const void *data, size_t size)
{
    uint32_t first = 3 + (uint32_t)(m->sectors.len / OLE_SECTOR), last;

    if (!size)
        return (uint32_t)END_OF_CHAIN;
    blob_bytes(&m->sectors, data, size);
    blob_align(&m->sectors, OLE_SECTOR);
    last = 3 + (uint32_t)(m->sectors.len / OLE_SECTOR) - 1;
    for (uint32_t s = first; s < last; s++)
        m->fat[s] = (int32_t)s + 1;
    m->fat[last] = END_OF_CHAIN;
    return first;
}

static uint32_t add_mini_chain(struct maker *m, const void *data, size_t size)
{
    uint32_t first = (uint32_t)(m->mini.len / MINI), last;

    if (!size)
        return (uint32_t)END_OF_CHAIN;
    blob_bytes(&m->mini, data, size);
    blob_align(&m->mini, MINI);
    last = (uint32_t)(m->mini.len / MINI) - 1;
    for (uint32_t s = first; s < last; s++)
        m->mini_fat[s] = (int32_t)s + 1;
    m->mini_fat[last] = END_OF_CHAIN;
    return first;
}

static void put_entry(struct blob *b, const char *name, uint8_t type,
                      uint32_t right, uint32_t child, uint32_t first,
                      uint64_t size)
{
    blob_utf16(b, name, 64);
    blob_pack(b, "HBBIII36xIQ", (uint16_t)(2 * strlen(name) + 2), type, 1,
              UINT32_MAX, right, child, first, size);
}

static void put_header(struct blob *b)
{
    static const uint8_t magic[8] = {0xD0, 0xCF, 0x11, 0xE0,
                                     0xA1, 0xB1, 0x1A, 0xE1};
    static const uint16_t shorts[] = {0x3E, 4, 0xFFFE, 12, 6};

    blob_bytes(b, magic, 8);
    blob_zero(b, 16);
    for (size_t i = 0; i < 5; i++)
        blob_u16(b, shorts[i]);
    blob_zero(b, 6);
    blob_u32(b, 1); /* directory sectors */
    blob_u32(b, 1); /* FAT sectors */
    blob_u32(b, 1); /* first of the directory */
    blob_pack(b, "II", 0, CUTOFF);
    blob_u32(b, 2); /* mini FAT */
    blob_u32(b, 1);
    blob_u32(b, (uint32_t)END_OF_CHAIN); /* DIFAT */
    blob_u32(b, 0);
    blob_u32(b, 0); /* the FAT's sector */
    while (b->len < 512)
        blob_u32(b, UINT32_MAX);
    blob_align(b, OLE_SECTOR);
}

static void put_directory(struct blob *b, const struct maker *m,
                          const struct ole_stream *streams, size_t n,
                          uint32_t mini_first)
{
    put_entry(b, "Root Entry", 5, UINT32_MAX, n ? 1 : UINT32_MAX, mini_first,
              m->mini.len);
    for (size_t i = 0; i < n; i++)
        put_entry(b, streams[i].name, 2,
                  i + 1 < n ? (uint32_t)i + 2 : UINT32_MAX, UINT32_MAX,
                  m->first[i], streams[i].size);
    blob_align(b, OLE_SECTOR);
}

struct blob ole_make(const struct ole_stream *streams, size_t n)
{
    struct maker m = {.sectors = {0}};
    struct blob b = {0};
    uint32_t mini_first;

    memset(m.fat, 0xFF, sizeof(m.fat));
    memset(m.mini_fat, 0xFF, sizeof(m.mini_fat));
    m.fat[0] = FAT_SECTOR;
    m.fat[1] = m.fat[2] = END_OF_CHAIN;
    for (size_t i = 0; i < n; i++)
        m.first[i] = streams[i].size < CUTOFF
                         ? add_mini_chain(&m, streams[i].data, streams[i].size)
                         : add_chain(&m, streams[i].data, streams[i].size);
    mini_first = add_chain(&m, m.mini.data, m.mini.len);
    put_header(&b);
    blob_bytes(&b, m.fat, sizeof(m.fat));
    put_directory(&b, &m, streams, n, mini_first);
    blob_bytes(&b, m.mini_fat, sizeof(m.mini_fat));
    blob_bytes(&b, m.sectors.data, m.sectors.len);
    free(m.sectors.data);
    free(m.mini.data);
    return b;
}

/* Every byte a code of 8 bits: the code is the byte. */
static void put_huffman(struct blob *b, const uint8_t *data, size_t size)
{
    for (int i = 0; i < 128; i++)
        blob_u8(b, 0x88);
    blob_zero(b, 128);
    for (size_t i = 0; i < size; i += 2)
        blob_u16(b, (uint16_t)(data[i] << 8 |
                               (i + 1 < size ? data[i + 1] : 0)));
    blob_zero(b, 2); /* read ahead */
}

static void put_chunk(struct blob *b, const uint8_t *data, size_t size,
                      bool huffman)
{
    struct blob stored = {0};

    if (huffman && size > 300)
        put_huffman(&stored, data, size);
    if (!stored.len || stored.len >= size) {
        stored.len = 0;
        blob_bytes(&stored, data, size);
    }
    blob_pack(b, "IIII", (uint32_t)crc32(0, data, (uInt)size), (uint32_t)size,
              (uint32_t)crc32(0, stored.data, (uInt)stored.len),
              (uint32_t)stored.len);
    blob_bytes(b, stored.data, stored.len);
    free(stored.data);
}

struct blob ole_pack(const void *data, size_t size, size_t chunk)
{
    const uint8_t *from = data;
    struct blob b = {0};

    while (size) {
        size_t record = size < RECORD ? size : RECORD, at = b.len, done = 0;

        blob_pack(&b, "II", (uint32_t)record, 0);
        for (unsigned i = 0; done < record; i++) {
            size_t n = record - done < chunk ? record - done : chunk;

            put_chunk(&b, from + done, n, i % 2 == 0);
            done += n;
        }
        blob_set(&b, at + 4, b.len - at - 8, 4);
        from += record;
        size -= record;
    }
    return b;
}

struct blob ole_property_set(const char *const *folders, size_t n)
{
    struct blob b = {0};
    size_t section = 48, at;
    char name[8] = "E1";

    blob_pack(&b, "H42xIII", 0xFFFE, (uint32_t)section, 0, (uint32_t)n + 1);
    blob_zero(&b, 8 * (n + 1));
    blob_set(&b, section + 12, b.len - section, 4);
    blob_u32(&b, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        name[1] = (char)('1' + i);
        blob_pack(&b, "II", (uint32_t)i + 3, 3);
        blob_utf16(&b, name, 6);
        blob_align(&b, 4);
    }
    for (size_t i = 0; i < n; i++) {
        at = section + 16 + 8 * i;
        blob_set(&b, at, i + 3, 4);
        blob_set(&b, at + 4, b.len - section, 4);
        blob_pack(&b, "II", 8, (uint32_t)(2 * strlen(folders[i]) + 2));
        blob_utf16(&b, folders[i], 2 * strlen(folders[i]) + 2);
        blob_align(&b, 4);
    }
    return b;
}
