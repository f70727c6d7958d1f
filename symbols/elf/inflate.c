#include "symbols/elf/inflate.h"

#include <isa-l/igzip_lib.h>
#include <limits.h>
#include <lzma.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "engine/base/mem.h"
#include "engine/base/unpacking.h"

/* xz -9 needs 65 MiB to unpack. */
enum { XZ_MEMORY = 128 << 20, XZ_FIRST = 64 << 10 };

enum { LARGE_PAGE = 2 << 20, LARGE = 4 << 20 };

static const struct bytes nothing;

static uint64_t most_from(size_t n)
{
    uint64_t most = unpack_most(n);

    return most < INFLATE_MOST ? most : INFLATE_MOST;
}

/* All of it will be written: in large pages, as the kernel takes as long to
 * give out small ones as it takes to unpack them. */
static uint8_t *large_pages(size_t size)
{
    void *room = NULL;

    if (posix_memalign(&room, LARGE_PAGE, size))
        mem_exhausted(size);
    (void)madvise(room, size, MADV_HUGEPAGE);
    return room;
}

bool inflate_allows(size_t n, uint64_t size, struct err *err)
{
    if (size <= most_from(n))
        return true;
    err_set(err, ERR_LIMIT, "%zu bytes claim to be %llu: not unpacked", n,
            (unsigned long long)size);
    return false;
}

static uint8_t *room_for(size_t n, uint64_t size, struct err *err)
{
    if (!inflate_allows(n, size, err))
        return NULL;
    return size < LARGE ? mem_new((size_t)size, 1) : large_pages((size_t)size);
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

/* ISA-L takes half the time of zlib. */
struct bytes inflate_zlib(const uint8_t *packed, size_t n, uint64_t size,
                          struct err *err)
{
    uint8_t *plain = room_for(n, size, err);
    struct inflate_state *state;
    bool good;

    if (!plain)
        return nothing;
    state = mem_new(1, sizeof(*state));
    isal_inflate_init(state);
    state->crc_flag = ISAL_ZLIB;
    state->next_in = (uint8_t *)packed;
    state->avail_in = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    state->next_out = plain;
    state->avail_out = (uint32_t)size;
    good = isal_inflate_stateless(state) == ISAL_DECOMP_OK &&
           state->block_state == ISAL_BLOCK_FINISH && !state->avail_out;
    free(state);
    return finish(plain, size, good, "zlib data", err);
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
        err_set(err, ERR_LIMIT, "%zu bytes unpack to more than %llu", n,
                (unsigned long long)most_from(n));
    size = cap - stream.avail_out;
    lzma_end(&stream);
    return finish(plain, size, status == LZMA_STREAM_END, "xz data", err);
}

void inflate_free(struct bytes plain)
{
    free((void *)plain.data);
}
