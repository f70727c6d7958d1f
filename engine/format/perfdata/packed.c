/*
 * Packed records: the payloads of all COMPRESSED records are one zstd stream,
 * and what it holds are records. One may begin in a payload and end in the
 * next one. (format.md, section 6)
 */
#include "engine/format/perfdata/perfdata.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { ROOM = 1 << 18 }; /* several of the longest records */

struct pd_unpacker {
    ZSTD_DStream *stream;
    uint64_t offset; /* of the last payload */
    size_t filled;   /* bytes of a record that goes on */
    uint64_t taken;  /* bytes of records, of what that payload held */
    uint8_t bytes[ROOM];
};

static struct pd_unpacker *unpacker_of(struct pd_reading *r)
{
    if (!r->unpacker) {
        r->unpacker = mem_new(1, sizeof(*r->unpacker));
        r->unpacker->stream = ZSTD_createDStream();
        if (!r->unpacker->stream)
            mem_exhausted(sizeof(r->unpacker->stream));
    }
    return r->unpacker;
}

static void take_unpacked(struct pd_reading *r, struct pd_unpacker *u)
{
    struct bytes records = {u->bytes, u->filled};
    size_t taken;

    r->packed = u->bytes;
    r->packed_place = (u->offset << PD_PLACE_BITS) + u->taken;
    taken = pd_take_records(r, records, u->offset, false);
    u->taken += taken;

    u->filled -= taken;
    memmove(u->bytes, u->bytes + taken, u->filled);
}

/* What comes after damage of a stream cannot be told from what was lost. */
static void give_up(struct pd_reading *r, struct pd_unpacker *u, size_t size)
{
    pd_damage(r, u->offset, size, "packed records are damaged");
    ZSTD_DCtx_reset(u->stream, ZSTD_reset_session_only);
    u->filled = 0;
}

void pd_unpack(struct pd_reading *r, struct bytes packed, uint64_t offset)
{
    struct pd_unpacker *u = unpacker_of(r);
    ZSTD_inBuffer in = {packed.data, packed.len, 0};
    bool full = true;

    u->offset = offset;
    u->taken = 0;
    while (in.pos < in.size || full) {
        ZSTD_outBuffer out = {u->bytes, ROOM, u->filled};
        size_t before = in.pos, left;

        left = ZSTD_decompressStream(u->stream, &out, &in);
        if (ZSTD_isError(left)) {
            give_up(r, u, packed.len);
            return;
        }
        full = out.pos == ROOM;
        if (in.pos == before && out.pos == u->filled)
            return;
        u->filled = out.pos;
        take_unpacked(r, u);
    }
}

void pd_unpack_end(struct pd_reading *r)
{
    struct pd_unpacker *u = r->unpacker;

    if (!u)
        return;
    if (u->filled)
        pd_damage(r, u->offset, u->filled, "packed records are cut off");
    ZSTD_freeDStream(u->stream);
    free(u);
    r->unpacker = NULL;
}
