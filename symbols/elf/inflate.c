#include "symbols/elf/inflate.h"

#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "engine/base/mem.h"
#include "engine/base/unpacking.h"

/* xz -9 needs 65 MiB to unpack. */
enum { XZ_MEMORY = 128 << 20, XZ_FIRST = 64 << 10 };

static const struct bytes nothing;

static uint64_t most_from(size_t n)
{
    uint64_t most = unpack_most(n);

    return most < INFLATE_MOST ? most : INFLATE_MOST;
}

bool inflate_allows(size_t n, uint64_t size, struct err *err)
{
    if (size <= most_from(n))
        return true;
    err_set(err, ERR_LIMIT,
            "%zu packed bytes claim to unpack to %llu: not unpacked", n,
            (unsigned long long)size);
    return false;
}

/* With a byte more, by which data that is too long is noticed. */
static uint8_t *room_for(size_t n, uint64_t size, struct err *err)
{
    if (!inflate_allows(n, size, err))
        return NULL;
    return mem_new((size_t)size + 1, 1);
}

/* Takes over `plain`. */
static struct bytes finish(uint8_t *plain, uint64_t size, bool good,
                           const char *what, struct err *err)
{
    if (good)
        return (struct bytes){plain, (size_t)size};
    free(plain);
    err_set(err, ERR_CORRUPT, "does not unpack as %s", what);
    return nothing;
}

struct bytes inflate_zlib(const uint8_t *packed, size_t n, uint64_t size,
                          struct err *err)
{
    uint8_t *plain = room_for(n, size, err);
    uLongf got = (uLongf)size + 1;
    int state;

    if (!plain)
        return nothing;
    state = uncompress(plain, &got, packed, n);
    if (state == Z_MEM_ERROR)
        mem_exhausted((size_t)size);
    return finish(plain, size, state == Z_OK && got == size, "zlib data", err);
}

struct bytes inflate_zstd(const uint8_t *packed, size_t n, uint64_t size,
                          struct err *err)
{
    uint8_t *plain = room_for(n, size, err);
    size_t got;

    if (!plain)
        return nothing;
    got = ZSTD_decompress(plain, (size_t)size, packed, n);
    if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation)
        mem_exhausted((size_t)size);
    return finish(plain, size, got == size, "zstd data", err);
}

/* Makes room for more output; false at the limit. */
static bool grow(lzma_stream *stream, uint8_t **plain, size_t *cap,
                 uint64_t most)
{
    size_t used = *cap - stream->avail_out;

    if (stream->avail_out)
        return true;
    if (used >= most)
        return false;
    *cap = used ? used * 2 : XZ_FIRST;
    if (*cap > most)
        *cap = (size_t)most;
    *plain = mem_resize(*plain, *cap, 1);
    stream->next_out = *plain + used;
    stream->avail_out = *cap - used;
    return true;
}

struct bytes inflate_xz(const uint8_t *packed, size_t n, struct err *err)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    lzma_ret status = LZMA_OK;
    uint8_t *plain = NULL;
    size_t cap = 0, size;

    if (lzma_stream_decoder(&stream, XZ_MEMORY, 0) != LZMA_OK)
        mem_exhausted(XZ_MEMORY);
    stream.next_in = packed;
    stream.avail_in = n;
    while (status == LZMA_OK && grow(&stream, &plain, &cap, most_from(n)))
        status = lzma_code(&stream, LZMA_FINISH);
    if (status == LZMA_MEM_ERROR)
        mem_exhausted(XZ_MEMORY);
    if (status == LZMA_OK)
        err_set(err, ERR_LIMIT, "%zu packed bytes unpack to more than %llu", n,
                (unsigned long long)most_from(n));
    size = cap - stream.avail_out;
    lzma_end(&stream);
    return finish(plain, size, status == LZMA_STREAM_END, "xz data", err);
}

void inflate_free(struct bytes plain)
{
    free((void *)plain.data);
}
