/*
 * The multi-stream file (MSF 7.00), little-endian, in blocks of one size.
 *
 *   OFFSET  SIZE  DESCRIPTION
 *        0    32  "Microsoft C/C++ MSF 7.00\r\n" 1A "DS" 00 00 00
 *       32     4  block size: a power of two, 512 to 32768
 *       36     4  active free-block map (ignored)
 *       40     4  number of blocks
 *       44     4  bytes of the stream directory
 *       48     4  unknown
 *       52     4  block that holds the directory's list of blocks; the list
 *                 goes on in the blocks right behind it
 *
 * Directory: u32 number of streams, u32 size of each (0xFFFFFFFF: absent),
 * then for each stream the u32 numbers of its blocks. Any value may straddle
 * the end of a block, and the next block may lie anywhere.
 */
#include "symbols/pdb/msf.h"

#include <string.h>

#include "engine/base/bisect.h"

static const uint8_t magic[32] = "Microsoft C/C++ MSF 7.00\r\n\x1a"
                                 "DS\0\0";

#define ABSENT UINT32_MAX

static bool is_msf(const uint8_t *data, size_t size)
{
    return size >= sizeof(magic) && !memcmp(data, magic, sizeof(magic));
}

bool msf_probe(const uint8_t *data, size_t size)
{
    return is_msf(data, size) || msfz_probe(data, size);
}

/* NULL: there is no such block. The last one may be cut short. */
static const uint8_t *block_at(const struct msf *m, uint64_t number, size_t n)
{
    uint64_t at = number * m->block_size;

    if (number >= m->block_count || at > m->size || n > m->size - at)
        return NULL;
    return m->data + at;
}

static uint32_t blocks_of(const struct msf *m, uint32_t bytes)
{
    return (uint32_t)(((uint64_t)bytes + m->block_size - 1) / m->block_size);
}

static enum err_code read_directory(struct msf *m, uint32_t list_block,
                                    struct err *err)
{
    uint32_t blocks = blocks_of(m, (uint32_t)m->directory_size);
    const uint8_t *list = block_at(m, list_block, (size_t)blocks * 4);
    size_t done = 0;

    if (!list)
        return err_set(err, ERR_TRUNCATED,
                       "%s: the list of the directory's blocks lies outside "
                       "the file",
                       m->name);
    m->directory = mem_new(m->directory_size, 1);
    for (uint32_t i = 0; i < blocks; i++) {
        size_t n = m->directory_size - done;
        const uint8_t *block;

        n = n < m->block_size ? n : m->block_size;
        block = block_at(m, load_u32(list + 4 * (size_t)i), n);
        if (!block)
            return err_set(err, ERR_TRUNCATED,
                           "%s: a directory block lies outside the file",
                           m->name);
        memcpy(m->directory + done, block, n);
        done += n;
    }
    return ERR_NONE;
}

/* Sizes and places of the block lists. A stream that claims more than the
 * file or the directory holds is taken as empty: the others may be sound. */
static enum err_code read_streams(struct msf *m, struct err *err)
{
    struct reader r =
        reader_of(m->name, m->directory, m->directory_size, 0, err);
    uint64_t word;

    m->stream_count = reader_count(&r, 4, "stream directory");
    if (r.failed)
        return err ? err->code : ERR_TRUNCATED;
    m->streams = mem_new(m->stream_count, sizeof(*m->streams));
    word = 1 + (uint64_t)m->stream_count;
    for (uint32_t i = 0; i < m->stream_count; i++) {
        uint32_t size = reader_u32(&r);
        uint32_t blocks;

        if (size == ABSENT)
            continue;
        blocks = blocks_of(m, size);
        if ((word + blocks) * 4 <= m->directory_size && size <= m->size) {
            m->streams[i].size = size;
            m->streams[i].first = (uint32_t)word;
        }
        word += blocks;
    }
    return ERR_NONE;
}

static enum err_code open_plain(struct msf *m, struct err *err)
{
    struct reader r = reader_of(m->name, m->data, m->size, 0, err);
    uint32_t list_block;

    reader_skip(&r, sizeof(magic));
    m->block_size = reader_u32(&r);
    reader_u32(&r);
    m->block_count = reader_u32(&r);
    m->directory_size = reader_u32(&r);
    reader_u32(&r);
    list_block = reader_u32(&r);
    if (r.failed)
        return err_set(err, ERR_TRUNCATED, "%s: superblock cut off", m->name);
    if (!(m->block_size >= 512 && m->block_size <= 32768 &&
          !(m->block_size & (m->block_size - 1))))
        return err_set(err, ERR_CORRUPT, "%s: block size %u", m->name,
                       m->block_size);
    if (m->directory_size > m->size)
        return err_set(err, ERR_CORRUPT,
                       "%s: stream directory larger than the file", m->name);
    if (read_directory(m, list_block, err))
        return ERR_TRUNCATED;
    return read_streams(m, err);
}

enum err_code msf_open(struct msf *m, const char *name, const uint8_t *data,
                       size_t size, struct err *err)
{
    *m = (struct msf){.name = name, .data = data, .size = size};
    if (is_msf(data, size))
        return open_plain(m, err);
    if (msfz_probe(data, size))
        return msfz_open(m, err);
    return err_set(err, ERR_UNSUPPORTED, "%s: not a PDB file", name);
}

void msf_release(struct msf *m)
{
    for (uint32_t i = 0; m->streams && i < m->stream_count; i++)
        vec_release(&m->streams[i].extents);
    for (size_t i = 0; i < MSF_CHUNKS_KEPT; i++)
        free(m->kept[i].data);
    free(m->streams);
    free(m->directory);
    *m = (struct msf){0};
}

uint32_t msf_size(const struct msf *m, uint32_t stream)
{
    return stream < m->stream_count ? m->streams[stream].size : 0;
}

/* Blocks in a row become one extent. A stream with a block outside the file
 * ends there. */
static void block_extents(struct msf *m, struct msf_stream *s)
{
    const uint8_t *list = m->directory + (size_t)s->first * 4;
    uint32_t blocks = blocks_of(m, s->size);
    uint64_t expected = 0;

    for (uint32_t i = 0; i < blocks; i++) {
        uint32_t number = load_u32(list + 4 * (size_t)i);
        uint32_t start = i * m->block_size;
        uint32_t n = s->size - start;

        n = n < m->block_size ? n : m->block_size;
        if (!block_at(m, number, n)) {
            s->size = start;
            return;
        }
        if (!i || number != expected)
            *vec_add(&s->extents) = (struct msf_extent){
                start, MSF_IN_FILE, (uint64_t)number * m->block_size};
        expected = (uint64_t)number + 1;
    }
}

static struct msf_stream *ready_stream(struct msf *m, uint32_t stream)
{
    struct msf_stream *s;

    if (stream >= m->stream_count)
        return NULL;
    s = &m->streams[stream];
    if (!s->ready) {
        s->ready = true;
        if (m->block_size)
            block_extents(m, s);
        else
            msfz_extents(m, s);
    }
    return s;
}

/* The extent that holds `at`; there is one. */
static size_t find_extent(const struct msf_stream *s, uint32_t at)
{
    size_t i;

    BISECT(i, s->extents.len, s->extents.data[i].start <= at);
    return i - 1;
}

static uint32_t extent_end(const struct msf_stream *s, size_t i)
{
    return i + 1 < s->extents.len ? s->extents.data[i + 1].start : s->size;
}

static const uint8_t *extent_bytes(struct msf *m, const struct msf_extent *e,
                                   uint32_t skip, size_t n)
{
    if (e->chunk == MSF_IN_FILE)
        return m->data + e->at + skip; /* checked when it was made */
    return msfz_chunk(m, e->chunk, e->at + skip, n);
}

bool msf_copy(struct msf *m, uint32_t stream, uint64_t at, void *to, size_t n)
{
    const struct msf_stream *s = ready_stream(m, stream);
    uint8_t *out = to;

    if (!s || at > s->size || n > s->size - at)
        return false;
    for (size_t i = n ? find_extent(s, (uint32_t)at) : 0; n; i++) {
        const struct msf_extent *e = &s->extents.data[i];
        size_t here = extent_end(s, i) - (uint32_t)at;
        const uint8_t *from;

        here = here < n ? here : n;
        from = extent_bytes(m, e, (uint32_t)at - e->start, here);
        if (!from)
            return false;
        memcpy(out, from, here);
        out += here;
        at += here;
        n -= here;
    }
    return true;
}

const uint8_t *msf_view(struct msf *m, uint32_t stream, uint64_t at, size_t n,
                        struct arena *copies)
{
    const struct msf_stream *s = ready_stream(m, stream);
    uint8_t *copy;
    size_t i;

    if (!s || at > s->size || n > s->size - at)
        return NULL;
    if (!n)
        return (const uint8_t *)"";
    i = find_extent(s, (uint32_t)at);
    if (s->extents.data[i].chunk == MSF_IN_FILE && at + n <= extent_end(s, i))
        return m->data + s->extents.data[i].at +
               ((uint32_t)at - s->extents.data[i].start);
    if (!m->block_size && !unpack_take(&m->copied, n)) {
        m->refused = true;
        return NULL; /* what a file claims to decompress to may be absurd */
    }
    copy = arena_new(copies, uint8_t, n);
    return msf_copy(m, stream, at, copy, n) ? copy : NULL;
}

struct reader msf_reader(struct msf *m, uint32_t stream, uint64_t at, size_t n,
                         struct arena *copies, struct err *err)
{
    const uint8_t *bytes = msf_view(m, stream, at, n, copies);
    struct reader r = reader_of(m->name, bytes, bytes ? n : 0, at, err);

    if (!bytes)
        reader_fail(&r, ERR_TRUNCATED, "stream");
    return r;
}
