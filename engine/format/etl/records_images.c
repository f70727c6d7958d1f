/*
 * Records of images: where they lie, and what they are. An identity belongs
 * to the image record of the same time, process and base.
 *
 * (format.md, sections 4.6 and 4.7)
 */
#include <string.h>

#include "engine/format/etl/records.h"

static const uint64_t NO_BASE = 0;

static uint32_t image_id_slot(struct etl_records *r, uint64_t time,
                              uint32_t pid, uint64_t base)
{
    /* (time, base) is one key: fold it, then compare in full. */
    uint64_t key = time * 0x9E3779B97F4A7C15u ^ base;

    return map_add(&r->image_id_at, key, pid, (uint32_t)r->image_ids.len);
}

static struct image_id *image_id_of(struct etl_records *r, uint64_t time,
                                    uint32_t pid, uint64_t base)
{
    uint32_t slot = image_id_slot(r, time, pid, base);

    if (slot == r->image_ids.len)
        *vec_add(&r->image_ids) =
            (struct image_id){.time = time, .pid = pid, .base = base};
    return &r->image_ids.data[slot];
}

static void apply_image_id(const struct etl_records *r, uint64_t time,
                           uint32_t pid, uint64_t base,
                           struct identity *identity)
{
    uint64_t key = time * 0x9E3779B97F4A7C15u ^ base;
    uint32_t slot = map_get(&r->image_id_at, key, pid);
    const struct image_id *id;

    if (slot == MAP_NONE)
        return;
    id = &r->image_ids.data[slot];
    if (id->time != time || id->base != base)
        return;
    if (id->timestamp)
        identity->timestamp = id->timestamp;
    if (!id->pdb_name)
        return;
    memcpy(identity->guid, id->guid, sizeof(id->guid));
    identity->age = id->age;
    identity->pdb_name = id->pdb_name;
}

/* Opcode 64: u32 image size, u32 link time stamp, then texts: file name,
 * description, two versions, language, product, company. */
static void take_file_version(struct etl_records *r, struct reader *in)
{
    enum { BEFORE_PRODUCT = 5 };
    uint32_t size = reader_u32(in), stamp = reader_u32(in);
    uint32_t product, company;

    for (int i = 0; i < BEFORE_PRODUCT; i++)
        reader_utf16(in);
    product = utf16_string(r, in);
    company = utf16_string(r, in);
    if (!in->failed && (product || company))
        map_set(&r->makers, size, stamp,
                strings_addf(r->strings, "%s, %s",
                             strings_get(r->strings, company),
                             strings_get(r->strings, product)));
}

static uint32_t maker_of(const struct etl_records *r, const struct identity *id)
{
    uint32_t maker = r->makers.used
                         ? map_get(&r->makers, id->image_size, id->timestamp)
                         : MAP_NONE;

    return maker == MAP_NONE ? 0 : maker;
}

/* Opcode 0: ptr base, ptr size, u32 pid, u32 link time stamp, file name.
 * Opcode 36: ptr base, u32 pid, GUID, u32 age, 8-bit PDB name. */
void records_take_image_id(struct etl_records *r,
                           const struct etl_event *e)
{
    struct reader in = payload_of(e);
    uint8_t opcode = e->at[4];
    struct bytes guid, name;
    struct image_id *id;
    uint32_t pid;
    uint64_t base;

    if (opcode == 64)
        take_file_version(r, &in);
    if (opcode != 0 && opcode != 36)
        return;
    base = reader_ptr(&in, e->width);
    if (!opcode)
        reader_skip(&in, e->width);
    pid = reader_u32(&in);
    if (in.failed || base == NO_BASE)
        return;
    id = image_id_of(r, e->time, pid, base);
    if (!opcode) {
        id->timestamp = reader_u32(&in);
        return;
    }
    guid = reader_bytes(&in, sizeof(id->guid));
    id->age = reader_u32(&in);
    name = reader_cstr(&in);
    if (in.failed)
        return;
    memcpy(id->guid, guid.data, guid.len);
    id->pdb_name = strings_add(r->strings, (const char *)name.data, name.len);
}

/* Version 0 has no process. */
static struct reader image_place(const struct etl_event *e, uint64_t *base,
                                 uint64_t *size, uint32_t *pid)
{
    struct reader in = payload_of(e);
    bool sized = etl_version(e);

    *base = reader_ptr(&in, e->width);
    *size = sized ? reader_ptr(&in, e->width) : reader_u32(&in);
    *pid = sized ? reader_u32(&in) : 0;
    return in;
}

/* By version:
 *   0     ptr base, u32 size, name
 *   1     ptr base, ptr size, u32 pid, name
 *   2, 3  ptr base, ptr size, u32 pid, u32 checksum, u32 link time stamp,
 *         4 bytes, ptr, 4 u32, name */
void records_take_image(struct etl_records *r, const struct etl_event *e,
                        const struct etl_hook *hook)
{
    struct observed_image fact = {.time = time_of(r, e), .event = hook->life};
    struct reader in =
        image_place(e, &fact.base, &fact.size, &fact.pid);
    struct module module = {0};

    if (etl_version(e) >= 2) {
        reader_skip(&in, 4);
        module.identity.timestamp = reader_u32(&in);
        reader_skip(&in, 4 + e->width + 16);
    }
    module.path = volumes_path(&r->volumes, r->strings, utf16_string(r, &in));
    if (in.failed || !fact.size || !module.path) {
        r->profile->quality.malformed++;
        return;
    }
    module.identity.image_size = (uint32_t)fact.size;
    apply_image_id(r, e->time, fact.pid, fact.base, &module.identity);
    module.maker = maker_of(r, &module.identity);
    fact.kernel = fact.pid == 0;
    fact.module = observe_module(r->seen, &module);
    observe_image(r->seen, &fact);
}

void records_take_hypercall_page(struct etl_records *r,
                                 const struct etl_event *e)
{
    struct reader in = payload_of(e);

    r->seen->hypercall_page = reader_ptr(&in, e->width);
}
