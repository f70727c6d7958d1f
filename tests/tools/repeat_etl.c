/*
 * repeat_etl: a long log out of a short one.
 *
 *     repeat_etl TRACE.etl MEGABYTES OUT.etl
 *
 * Writes the buffers of TRACE again and again, unpacked, each time with later
 * times, until OUT has that size. Stacks name their events by time, so the
 * times in them move too. Processes, images and keys are the same each time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/format/etl/etl.h"
#include "engine/format/etl/event.h"
#include "tests/support/opened.h"

enum {
    FLAGS_AT = 0x34,
    PACKED = 0x40,
    STACK = 0x1820,
    KERNEL_KEY = 0x1825,
    USER_KEY = 0x1826
};

struct buffer {
    uint8_t header[BUFFER_HEADER];
    uint8_t *events;
    size_t size;
};

static struct entry read_trace(const char *path)
{
    struct entry entry = {.name = path};
    FILE *file = fopen(path, "rb");
    uint8_t *data;

    if (!file || fseek(file, 0, SEEK_END))
        return entry;
    entry.size = (size_t)ftell(file);
    rewind(file);
    entry.data = data = mem_new(entry.size + 1, 1);
    if (fread(data, 1, entry.size, file) != entry.size)
        entry.size = 0;
    fclose(file);
    return entry;
}

/* Adds `ticks` to the times of all events. Widens [first, last] to the times
 * that they had. */
static void move(const struct buffer *b, uint64_t ticks, uint64_t *first,
                 uint64_t *last)
{
    struct etl_event e;
    size_t pos = 0;

    while (etl_step_any(b->events, b->size, &pos, &e) == STEP_EVENT) {
        uint8_t *at = b->events + (e.at - b->events);
        uint64_t time = e.time + ticks;

        if (!e.time)
            continue;
        if (e.time < *first)
            *first = e.time;
        if (e.time > *last)
            *last = e.time;
        memcpy(at + etl_header_kinds[e.at[2]].time_at, &time, 8);
        if ((e.hook == STACK || e.hook == KERNEL_KEY || e.hook == USER_KEY) &&
            etl_payload_size(&e) >= 8) {
            time = load_u64(etl_payload(&e)) + ticks;
            memcpy(at + e.header, &time, 8);
        }
    }
}

static size_t write_buffer(const struct buffer *b, FILE *out)
{
    static const uint8_t zeros[8];
    uint8_t header[BUFFER_HEADER];
    uint32_t filled = (uint32_t)(BUFFER_HEADER + b->size);
    uint32_t size = (filled + 7) & ~7u;

    memcpy(header, b->header, sizeof(header));
    memcpy(header, &size, 4);
    memcpy(header + 4, &filled, 4);
    memcpy(header + 48, &filled, 4);
    header[FLAGS_AT] &= (uint8_t)~PACKED;
    fwrite(header, 1, sizeof(header), out);
    fwrite(b->events, 1, b->size, out);
    fwrite(zeros, 1, size - filled, out);
    return size;
}

/* The first buffer holds the header of the log: it is written once. */
static bool repeat(struct buffer *buffers, size_t count, size_t bytes,
                   FILE *out)
{
    uint64_t first = UINT64_MAX, last = 0;
    size_t written = write_buffer(&buffers[0], out);

    for (size_t i = 0; i < count; i++)
        move(&buffers[i], 0, &first, &last);
    while (written < bytes && !ferror(out)) {
        uint64_t none = 0, ticks = last - first + 1000;

        for (size_t i = 1; i < count; i++) {
            written += write_buffer(&buffers[i], out);
            move(&buffers[i], ticks, &none, &none);
        }
    }
    return !ferror(out);
}

static int by_offset(const void *a, const void *b)
{
    const struct etl_buffer *x = a, *y = b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

int main(int argc, char **argv)
{
    uint8_t *scratch = mem_new(LARGEST_BUFFER, 1);
    struct etl_file file;
    etl_buffers found = {0};
    struct buffer *buffers;
    struct entry entry;
    FILE *out;
    bool ok;

    if (argc != 4) {
        fprintf(stderr, "usage: repeat_etl TRACE.etl MEGABYTES OUT.etl\n");
        return 64;
    }
    entry = read_trace(argv[1]);
    if (etl_file_open(&file, &entry, NULL)) {
        fprintf(stderr, "%s: not an event trace log\n", argv[1]);
        return 1;
    }
    etl_index_file(&found, &file, 0, profile_new());
    if (found.len < 2) {
        fprintf(stderr, "%s: no events\n", argv[1]);
        return 1;
    }
    qsort(found.data, found.len, sizeof(found.data[0]), by_offset);
    buffers = mem_new(found.len, sizeof(buffers[0]));
    for (size_t i = 0; i < found.len; i++) {
        struct buffer *b = &buffers[i];
        bool damaged;
        struct bytes events =
            etl_buffer_events(&file, &found.data[i], scratch, &damaged);

        memcpy(b->header, entry.data + found.data[i].offset, BUFFER_HEADER);
        b->size = events.len;
        b->events = mem_new(events.len + 8, 1);
        memcpy(b->events, events.data, events.len);
    }
    out = fopen(argv[3], "wb");
    ok = out && repeat(buffers, found.len,
                       strtoul(argv[2], NULL, 10) * 1000 * 1000, out);
    if (!out || fclose(out) || !ok) {
        fprintf(stderr, "%s: cannot be written\n", argv[3]);
        return 1;
    }
    return 0;
}
