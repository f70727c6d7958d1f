/*
 * The rare records: processes, threads, images, methods, and what the
 * recorder says of itself. They are kept as bytes until the last event is
 * in, since one may explain another that came before it (image identities,
 * volume names), and then read in order of time.
 *
 * (format.md, sections 4.2 to 4.10)
 */
#include "engine/format/etl/records.h"

#include <string.h>
#include <strings.h>

struct etl_records *etl_records_new(struct etl_recording *recording)
{
    struct etl_records *r = mem_new(1, sizeof(*r));

    r->recording = recording;
    r->seen = recording->seen;
    r->profile = recording->seen->profile;
    r->strings = r->profile->strings;
    return r;
}

void etl_records_free(struct etl_records *r)
{
    if (!r)
        return;
    vec_release(&r->list);
    vec_release(&r->volumes.list);
    map_release(&r->volumes.known);
    vec_release(&r->image_ids);
    map_release(&r->image_id_at);
    map_release(&r->makers);
    map_release(&r->script_sources);
    free(r);
}

/* Descriptions of other events are handed on: nothing else is in them. */
static bool describes_events(struct etl_records *r, const struct etl_fact *fact)
{
    struct event_naming *naming = r->seen->naming;
    struct event_description d = {.manifest = false};
    struct etl_items items;
    struct etl_event e;
    size_t pos = 0;

    if (etl_step(fact->bytes, fact->count, &pos, &e) != STEP_EVENT)
        return false;
    d.manifest = e.family == FAMILY_HEADER;
    d.guid = e.at + 24;
    if (d.manifest ? !etl_is_manifest_part(e.at) || !etl_pass_items(&e, &items)
                   : e.family != FAMILY_FULL || !etl_is_event_metadata(d.guid))
        return false;
    d.opcode = e.at[4];
    d.tid = load_u32(e.at + 8);
    d.pid = load_u32(e.at + 12);
    d.payload = (struct bytes){etl_payload(&e), etl_payload_size(&e)};
    naming->describe(naming, &d);
    return true;
}

void etl_records_add(struct etl_records *r, const struct etl_fact *fact,
                     bool lasting)
{
    const uint8_t *at = fact->bytes;
    struct etl_items items;
    struct etl_event e;
    size_t pos = 0;

    if (describes_events(r, fact))
        return;
    if (!lasting)
        at = arena_copy(&r->seen->kept, at, fact->count);
    if (etl_step(at, fact->count, &pos, &e) != STEP_EVENT)
        return;
    if (e.family == FAMILY_FULL)
        e.hook = etl_classic_hook(e.at + 24, e.at[4]);
    if (e.family == FAMILY_HEADER && !etl_pass_items(&e, &items))
        return;
    *vec_add(&r->list) = e;
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

/* The reader is behind the ids, unless it failed. */
static struct reader process_ids(const struct etl_event *e, uint32_t *pid,
                                 uint32_t *parent)
{
    struct reader in = payload_of(e);

    if (!etl_version(e)) {
        *pid = (uint32_t)reader_ptr(&in, e->width);
        *parent = (uint32_t)reader_ptr(&in, e->width);
        return in;
    }
    reader_skip(&in, e->width);
    *pid = reader_u32(&in);
    *parent = reader_u32(&in);
    reader_skip(&in, 8);
    return in;
}

/* By version:
 *   0   ptr pid, ptr parent, SID, image name
 *   1   ptr, u32 pid, u32 parent, u32, i32, SID, image name
 *   2   as 1, then command line
 *   3   as 2, with a ptr before the SID
 *   4   as 3, with a ptr and u32 flags before the SID
 * Names are 8-bit, command lines UTF-16. */
static void take_process(struct etl_records *r, const struct etl_event *e,
                         const struct etl_hook *hook)
{
    unsigned version = etl_version(e), width = e->width;
    struct observed_process fact = {
        .time = time_of(r, e),
        .event = hook->life,
    };
    struct reader in = process_ids(e, &fact.pid, &fact.parent_pid);
    struct bytes name;

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
    if (hook->use != USE_DEFUNCT)
        observe_process(r->seen, &fact);
}

/* ---- threads ---- */

/* v0: u32 tid, u32 pid; later the other way round, then 7 pointers (6 and a
 * byte in v1); v3 and later may end in a name. */
static void take_thread(struct etl_records *r, const struct etl_event *e,
                        const struct etl_hook *hook)
{
    struct observed_thread fact = {.time = time_of(r, e), .event = hook->life};
    struct reader in = payload_of(e);
    uint32_t first = reader_u32(&in), second = reader_u32(&in);

    fact.pid = etl_version(e) ? first : second;
    fact.tid = etl_version(e) ? second : first;
    if (in.failed) {
        r->profile->quality.malformed++;
        return;
    }
    if (etl_version(e) >= 3) {
        reader_skip(&in, 7u * e->width + 4 + 4);
        fact.name = utf16_string(r, &in);
    }
    observe_thread(r->seen, &fact);
}

static void take_thread_name(struct etl_records *r, const struct etl_event *e)
{
    struct reader in = payload_of(e);
    struct observed_thread fact = {.time = time_of(r, e),
                                   .event = SEEN_AT_START};

    fact.pid = reader_u32(&in);
    fact.tid = reader_u32(&in);
    fact.name = utf16_string(r, &in);
    if (in.failed)
        r->profile->quality.malformed++;
    else
        observe_thread(r->seen, &fact);
}

/* ---- the machine ---- */

static int compare_volumes(const void *a, const void *b)
{
    const struct volume *x = a, *y = b;
    size_t nx = strlen(x->nt), ny = strlen(y->nt);

    if (nx != ny)
        return nx > ny ? -1 : 1;
    return strcasecmp(x->nt, y->nt);
}

/* Opcode 35: NT path prefix, DOS path prefix. */
static void take_system_config(struct etl_records *r, const struct etl_event *e)
{
    struct reader in = payload_of(e);
    const char *nt, *dos;

    if (e->at[4] != 35)
        return;
    nt = strings_get(r->strings, utf16_string(r, &in));
    dos = strings_get(r->strings, utf16_string(r, &in));
    if (*nt)
        *vec_add(&r->volumes.list) = (struct volume){nt, dos};
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
static void take_interval(struct etl_records *r, const struct etl_event *e,
                          const struct etl_hook *hook)
{
    struct reader in = payload_of(e);
    uint32_t source = reader_u32(&in), now = reader_u32(&in);
    uint32_t before = reader_u32(&in);
    uint32_t interval = hook->use == USE_INTERVAL_AT_START ? now : before;

    if (in.failed || source || !interval || r->profile->trace.interval_ns ||
        (r->recording->choice && r->recording->choice->name))
        return;
    r->profile->trace.interval_ns = (int64_t)interval * 100;
}

/* ---- images ---- */

/* The path that a person knows; `path` itself when no volume maps it. Every
 * process has the same paths. */
static uint32_t volumes_path(struct volumes *v, struct strings *strings,
                             uint32_t path)
{
    const char *text = strings_get(strings, path);
    uint32_t mapped = map_get(&v->known, path, 0);

    if (mapped != MAP_NONE)
        return mapped;
    mapped = path;
    for (size_t i = 0; i < v->list.len && mapped == path; i++) {
        const struct volume *volume = &v->list.data[i];
        size_t n = strlen(volume->nt);

        if (!strncasecmp(text, volume->nt, n))
            mapped = strings_addf(strings, "%s%s", volume->dos, text + n);
    }
    map_set(&v->known, path, 0, mapped);
    return mapped;
}

/* An identity belongs to the image record of the same time, process and
 * base. (format.md, sections 4.6 and 4.7) */

static const uint64_t NO_BASE = 0;

/* (time, base) is one key: it is folded here and compared in full later. */
static uint64_t image_id_key(uint64_t time, uint64_t base)
{
    return time * 0x9E3779B97F4A7C15u ^ base;
}

static struct image_id *image_id_of(struct etl_records *r, uint64_t time,
                                    uint32_t pid, uint64_t base)
{
    uint32_t fresh = mem_next_id(r->image_ids.len);
    uint32_t id =
        map_add(&r->image_id_at, image_id_key(time, base), pid, fresh);

    if (id == fresh)
        *vec_add(&r->image_ids) =
            (struct image_id){.time = time, .pid = pid, .base = base};
    return &r->image_ids.data[id];
}

static void apply_image_id(const struct etl_records *r, uint64_t time,
                           uint32_t pid, uint64_t base,
                           struct identity *identity)
{
    uint32_t slot = map_get(&r->image_id_at, image_id_key(time, base), pid);
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

/* Opcode 0: ptr base, ptr size, u32 pid, u32 link time stamp, file name.
 * Opcode 36: ptr base, u32 pid, GUID, u32 age, 8-bit PDB name. */
static void records_take_image_id(struct etl_records *r,
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

/* By version:
 *   0     ptr base, u32 size, name
 *   1     ptr base, ptr size, u32 pid, name
 *   2, 3  ptr base, ptr size, u32 pid, u32 checksum, u32 link time stamp,
 *         4 bytes, ptr, 4 u32, name */
static void records_take_image(struct etl_records *r, const struct etl_event *e,
                               const struct etl_hook *hook)
{
    struct observed_image fact = {.time = time_of(r, e), .event = hook->life};
    struct reader in = payload_of(e);
    struct module module = {0};
    bool sized = etl_version(e);
    uint32_t maker;

    fact.base = reader_ptr(&in, e->width);
    fact.size = sized ? reader_ptr(&in, e->width) : reader_u32(&in);
    fact.pid = sized ? reader_u32(&in) : 0;
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
    maker = map_get(&r->makers, module.identity.image_size,
                    module.identity.timestamp);
    module.maker = maker == MAP_NONE ? 0 : maker;
    fact.kernel = fact.pid == 0;
    fact.module = observe_module(r->seen, &module);
    observe_image(r->seen, &fact);
}

/* ---- all of them ---- */

static void take_kernel(struct etl_records *r, const struct etl_event *e)
{
    const struct etl_hook *hook = etl_hook_find(e->hook);
    struct reader in;

    switch (hook ? hook->use : USE_COUNT) {
    case USE_PROCESS:
    case USE_DEFUNCT:
        take_process(r, e, hook);
        break;
    case USE_THREAD:
        take_thread(r, e, hook);
        break;
    case USE_THREAD_NAME:
        take_thread_name(r, e);
        break;
    case USE_IMAGE:
        records_take_image(r, e, hook);
        break;
    case USE_HYPERCALL_PAGE:
        in = payload_of(e);
        r->seen->hypercall_page = reader_ptr(&in, e->width);
        break;
    case USE_CPU_CONFIG:
        take_cpu_config(r, e);
        break;
    case USE_GROUP_MASKS:
        if (etl_payload_size(e) < 8)
            break;
        r->masks[0] |= load_u32(etl_payload(e));
        r->masks[1] |= load_u32(etl_payload(e) + 4);
        break;
    case USE_INTERVAL:
    case USE_INTERVAL_AT_START:
        take_interval(r, e, hook);
        break;
    default:
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
            records_take_image_id(r, e);
    }
    if (r->volumes.list.len)
        qsort(r->volumes.list.data, r->volumes.list.len, sizeof(struct volume),
              compare_volumes);
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
    etl_group_masks(r->masks, r->profile);
}
