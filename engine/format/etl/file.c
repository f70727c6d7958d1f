/*
 * The log file header: first event of the first buffer, hook 0x0000.
 *
 *   64   32   size  field (of the payload)
 *   0    0    u32   size of an unpacked buffer
 *   4    4    4 u8  OS major, OS minor, layout major, layout minor
 *   8    8    u32   OS build
 *   12   12   u32   processors
 *   32   32   u32   LogFileMode
 *   36   36   u32   buffers written
 *   44   44   u32   pointer size of the traced kernel
 *   48   48   u32   events lost
 *   52   52   u32   CPU MHz
 *   256  248  u64   counter frequency
 *   264  256  u64   start, FILETIME
 *   272  264  u32   clock: 1 QPC, 2 system time, 3 CPU cycles
 *   276  268  u32   buffers lost
 *
 * The two layouts differ by two pointers at 56. (format.md, section 1.4)
 */
#include "engine/format/etl/etl.h"
#include "engine/format/etl/event.h"

enum { BUFFER_TYPE_HEADER = 4 };

enum format_probe etl_probe(const uint8_t *data, size_t size)
{
    const uint8_t *event;

    if (size < BUFFER_HEADER + 32 ||
        load_u16(data + 0x36) != BUFFER_TYPE_HEADER ||
        load_u32(data) < BUFFER_HEADER)
        return PROBE_NO;
    event = data + BUFFER_HEADER;
    if (event[3] != 0xC0 || (event[2] != 1 && event[2] != 2))
        return PROBE_NO;
    return load_u16(event + 6) == 0 ? PROBE_YES : PROBE_NO;
}

static void read_header(struct etl_file *f, struct reader *r, unsigned width)
{
    size_t behind_pointers = width == 8 ? 0 : 8;

    f->buffer_size = reader_u32(r);
    f->os_major = reader_u8(r);
    f->os_minor = reader_u8(r);
    reader_skip(r, 2);
    f->os_build = reader_u32(r);
    f->cpus = reader_u32(r);
    reader_skip(r, 16);
    f->mode = reader_u32(r);
    f->buffers_written = reader_u32(r);
    reader_skip(r, 4);
    f->pointer_size = reader_u32(r);
    f->events_lost = reader_u32(r);
    f->frequency = reader_u32(r) * (uint64_t)1000000; /* MHz; see below */
    reader_skip(r, 256 - behind_pointers - 56);
}

static void read_clock(struct etl_file *f, struct reader *r)
{
    uint64_t counter = reader_u64(r);

    f->start = reader_u64(r);
    f->clock = reader_u32(r);
    f->buffers_lost = reader_u32(r);
    if (f->clock == CLOCK_CYCLES && f->frequency)
        return;
    f->frequency = counter;
    if (f->clock == CLOCK_SYSTEM || !counter)
        f->frequency = FILETIME_PER_SECOND;
}

static enum err_code check_header(struct etl_file *f, struct err *err)
{
    f->packed = f->mode & MODE_PACKED;
    if (f->pointer_size != 4 && f->pointer_size != 8)
        f->pointer_size = 8;
    if (f->buffer_size < BUFFER_HEADER || f->buffer_size > LARGEST_BUFFER)
        return err_set(err, ERR_CORRUPT,
                       "%s: offset 0x%x: log file header: buffer size %u",
                       f->name, BUFFER_HEADER, f->buffer_size);
    return ERR_NONE;
}

enum err_code etl_file_open(struct etl_file *f, const struct entry *entry,
                            struct err *err)
{
    struct etl_event e;
    struct reader r;
    size_t pos = BUFFER_HEADER;
    size_t end = entry->size < LARGEST_BUFFER ? entry->size : LARGEST_BUFFER;

    *f = (struct etl_file){
        .name = entry->name,
        .data = entry->data,
        .size = entry->size,
    };
    if (etl_step(f->data, end, &pos, &e) != STEP_EVENT ||
        e.family != FAMILY_KERNEL || e.hook)
        return err_set(err, ERR_TRUNCATED,
                       "%s: offset 0x%x: log file header cut off", f->name,
                       BUFFER_HEADER);
    f->first_time = e.time;
    r = reader_of(f->name, etl_payload(&e), etl_payload_size(&e),
                  BUFFER_HEADER + e.header, err);
    read_header(f, &r, e.width);
    read_clock(f, &r);
    if (r.failed)
        return err ? err->code : ERR_TRUNCATED;
    return check_header(f, err);
}
