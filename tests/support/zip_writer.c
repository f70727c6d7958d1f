#include "tests/support/zip_writer.h"

#include <fcntl.h>
#include <unistd.h>
#include <zip.h>
#include <zlib.h>

#include "engine/base/reader.h"

enum { ESCAPED = -1, STORED = 0, ZIP64 = 45 };

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

/* What local and central headers share, from "version needed" on. */
static void header_middle(struct blob *b, uint32_t crc, size_t name,
                          unsigned extra)
{
    blob_u16(b, ZIP64);
    blob_u16(b, 0); /* flags */
    blob_u16(b, STORED);
    blob_u32(b, 0); /* time and date */
    blob_pack(b, "IIIHH", crc, (uint32_t)ESCAPED, (uint32_t)ESCAPED,
              (uint16_t)name, (uint16_t)extra);
}

static void local_header(struct blob *b, const char *name, uint32_t crc,
                         uint64_t size)
{
    blob_u32(b, 0x04034B50);
    header_middle(b, crc, strlen(name), 20);
    blob_bytes(b, name, strlen(name));
    blob_pack(b, "HHQQ", 1, 16, size, size);
}

static void central_header(struct blob *b, const char *name, uint32_t crc,
                           uint64_t size, uint64_t at)
{
    blob_u32(b, 0x02014B50);
    blob_u16(b, ZIP64); /* version made by */
    header_middle(b, crc, strlen(name), 28);
    blob_zero(b, 10); /* comment, disk, attributes */
    blob_u32(b, (uint32_t)ESCAPED);
    blob_bytes(b, name, strlen(name));
    blob_pack(b, "HHQQQ", 1, 24, size, size, at);
}

/* `b` is to lie at `start` and holds the directory from `central` on. */
static void end_records(struct blob *b, uint64_t start, size_t central)
{
    size_t size = b->len - central;
    uint64_t end = start + b->len;

    blob_pack(b, "IQHH", 0x06064B50, 44, ZIP64, ZIP64);
    blob_u64(b, 0); /* disks */
    blob_pack(b, "QQQQIIQIIIHHI", 2, 2, size, start + central, 0x07064B50, 0,
              end, 1, 0x06054B50, 0, 0xFFFF, 0xFFFF, (uint32_t)ESCAPED);
    blob_pack(b, "IH", (uint32_t)ESCAPED, 0);
}

bool zip64_write(const char *path, uint64_t gap, const struct zip_member *m)
{
    uint32_t crc = (uint32_t)crc32(0, m->data, (uInt)m->size);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    struct blob head = {0}, tail = {0};
    uint64_t start;
    size_t central;
    bool written;

    local_header(&head, "gap", 0, gap);
    start = head.len + gap;
    local_header(&tail, m->name, crc, m->size);
    blob_bytes(&tail, m->data, m->size);
    central = tail.len;
    central_header(&tail, "gap", 0, gap, 0);
    central_header(&tail, m->name, crc, m->size, start);
    end_records(&tail, start, central);
    written = fd >= 0 &&
              pwrite(fd, head.data, head.len, 0) == (ssize_t)head.len &&
              pwrite(fd, tail.data, tail.len, (off_t)start) ==
                  (ssize_t)tail.len;
    if (fd >= 0)
        close(fd);
    free(head.data);
    free(tail.data);
    return written;
}

size_t zip_central(const struct blob *zip, size_t i)
{
    size_t at = load_u32(zip->data + zip->len - 22 + 16);

    for (; i; i--)
        at += 46u + load_u16(zip->data + at + 28) +
              load_u16(zip->data + at + 30) + load_u16(zip->data + at + 32);
    return at;
}
