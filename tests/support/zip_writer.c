#include "tests/support/zip_writer.h"

#include <zip.h>

#include "engine/base/reader.h"

static void add_member(zip_t *zip, const struct zip_member *m)
{
    zip_source_t *source = zip_source_buffer(zip, m->data, m->size, 0);
    zip_int64_t at = zip_file_add(zip, m->name, source, 0);

    if (at < 0)
        abort();
    zip_set_file_compression(zip, (zip_uint64_t)at,
                             m->deflate ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
    /* The same calls give the same bytes. */
    zip_file_set_dostime(zip, (zip_uint64_t)at, 0, 0x4321, 0);
}

struct blob zip_make(const struct zip_member *members, size_t n)
{
    zip_error_t error;
    zip_source_t *archive = zip_source_buffer_create(NULL, 0, 0, &error);
    zip_t *zip = zip_open_from_source(archive, ZIP_TRUNCATE, &error);
    struct blob b = {0};
    zip_stat_t st;

    zip_source_keep(archive);
    for (size_t i = 0; i < n; i++)
        add_member(zip, &members[i]);
    if (zip_close(zip) || zip_source_stat(archive, &st) ||
        zip_source_open(archive))
        abort();
    blob_zero(&b, st.size);
    if (zip_source_read(archive, b.data, st.size) != (zip_int64_t)st.size)
        abort();
    zip_source_close(archive);
    zip_source_free(archive);
    return b;
}

size_t zip_central(const struct blob *zip, size_t i)
{
    size_t at = load_u32(zip->data + zip->len - 22 + 16);

    for (; i; i--)
        at += 46u + load_u16(zip->data + at + 28) +
              load_u16(zip->data + at + 30) + load_u16(zip->data + at + 32);
    return at;
}
