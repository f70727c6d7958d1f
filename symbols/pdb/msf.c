/*
 * The multi-stream file (MSF 7.00), in blocks of one size. Any value may
 * straddle the end of a block, and the next block may lie anywhere. (format.md,
 * section 1.1)
 */
#include "symbols/pdb/msf.h"

#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "engine/base/bisect.h"

/* MSFZ: the same streams in compressed chunks (format.md, section 1.2). */

static const uint8_t msfz_magic[32] = "Microsoft MSFZ Container\r\n\x1a"
                                      "ALD\0";

enum { CHUNK_ENTRY = 20, RAW = 0, ZSTD = 1, STREAMS_MAX = 1 << 20 };

#define IN_CHUNK 0x80000000u

/* NULL unless it comes to exactly `size` bytes. */
static uint8_t *unpack(const uint8_t *data, size_t stored, uint32_t method,
                       size_t size)
{
    uint8_t *out = mem_new(size, 1);
    size_t n = 0;

    if (method == RAW && stored == size) {
        memcpy(out, data, n = size);
    } else if (method == ZSTD) {
        n = ZSTD_decompress(out, size, data, stored);
        if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
            mem_exhausted(size);
        if (ZSTD_isError(n))
            n = 0;
    }
    if (n == size)
        return out;
    free(out);
    return NULL;
}

/* The other container. */
static bool msfz_probe(const uint8_t *data, size_t size)
{
    return size >= sizeof(msfz_magic) &&
           !memcmp(data, msfz_magic, sizeof(msfz_magic));
}

/* Steps over one stream's fragments, in a file of `file` bytes. False at a
 * broken directory. */
static bool size_stream(struct reader *r, struct msf_stream *s, size_t file)
{
    uint64_t total = 0;
    uint32_t word;

    s->first = (uint32_t)(r->pos / 4);
    word = reader_u32(r);
    if (word == UINT32_MAX) {
        s->ready = true;
        return !r->failed;
    }
    for (; word && !r->failed; word = reader_u32(r)) {
        total += word;
        reader_skip(r, 8);
    }
    if (total > MSF_STREAM_MAX || total > unpack_most(file))
        reader_fail(r, ERR_LIMIT, "stream beyond its file's size");
    s->size = (uint32_t)total;
    return !r->failed;
}

static enum err_code msfz_read_streams(struct msf *m, uint32_t count,
                                       struct err *err)
{
    struct reader r =
        reader_of(m->name, m->directory, m->directory_size, 0, NULL);

    if (count > m->directory_size / 4 || count > STREAMS_MAX)
        return err_set(err, ERR_CORRUPT,
                       "%s: %u streams in a directory of "
                       "%zu bytes",
                       m->name, count, m->directory_size);
    m->streams = mem_new(count, sizeof(*m->streams));
    m->stream_count = count;
    for (uint32_t i = 0; i < count; i++)
        if (!size_stream(&r, &m->streams[i], m->size))
            return err_set(err, ERR_CORRUPT,
                           "%s: stream directory ends "
                           "within stream %u",
                           m->name, i);
    return ERR_NONE;
}

static const uint8_t *file_bytes(const struct msf *m, uint64_t at, uint64_t n)
{
    if (at > m->size || n > m->size - at)
        return NULL;
    return m->data + at;
}

static enum err_code msfz_open(struct msf *m, struct err *err)
{
    struct reader r = reader_of(m->name, m->data, m->size, 0, err);
    uint64_t directory_at, chunks_at;
    uint32_t streams, method, stored;
    const uint8_t *packed;

    m->copied.packed = m->size;
    m->work.packed = (uint64_t)m->size * MSF_UNPACKED_AGAIN;
    reader_skip(&r, sizeof(msfz_magic));
    if (reader_u64(&r))
        return err_set(err, ERR_UNSUPPORTED, "%s: unknown MSFZ version",
                       m->name);
    directory_at = reader_u64(&r);
    chunks_at = reader_u64(&r);
    streams = reader_u32(&r);
    method = reader_u32(&r);
    stored = reader_u32(&r);
    m->directory_size = reader_u32(&r);
    m->chunk_count = reader_u32(&r);
    if (r.failed)
        return err_set(err, ERR_TRUNCATED, "%s: header truncated", m->name);
    m->chunk_table =
        file_bytes(m, chunks_at, (uint64_t)m->chunk_count * CHUNK_ENTRY);
    packed = file_bytes(m, directory_at, stored);
    if (!m->chunk_table || !packed || m->directory_size > MSF_CHUNK_MAX ||
        m->directory_size > unpack_most(stored))
        return err_set(err, ERR_TRUNCATED,
                       "%s: directory or chunk table outside the file",
                       m->name);
    m->directory = unpack(packed, stored, method, m->directory_size);
    if (!m->directory)
        return err_set(err, ERR_CORRUPT, "%s: directory does not decompress",
                       m->name);
    return msfz_read_streams(m, streams, err);
}

static void msfz_extents(struct msf *m, struct msf_stream *s)
{
    const uint8_t *word = m->directory + (size_t)s->first * 4;
    uint32_t start = 0, n;

    for (; start < s->size && (n = load_u32(word)) > 0; word += 12) {
        uint32_t low = load_u32(word + 4), high = load_u32(word + 8);
        bool packed = high & IN_CHUNK;
        uint64_t at = packed ? low : low | (uint64_t)high << 32;

        if (!packed && !file_bytes(m, at, n)) {
            s->size = start;
            return;
        }
        *vec_add(&s->extents) = (struct msf_extent){
            start, packed ? high & ~IN_CHUNK : MSF_IN_FILE, at};
        start += n;
    }
}

/* Extents of a few bytes that lie in many chunks by turns would have each
 * unpacked again and again. */
static struct msf_chunk *load_chunk(struct msf *m, uint32_t number)
{
    const uint8_t *entry = m->chunk_table + (size_t)number * CHUNK_ENTRY;
    uint32_t stored = load_u32(entry + 12), size = load_u32(entry + 16);
    const uint8_t *packed = file_bytes(m, load_u64(entry), stored);
    struct msf_chunk *c = &m->kept[m->next_kept];

    if (!packed)
        return NULL;
    if (size > MSF_CHUNK_MAX || size > unpack_most(stored) ||
        !unpack_take(&m->work, size)) {
        m->refused = true;
        return NULL;
    }
    m->next_kept = (m->next_kept + 1) % MSF_CHUNKS_KEPT;
    free(c->data);
    *c = (struct msf_chunk){
        number, unpack(packed, stored, load_u32(entry + 8), size), size};
    return c;
}

/* [at, at + n) of chunk `number`, decompressed; NULL when it cannot be had.
 * Valid until the next call. */
static const uint8_t *msfz_chunk(struct msf *m, uint32_t number, uint64_t at,
                                 size_t n)
{
    struct msf_chunk *c = NULL;

    if (number >= m->chunk_count)
        return NULL;
    for (size_t i = 0; !c && i < MSF_CHUNKS_KEPT; i++)
        if (m->kept[i].data && m->kept[i].number == number)
            c = &m->kept[i];
    if (!c)
        c = load_chunk(m, number);
    if (!c || !c->data || at > c->size || n > c->size - at)
        return NULL;
    return c->data + at;
}

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
        return err_set(err, ERR_TRUNCATED, "%s: superblock truncated", m->name);
    if (!(m->block_size >= 512 && m->block_size <= 32768 &&
          !(m->block_size & (m->block_size - 1))))
        return err_set(err, ERR_CORRUPT, "%s: invalid block size %u", m->name,
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
                         struct arena *copies)
{
    const uint8_t *bytes = msf_view(m, stream, at, n, copies);
    struct reader r = reader_of(m->name, bytes, bytes ? n : 0, at, NULL);

    if (!bytes)
        reader_fail(&r, ERR_TRUNCATED, "stream");
    return r;
}
