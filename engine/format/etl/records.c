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
    volumes_release(&r->volumes);
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

static struct reader thread_ids(const struct etl_event *e, uint32_t *pid,
                                uint32_t *tid)
{
    struct reader in = payload_of(e);
    uint32_t first = reader_u32(&in), second = reader_u32(&in);

    *pid = etl_version(e) ? first : second;
    *tid = etl_version(e) ? second : first;
    return in;
}

/* v0: u32 tid, u32 pid; later the other way round, then 7 pointers (6 and a
 * byte in v1); v3 and later may end in a name. */
static void take_thread(struct etl_records *r, const struct etl_event *e,
                        const struct etl_hook *hook)
{
    struct observed_thread fact = {.time = time_of(r, e), .event = hook->life};
    struct reader in = thread_ids(e, &fact.pid, &fact.tid);

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

/* ---- all of them ---- */

static void take_kernel(struct etl_records *r, const struct etl_event *e)
{
    const struct etl_hook *hook = etl_hook_find(e->hook);

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
        records_take_hypercall_page(r, e);
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
    etl_group_masks(r->masks, r->profile);
}
