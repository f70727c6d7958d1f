/*
 * Packed records: the payloads of all COMPRESSED records are one zstd stream,
 * and what it holds are records. One may begin in a payload and end in the
 * next one. (format.md, section 6)
 */
#include "engine/format/perfdata/perfdata.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* Several of perf's longest records; simpleperf's may be longer. */
enum { ROOM = 1 << 18, MOST_ROOM = 1 << 25 };

struct pd_unpacker {
    ZSTD_DStream *stream;
    uint64_t offset; /* of the last payload */
    size_t filled;   /* bytes of a record that goes on */
    uint64_t taken;  /* bytes of records, of what that payload held */
    size_t room;
    uint8_t *bytes;
};

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
    if (u->filled == u->room && u->room < MOST_ROOM) {
        u->room *= 2;
        u->bytes = mem_resize(u->bytes, u->room, 1);
    }
}

void pd_unpack(struct pd_reading *r, struct bytes packed, uint64_t offset)
{
    struct pd_unpacker *u;
    ZSTD_inBuffer in = {packed.data, packed.len, 0};
    bool full = true;

    if (!r->unpacker) {
        r->unpacker = mem_new(1, sizeof(*r->unpacker));
        r->unpacker->room = ROOM;
        r->unpacker->bytes = mem_new(ROOM, 1);
        r->unpacker->stream = ZSTD_createDStream();
        if (!r->unpacker->stream)
            mem_exhausted(sizeof(r->unpacker->stream));
    }
    u = r->unpacker;
    if (r->packing && r->packing != PD_ZSTD)
        err_set(
            &r->refusal, ERR_UNSUPPORTED,
            "%s: unknown compression method %u; topfn unpacks method %d (zstd)",
            r->name, r->packing, PD_ZSTD);
    if (r->refusal.code)
        return;
    u->offset = offset;
    u->taken = 0;
    while (in.pos < in.size || full) {
        ZSTD_outBuffer out = {u->bytes, u->room, u->filled};
        size_t before = in.pos, left;

        left = ZSTD_decompressStream(u->stream, &out, &in);
        if (ZSTD_isError(left)) {
            /* After damage in a stream, records cannot be found any more. */
            pd_damage(r, u->offset, packed.len, "packed records are damaged");
            ZSTD_DCtx_reset(u->stream, ZSTD_reset_session_only);
            u->filled = 0;
            return;
        }
        full = out.pos == u->room;
        if (in.pos == before && out.pos == u->filled)
            return;
        r->seen->unpacked += out.pos - u->filled;
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
        pd_damage(r, u->offset, u->filled, "packed records are truncated");
    ZSTD_freeDStream(u->stream);
    free(u->bytes);
    free(u);
    r->unpacker = NULL;
}
