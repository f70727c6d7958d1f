#include "report/export/packed.h"

#include <stdlib.h>
/* Input stays constant. */
#define ZLIB_CONST
#include <zlib.h>

#include "engine/base/mem.h"

enum { BUFFER = 64 * 1024, GZIP = 16, LEVEL = 6 };

struct packed {
    struct out *out;
    z_stream stream;
    uint8_t buffer[BUFFER];
};

struct packed *packed_new(struct out *out)
{
    struct packed *p = mem_new(1, sizeof(*p));

    p->out = out;
    if (deflateInit2(&p->stream, LEVEL, Z_DEFLATED, MAX_WBITS + GZIP, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        mem_exhausted(sizeof(*p));
    return p;
}

static void pump(struct packed *p, int flush)
{
    do {
        p->stream.next_out = p->buffer;
        p->stream.avail_out = BUFFER;
        deflate(&p->stream, flush);
        out_bytes(p->out, (const char *)p->buffer,
                  BUFFER - p->stream.avail_out);
    } while (!p->stream.avail_out);
}

void packed_bytes(struct packed *p, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;

    while (n) {
        size_t part = n < 1 << 30 ? n : 1 << 30;

        p->stream.next_in = at;
        p->stream.avail_in = (uInt)part;
        pump(p, Z_NO_FLUSH);
        at += part;
        n -= part;
    }
}

void packed_end(struct packed *p)
{
    p->stream.avail_in = 0;
    pump(p, Z_FINISH);
    deflateEnd(&p->stream);
    free(p);
}
