/* Headers of metadata (format.md, section 1). */
#include "symbols/managed/metadata.h"

bool metadata_probe(const uint8_t *data, size_t size)
{
    return size >= 4 && !memcmp(data, "BSJB", 4);
}

static struct bytes *stream_called(struct metadata *m, struct bytes name)
{
    const struct {
        const char *name;
        struct bytes *stream;
    } streams[] = {
        {"#Pdb", &m->id},     {"#~", &m->tables},   {"#Strings", &m->strings},
        {"#Blob", &m->blobs}, {"#GUID", &m->guids},
    };

    for (size_t i = 0; i < sizeof(streams) / sizeof(*streams); i++)
        if (name.len == strlen(streams[i].name) &&
            !memcmp(name.data, streams[i].name, name.len))
            return streams[i].stream;
    return NULL;
}

/* Terminated name, padded; keeps the streams that are needed. */
static void read_stream(struct metadata *m, const struct reader *file,
                        struct reader *r)
{
    uint32_t offset = reader_u32(r), size = reader_u32(r);
    struct reader at = reader_at(file, offset, "stream");
    struct bytes name = reader_cstr(r), bytes = reader_bytes(&at, size);
    struct bytes *stream;

    if (reader_left(r) >= 4)
        reader_align(r, 4);
    if (r->failed || at.failed)
        return;
    stream = stream_called(m, name);
    if (stream)
        *stream = bytes;
}

enum err_code metadata_open(struct metadata *m, const char *name,
                            const uint8_t *data, size_t size, struct err *err)
{
    struct reader file = reader_of(name, data, size, 0, NULL), r = file;
    uint32_t streams;

    *m = (struct metadata){.name = name};
    if (!metadata_probe(data, size))
        return err_set(err, ERR_UNSUPPORTED, "%s: not .NET metadata", name);
    reader_skip(&r, 12);
    reader_skip(&r, reader_u32(&r));
    reader_skip(&r, 2);
    streams = reader_u16(&r);
    while (streams-- && reader_more(&r))
        read_stream(m, &file, &r);
    if (!m->tables.len)
        return err_set(err, ERR_TRUNCATED, "%s: no #~ stream", name);
    return ERR_NONE;
}

struct reader metadata_read_rows(const struct metadata *m,
                                 struct metadata_rows *rows, struct err *err)
{
    struct reader r = reader_of(m->name, m->tables.data, m->tables.len, 0, err);

    reader_skip(&r, 6);
    rows->wide = reader_u8(&r);
    reader_skip(&r, 1);
    rows->mask = reader_u64(&r);
    reader_skip(&r, 8);
    for (unsigned i = 0; i < METADATA_TABLES; i++)
        rows->rows[i] = rows->mask >> i & 1 ? reader_u32(&r) : 0;
    if (rows->wide & EXTRA_WORD)
        reader_skip(&r, 4);
    return r;
}

uint32_t metadata_number(struct reader *r)
{
    return reader_compressed(r, NULL);
}

struct reader metadata_blob(const struct metadata *m, uint32_t index)
{
    struct reader all =
        reader_of(m->name, m->blobs.data, m->blobs.len, 0, NULL);
    struct reader r = reader_at(&all, index, "blob");
    uint32_t size = metadata_number(&r);

    return reader_sub(&r, size, "blob");
}

/* Runtimes refuse names of more than 1,023 bytes. */
enum { LONGEST = 16384 };

const char *metadata_string(const struct metadata *m, uint32_t index)
{
    const uint8_t *at = m->strings.data;
    size_t left = index < m->strings.len ? m->strings.len - index : 0;

    if (!left || !memchr(at + index, 0, left < LONGEST ? left : LONGEST))
        return "";
    return (const char *)at + index;
}
