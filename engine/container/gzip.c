#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
/* Input stays constant. */
#define ZLIB_CONST
#include <zlib.h>

#include "engine/base/mem.h"
#include "engine/base/unpacking.h"
#include "engine/container/container.h"
#include "engine/container/spool.h"

/*
 * gzip - one file, packed (RFC 1952): "app.pb.gz", "profile.json.gz". Members
 * that follow one another are one file. It is not said beforehand how large
 * it will be: the last four bytes are a hint.
 */

enum { WINDOW = MAX_WBITS + 16, PIECE = 64 * 1024 };

struct unpacking {
    struct entry *entry;
    struct spool *spool;
    z_stream stream;
    struct unpack_budget budget;
};

struct packed_file {
    const uint8_t *data;
    size_t size;
    struct spool spool;
};

static int gzip_probe(const uint8_t *data, size_t size)
{
    return size > 18 && data[0] == 0x1F && data[1] == 0x8B && data[2] == 8;
}

static enum err_code gzip_open(struct container *c, const uint8_t *data,
                               size_t size, struct err *err)
{
    struct packed_file *file = mem_new(1, sizeof(*file));
    const uint8_t *end = data + size;

    (void)err;
    file->data = data;
    file->size = size;
    c->state = file;
    c->entries = mem_new(1, sizeof(*c->entries));
    c->count = 1;
    c->entries[0] = (struct entry){
        .name = c->path,
        .inner = "",
        .kind = ENTRY_TRACE,
        .claimed = end[-4] | (uint64_t)end[-3] << 8 | (uint64_t)end[-2] << 16 |
                   (uint64_t)end[-1] << 24,
    };
    spool_init(&file->spool, c->entries[0].claimed);
    return ERR_NONE;
}

/* Writes what came out of `piece`. False beyond what may come of the file. */
static bool keep(struct unpacking *u, const uint8_t *piece, enum err_code *code,
                 struct err *err)
{
    size_t n = PIECE - u->stream.avail_out;

    if (!unpack_take(&u->budget, n)) {
        u->entry->damage = "unpacks to more than its size allows";
        return false;
    }
    *code = spool_write(u->spool, piece, n, err);
    return !*code;
}

/* Inflates to the end, or to what is wrong. */
static enum err_code inflate_all(struct unpacking *u, const uint8_t *data,
                                 size_t size, struct err *err)
{
    uint8_t *piece = mem_new(1, PIECE);
    enum err_code code = ERR_NONE;
    int state = Z_OK;

    while (!code && !u->entry->damage && state >= 0) {
        if (!u->stream.avail_in && size) {
            u->stream.next_in = data;
            u->stream.avail_in =
                size < UINT_MAX / 2 ? (uInt)size : UINT_MAX / 2;
            data += u->stream.avail_in;
            size -= u->stream.avail_in;
        }
        u->stream.next_out = piece;
        u->stream.avail_out = PIECE;
        state = inflate(&u->stream, Z_NO_FLUSH);
        if (!keep(u, piece, &code, err))
            break;
        if (state == Z_STREAM_END) {
            if (!u->stream.avail_in && !size)
                break;
            inflateReset(&u->stream);
        }
    }
    if (!code && state < 0)
        u->entry->damage = state == Z_BUF_ERROR ? "is truncated"
                                                : "its packed data is damaged";
    free(piece);
    return code;
}

static enum err_code gzip_load(struct container *c, struct entry *e,
                               struct err *err)
{
    struct packed_file *file = c->state;
    struct unpacking u = {
        .entry = e, .spool = &file->spool, .budget = {.packed = file->size}};
    enum err_code code;

    if (inflateInit2(&u.stream, WINDOW) != Z_OK)
        mem_exhausted(file->size);
    code = inflate_all(&u, file->data, file->size, err);
    inflateEnd(&u.stream);
    return entry_take(e, &file->spool, code, err);
}

static void gzip_close(struct container *c)
{
    struct packed_file *file = c->state;

    if (file)
        spool_release(&file->spool);
    free(file);
    free(c->entries);
}

const struct container_kind gzip_container = {
    .name = "gzip",
    .probe = gzip_probe,
    .open = gzip_open,
    .load = gzip_load,
    .close = gzip_close,
};
