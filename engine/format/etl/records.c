/*
 * The rare records: processes, threads, images, methods, and what the
 * recorder says of itself. They are kept as bytes until the last event is
 * in, since one may explain another that came before it (image identities,
 * volume names), and then read in order of time.
 *
 * (etl.md, sections 4.2 to 4.10)
 */
#include "engine/format/etl/records.h"

#include <string.h>

static const uint64_t NO_BASE = 0;

struct etl_records *etl_records_new(struct etl_recording *recording)
{
    struct etl_records *r = mem_new(1, sizeof(*r));

    r->recording = recording;
    r->facts = recording->facts;
    r->profile = recording->facts->profile;
    r->strings = r->profile->strings;
    return r;
}

void etl_records_free(struct etl_records *r)
{
    if (!r)
        return;
    vec_release(&r->list);
    arena_release(&r->bytes);
    volumes_release(&r->volumes);
    vec_release(&r->image_ids);
    map_release(&r->image_id_at);
    map_release(&r->script_sources);
    free(r);
}

void etl_records_add(struct etl_records *r, const struct etl_fact *fact,
                     bool lasting)
{
    const uint8_t *at = fact->bytes;
    uint64_t stacks = 0; /* counted when the event was decoded */
    struct etl_event e;
    size_t pos = 0;

    if (!lasting)
        at = arena_copy(&r->bytes, at, fact->count);
    if (etl_step(at, fact->count, &pos, &e) != STEP_EVENT)
        return;
    if (e.family == FAMILY_FULL)
        e.hook = etl_classic_hook(e.at + 24, e.at[4]);
    if (e.family == FAMILY_HEADER && !etl_pass_items(&e, &stacks))
        return;
    *vec_add(&r->list) = e;
}

/* Types 1 to 4 of the process and thread groups. */
static enum fact_event life_event(uint16_t hook)
{
    static const enum fact_event events[] = {
        [1] = FACT_BEGIN,
        [2] = FACT_END,
        [3] = FACT_AT_START,
        [4] = FACT_AT_STOP,
    };

    return events[hook & 7];
}

/* ---- processes ---- */

/*
 * The SID block: a zero u32 alone, or a TOKEN_USER of two pointers followed
 * by a SID: u8 revision 1, u8 n, 6 bytes, n u32. A zero TOKEN_USER may be
 * followed by a SID too, so the SID is looked for first.
 */
static void skip_sid(struct reader *r, unsigned width)
{
    struct reader probe = *r;
    uint8_t revision, n;
    uint32_t first = reader_u32(&probe);

    probe = *r;
    reader_skip(&probe, (size_t)2 * width);
    revision = reader_u8(&probe);
    n = reader_u8(&probe);
    if (!probe.failed && revision == 1 && n && n <= 15 &&
        reader_left(&probe) >= 6 + 4u * n) {
        reader_skip(&probe, 6 + 4u * n);
        *r = probe;
        return;
    }
    reader_skip(r, first ? 2 * width : 4);
}

/* By version:
 *   0   ptr pid, ptr parent, SID, image name
 *   1   ptr, u32 pid, u32 parent, u32, i32, SID, image name
 *   2   as 1, then command line
 *   3   as 2, with a ptr before the SID
 *   4   as 3, with a ptr and u32 flags before the SID
 * Names are 8-bit, command lines UTF-16. */
static void take_process(struct etl_records *r, const struct etl_event *e)
{
    struct reader in = payload_of(e);
    unsigned version = etl_version(e), width = e->width;
    struct process_fact fact = {
        .time = time_of(r, e),
        .event = e->hook == 0x0327 ? FACT_END : life_event(e->hook),
    };
    struct bytes name;

    if (!version) {
        fact.pid = (uint32_t)reader_ptr(&in, width);
        fact.parent_pid = (uint32_t)reader_ptr(&in, width);
    } else {
        reader_skip(&in, width);
        fact.pid = reader_u32(&in);
        fact.parent_pid = reader_u32(&in);
        reader_skip(&in, 8);
    }
    if (version >= 3)
        reader_skip(&in, width);
    if (version >= 4)
        reader_skip(&in, 4);
    if (in.failed) {
        r->profile->quality.malformed++;
        return;
    }
    skip_sid(&in, width);
    name = reader_cstr(&in);
    fact.name = strings_add(r->strings, (const char *)name.data, name.len);
    if (version >= 2)
        fact.command_line = utf16_string(r, &in);
    /* A defunct record repeats an end that has been told. */
    if (e->hook != 0x0327)
        facts_process(r->facts, &fact);
}

/* ---- threads ---- */

/* v0: u32 tid, u32 pid; later the other way round, then 7 pointers (6 and a
 * byte in v1); v3 and later may end in a name. */
static void take_thread(struct etl_records *r, const struct etl_event *e)
{
    struct reader in = payload_of(e);
    unsigned version = etl_version(e);
    struct thread_fact fact = {.time = time_of(r, e),
                               .event = life_event(e->hook)};
    uint32_t first = reader_u32(&in), second = reader_u32(&in);

    fact.pid = version ? first : second;
    fact.tid = version ? second : first;
    if (in.failed) {
        r->profile->quality.malformed++;
        return;
    }
    if (version >= 3) {
        reader_skip(&in, 7u * e->width + 4 + 4);
        fact.name = utf16_string(r, &in);
    }
    facts_thread(r->facts, &fact);
}

static void take_thread_name(struct etl_records *r, const struct etl_event *e)
{
    struct reader in = payload_of(e);
    struct thread_fact fact = {.time = time_of(r, e), .event = FACT_AT_START};

    fact.pid = reader_u32(&in);
    fact.tid = reader_u32(&in);
    fact.name = utf16_string(r, &in);
    if (in.failed)
        r->profile->quality.malformed++;
    else
        facts_thread(r->facts, &fact);
}

/* ---- images ---- */

static enum fact_event image_event(uint16_t hook)
{
    switch (hook) {
    case 0x030A:
        return FACT_BEGIN;
    case 0x1402:
        return FACT_END;
    case 0x1403:
        return FACT_AT_START;
    default:
        return FACT_AT_STOP;
    }
}

/* By version:
 *   0     ptr base, u32 size, name
 *   1     ptr base, ptr size, u32 pid, name
 *   2, 3  ptr base, ptr size, u32 pid, u32 checksum, u32 link time stamp,
 *         4 bytes, ptr, 4 u32, name */
static void take_image(struct etl_records *r, const struct etl_event *e)
{
    struct reader in = payload_of(e);
    unsigned version = etl_version(e), width = e->width;
    struct image_fact fact = {.time = time_of(r, e),
                              .event = image_event(e->hook)};
    struct module module = {0};

    fact.base = reader_ptr(&in, width);
    fact.size = version ? reader_ptr(&in, width) : reader_u32(&in);
    if (version)
        fact.pid = reader_u32(&in);
    if (version >= 2) {
        reader_skip(&in, 4);
        module.identity.timestamp = reader_u32(&in);
        reader_skip(&in, 4 + width + 16);
    }
    module.path = volumes_path(&r->volumes, r->strings, utf16_string(r, &in));
    if (in.failed || !fact.size || !module.path) {
        r->profile->quality.malformed++;
        return;
    }
    module.identity.image_size = (uint32_t)fact.size;
    apply_image_id(r, e->time, fact.pid, fact.base, &module.identity);
    fact.kernel = fact.pid == 0;
    fact.module = facts_module(r->facts, &module);
    facts_image(r->facts, &fact);
}

static void take_hypercall_page(struct etl_records *r,
                                const struct etl_event *e)
{
    struct reader in = payload_of(e);

    r->facts->hypercall_page = reader_ptr(&in, e->width);
}

/* ---- image identities: they precede the image record they describe ---- */

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

void apply_image_id(const struct etl_records *r, uint64_t time, uint32_t pid,
                    uint64_t base, struct identity *identity)
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

/* Opcode 0: ptr base, ptr size, u32 pid, u32 link time stamp, file name.
 * Opcode 36: ptr base, u32 pid, GUID, u32 age, 8-bit PDB name. */
static void take_image_id(struct etl_records *r, const struct etl_event *e)
{
    struct reader in = payload_of(e);
    uint8_t opcode = e->at[4];
    uint64_t base = reader_ptr(&in, e->width);
    struct bytes guid, name;
    struct image_id *id;
    uint32_t pid;

    if (opcode != 0 && opcode != 36)
        return;
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

/* ---- the machine ---- */

/* Opcode 35: NT path prefix, DOS path prefix. */
static void take_system_config(struct etl_records *r,
                               const struct etl_event *e)
{
    struct reader in = payload_of(e);
    uint32_t nt, dos;

    if (e->at[4] != 35)
        return;
    nt = utf16_string(r, &in);
    dos = utf16_string(r, &in);
    volumes_add(&r->volumes, strings_get(r->strings, nt),
                strings_get(r->strings, dos));
}

/* SystemConfig CPU v3: computer name at 20, 256 characters. */
static void take_cpu_config(struct etl_records *r, const struct etl_event *e)
{
    struct reader in = payload_of(e), name;

    if (etl_version(e) < 3)
        return;
    reader_skip(&in, 20);
    name = reader_sub(&in, 512, "computer name");
    if (!in.failed)
        r->profile->trace.machine = utf16_string(r, &name);
}

/* u32 source, u32 new, u32 old interval, in 100 ns. Source 0 is the timer.
 * The interval in force at the start is what the samples before a change
 * were taken with: of several records the first one tells it. */
static void take_interval(struct etl_records *r, const struct etl_event *e)
{
    struct reader in = payload_of(e);
    uint32_t source = reader_u32(&in), now = reader_u32(&in);
    uint32_t before = reader_u32(&in);
    uint32_t interval = e->hook == 0x0F49 ? now : before;

    if (in.failed || source || !interval || r->profile->trace.interval_ns)
        return;
    r->profile->trace.interval_ns = (int64_t)interval * 100;
}

/* ---- all of them ---- */

static void take_kernel(struct etl_records *r, const struct etl_event *e)
{
    switch (e->hook >> 8) {
    case 0x03:
        if (e->hook == 0x030A)
            take_image(r, e);
        else
            take_process(r, e);
        break;
    case 0x05:
        if (e->hook == 0x0548)
            take_thread_name(r, e);
        else
            take_thread(r, e);
        break;
    case 0x0B:
        take_cpu_config(r, e);
        break;
    case 0x0F:
        take_interval(r, e);
        break;
    case 0x14:
        if (e->hook == 0x1422)
            take_hypercall_page(r, e);
        else
            take_image(r, e);
        break;
    }
}

/* Volume names and identities first: records before them need them. */
static void take_preliminaries(struct etl_records *r)
{
    for (size_t i = 0; i < r->list.len; i++) {
        const struct etl_event *e = &r->list.data[i];

        if (e->family != FAMILY_FULL || e->hook)
            continue;
        if (etl_provider_of(e->at + 24) == CLASS_SYSTEM_CONFIG)
            take_system_config(r, e);
        else if (etl_provider_of(e->at + 24) == CLASS_IMAGE_ID)
            take_image_id(r, e);
    }
    volumes_sort(&r->volumes);
}

void etl_records_finish(struct etl_records *r)
{
    take_preliminaries(r);
    for (size_t i = 0; i < r->list.len; i++) {
        const struct etl_event *e = &r->list.data[i];

        if (e->hook)
            take_kernel(r, e);
        else
            records_take_code(r, e);
    }
    records_name_sources(r);
}
