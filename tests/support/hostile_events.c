#include "tests/support/hostile.h"

#include <stdlib.h>

#include "tests/support/nettrace_writer.h"
#include "tests/support/zip_writer.h"

/* Descriptions of events' fields, and names saved beside a recording. */

enum {
    CODE_STRUCT = 1,
    CODE_INT32 = 9,
    CODE_FIXED_ARRAY = 22,
    CPU_KIND = 1,
    OTHER_KIND = 2,
    ARRAYS = 7, /* within each other */
};

/* A kind of events whose fields these are, each behind its size. */
static void put_described(struct nettrace_writer *w, unsigned count,
                          const byte_vec *fields)
{
    byte_vec row = {0};

    nettrace_begin_block(w, NT_BLOCK_METADATA);
    put_number(&w->block, 0, 2);
    put_varint(&row, OTHER_KIND);
    put_string(&row, "Other");
    put_varint(&row, 1);
    put_string(&row, "Happened");
    put_number(&row, count, 2);
    put_bytes(&row, fields->data, fields->len);
    put_number(&row, 0, 2);
    put_number(&w->block, row.len, 2);
    put_bytes(&w->block, row.data, row.len);
    nettrace_end_block(w);
    vec_release(&row);
}

static void put_field(byte_vec *fields, const byte_vec *type)
{
    byte_vec field = {0};

    put_string(&field, "a");
    put_bytes(&field, type->data, type->len);
    put_number(fields, field.len, 2);
    put_bytes(fields, field.data, field.len);
    vec_release(&field);
}

/* Samples, and as many events of the kind with a few bytes each. */
static void put_events(struct nettrace_writer *w, size_t size)
{
    static const uint64_t frame = 0x1000;
    static const uint8_t payload[64];

    nettrace_kind(w, CPU_KIND, "Universal.Events", 1, "cpu", 0);
    nettrace_thread(w, 1, 100, 101);
    nettrace_stack(w, 1, &frame, 1);
    for (uint64_t i = 1; w->out.len + w->block.len < size; i++)
        nettrace_event(w, &(struct nettrace_event){
                              .kind = i % 2 ? CPU_KIND : OTHER_KIND,
                              .thread = 1,
                              .capture_thread = 1,
                              .stack = 1,
                              .sequence = (uint32_t)i,
                              .time = i,
                              .payload = i % 2 ? "\0" : (const char *)payload,
                              .size = i % 2 ? 1 : sizeof(payload)});
}

static void end(struct nettrace_writer *w, byte_vec *fields, byte_vec *type,
                struct blob *b)
{
    nettrace_end(w);
    blob_bytes(b, w->out.data, w->out.len);
    nettrace_writer_free(w);
    vec_release(fields);
    vec_release(type);
}

/* Arrays of 65,535 arrays of ... structs that take no bytes. */
static void arrays_of_nothing(struct blob *b, size_t size)
{
    struct nettrace_writer *w = nettrace_writer_new(6, true);
    byte_vec fields = {0}, type = {0};

    put_bytes(&type, (uint8_t[ARRAYS]){[0 ... ARRAYS - 1] = CODE_FIXED_ARRAY},
              ARRAYS);
    blob_pack(&type, "BH", CODE_STRUCT, 0);
    for (unsigned i = 0; i < ARRAYS; i++)
        put_number(&type, 0xFFFF, 2);
    put_field(&fields, &type);
    put_described(w, 1, &fields);
    put_events(w, size);
    end(w, &fields, &type, b);
}

/* Structs in structs, each with two more. */
static void structs(struct blob *b, size_t size)
{
    enum { LEVELS = 12 };
    struct nettrace_writer *w = nettrace_writer_new(6, true);
    byte_vec fields = {0}, type = {0};

    put_number(&type, CODE_INT32, 1);
    for (unsigned i = 0; i < LEVELS; i++) {
        byte_vec inner = {0}, outer = {0};

        put_field(&inner, &type);
        put_field(&inner, &type);
        blob_pack(&outer, "BH", CODE_STRUCT, 2);
        put_bytes(&outer, inner.data, inner.len);
        vec_release(&inner);
        vec_release(&type);
        type = outer;
    }
    put_field(&fields, &type);
    put_described(w, 1, &fields);
    put_events(w, size);
    end(w, &fields, &type, b);
}

/* More fields than the events have bytes. */
static void many_fields(struct blob *b, size_t size)
{
    enum { FIELDS = 10000 };
    struct nettrace_writer *w = nettrace_writer_new(6, true);
    byte_vec fields = {0}, type = {0};

    put_number(&type, CODE_INT32, 1);
    for (unsigned i = 0; i < FIELDS; i++)
        put_field(&fields, &type);
    put_described(w, FIELDS, &fields);
    put_events(w, size);
    end(w, &fields, &type, b);
}

/* ---- saved names ---- */

/* Arrays of objects that are all nulls: 9 bytes and 5 for 2^31 of them. */
static struct blob nulls(size_t size)
{
    struct blob b = {0};

    blob_pack(&b, "BIIII", 0, 1, UINT32_MAX, 1, 0);
    for (uint32_t i = 1; b.len < size; i++) {
        blob_pack(&b, "BIIBI", 16, i, INT32_MAX, 14, INT32_MAX);
    }
    return b;
}

static void saved_nulls(struct blob *b, size_t size)
{
    struct blob log = {0}, names = nulls(size / 2), zip;

    (void)hostile_make("keys.etl", size / 2, &log);
    zip = zip_make(
        (struct zip_member[]){{"a.etl", log.data, log.len, false},
                              {"symbols.bin", names.data, names.len, false}},
        2);
    blob_bytes(b, zip.data, zip.len);
    free(zip.data);
    free(log.data);
    free(names.data);
}

const struct hostile_kind hostile_events[] = {
    {"arrays-of-nothing.nettrace", arrays_of_nothing},
    {"structs.nettrace", structs},
    {"many-fields.nettrace", many_fields},
    {"nulls.vspx", saved_nulls},
    {NULL, NULL},
};
