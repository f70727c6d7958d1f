#include "engine/attribution/jitdump_records.h"

#define MAGIC 0x4A695444u

enum { HEADER_SIZE = 40, RECORD_SIZE = 16, FLAGS = 32, PROCESSOR_CLOCK = 1 };

bool jitdump_probe(const uint8_t *data, size_t size)
{
    uint32_t magic = size < HEADER_SIZE ? 0 : load_u32(data);

    return magic == MAGIC || magic == __builtin_bswap32(MAGIC);
}

uint32_t jitdump_pid(const uint8_t *data, size_t size)
{
    enum { PID = 20 };
    bool swapped;

    if (!jitdump_probe(data, size))
        return 0;
    swapped = load_u32(data) != MAGIC;
    return swapped ? __builtin_bswap32(load_u32(data + PID))
                   : load_u32(data + PID);
}

bool jitdump_open(struct jitdump_records *d, const char *name,
                  const uint8_t *data, size_t size, struct err *err)
{
    struct reader r = reader_of(name, data, size, 0, NULL);
    uint32_t header;

    d->swapped = reader_u32(&r) != MAGIC;
    reader_skip(&r, 4);
    header = reader_u32_in(&r, d->swapped);
    if (header < HEADER_SIZE || header > size) {
        err_set(err, ERR_CORRUPT, "%s: offset 0x8: a header of %u bytes", name,
                header);
        return false;
    }
    r = reader_at(&r, FLAGS, "flags");
    d->processor_clock = reader_u64_in(&r, d->swapped) & PROCESSOR_CLOCK;
    r = reader_of(name, data, size, 0, NULL);
    d->reader = reader_at(&r, header, "records");
    return true;
}

bool jitdump_next(struct jitdump_records *d, struct jitdump_record *record)
{
    struct reader *r = &d->reader;
    uint32_t size;

    if (!reader_more(r))
        return false;
    record->id = reader_u32_in(r, d->swapped);
    size = reader_u32_in(r, d->swapped);
    record->time = reader_u64_in(r, d->swapped);
    if (size < RECORD_SIZE)
        reader_fail(r, ERR_CORRUPT, "size of a record");
    record->body = reader_sub(r, size - RECORD_SIZE, "record");
    record->body.err = NULL;
    return !r->failed;
}

bool jitdump_code(const struct jitdump_records *d, struct jitdump_record *rec,
                  struct jitdump_code *code)
{
    struct reader *r = &rec->body;

    *code = (struct jitdump_code){0};
    if (rec->id != JITDUMP_LOAD && rec->id != JITDUMP_MOVE)
        return false;
    reader_skip(r, 16);
    if (rec->id == JITDUMP_MOVE)
        code->old_start = reader_u64_in(r, d->swapped);
    code->start = reader_u64_in(r, d->swapped);
    code->size = reader_u64_in(r, d->swapped);
    code->index = reader_u64_in(r, d->swapped);
    if (rec->id == JITDUMP_LOAD)
        code->name = reader_cstr(r);
    return !r->failed;
}

struct bytes jitdump_frames(const struct jitdump_records *d,
                            struct jitdump_record *rec)
{
    struct reader *r = &rec->body;
    uint64_t size, header;
    struct bytes all;

    if (rec->id != JITDUMP_UNWINDING_INFO)
        return (struct bytes){0};
    size = reader_u64_in(r, d->swapped);
    header = reader_u64_in(r, d->swapped);
    reader_skip(r, 8);
    if (size > reader_left(r) || header > size)
        return (struct bytes){0};
    all = reader_bytes(r, (size_t)(size - header));
    if (r->failed)
        return (struct bytes){0};
    return all;
}
