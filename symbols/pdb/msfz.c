/*
 * MSFZ: the same streams in compressed chunks.
 *
 *   OFFSET  SIZE  DESCRIPTION
 *        0    32  "Microsoft MSFZ Container\r\n" 1A "ALD" 00 00
 *       32     8  version, 0
 *       40     8  file offset of the directory
 *       48     8  file offset of the chunk table
 *       56     4  number of streams
 *       60     4  compression of the directory
 *       64     4  bytes of the directory in the file
 *       68     4  bytes of the directory
 *       72     4  number of chunks
 *       76     4  bytes of the chunk table: 20 a chunk
 *
 *   chunk    0  8  file offset
 *            8  4  compression: 0 none, 1 zstd
 *           12  4  bytes in the file
 *           16  4  bytes
 *
 * Directory, in u32 words, stream after stream: 0xFFFFFFFF for an absent one,
 * else fragments {size, low, high} and a 0. With bit 31 of high: the bytes at
 * `low` of chunk (high & 0x7FFFFFFF); without: at file offset low | high<<32.
 */
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "symbols/pdb/msf.h"

static const uint8_t magic[32] =
    "Microsoft MSFZ Container\r\n\x1a" "ALD\0";

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

bool msfz_probe(const uint8_t *data, size_t size)
{
    return size >= sizeof(magic) && !memcmp(data, magic, sizeof(magic));
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

static enum err_code read_streams(struct msf *m, uint32_t count,
                                  struct err *err)
{
    struct reader r =
        reader_of(m->name, m->directory, m->directory_size, 0, NULL);

    if (count > m->directory_size / 4 || count > STREAMS_MAX)
        return err_set(err, ERR_CORRUPT, "%s: %u streams in a directory of "
                       "%zu bytes", m->name, count, m->directory_size);
    m->streams = mem_new(count, sizeof(*m->streams));
    m->stream_count = count;
    for (uint32_t i = 0; i < count; i++)
        if (!size_stream(&r, &m->streams[i], m->size))
            return err_set(err, ERR_CORRUPT, "%s: stream directory ends "
                           "within stream %u", m->name, i);
    return ERR_NONE;
}

static const uint8_t *file_bytes(const struct msf *m, uint64_t at, uint64_t n)
{
    if (at > m->size || n > m->size - at)
        return NULL;
    return m->data + at;
}

enum err_code msfz_open(struct msf *m, struct err *err)
{
    struct reader r = reader_of(m->name, m->data, m->size, 0, err);
    uint64_t directory_at, chunks_at;
    uint32_t streams, method, stored;
    const uint8_t *packed;

    m->copied.packed = m->size;
    m->work.packed = (uint64_t)m->size * MSF_UNPACKED_AGAIN;
    reader_skip(&r, sizeof(magic));
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
        return err_set(err, ERR_TRUNCATED, "%s: header cut off", m->name);
    m->chunk_table = file_bytes(m, chunks_at,
                                (uint64_t)m->chunk_count * CHUNK_ENTRY);
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
    return read_streams(m, streams, err);
}

void msfz_extents(struct msf *m, struct msf_stream *s)
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

const uint8_t *msfz_chunk(struct msf *m, uint32_t number, uint64_t at,
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
