/*
 * One buffer into facts. Runs on any thread; shares nothing.
 *
 *   SampledProfile v2, hook 0x0F2E          StackWalk, hook 0x18xx
 *     0      ptr  instruction pointer         0x20  u64 stamp, u32 pid,
 *     8/4    u32  tid                               u32 tid, ptr frames[]
 *     14/10  u8   1 DPC, 2 ISR                0x22..0x24  ptr key,
 *                                                   ptr frames[]
 *                                             0x25, 0x26  u64 stamp, u32 pid,
 *                                                   u32 tid, ptr key
 *
 * (format.md, sections 4.2, 4.3)
 *
 * An event goes to the functions here by value, and to those of other files
 * as a copy: the loop over them then has its own in registers.
 */
#include <string.h>

#include "engine/attribution/clr.h"
#include "engine/base/hash.h"
#include "engine/format/etl/decoder.h"
#include "engine/format/etl/guids.h"
#include "engine/format/etl/hooks.h"

static void decode_sample(struct decoder *d, struct etl_event e)
{
    const uint8_t *p = etl_payload(&e);
    struct etl_fact *fact;

    if (etl_payload_size(&e) < e.width + 8u) {
        d->counts->malformed++;
        return;
    }
    fact = decoder_add_sample(d, e.time, load_u32(p + e.width),
                              p[e.width + 6] & SAMPLE_BITS);
    if (fact)
        fact->value = load_ptr(p, e.width);
}

/* The frames of a part or of a key's definition. A recorder writes at most
 * 192 of them; of more, which would let a small file describe a huge tree,
 * the innermost are kept. */
void decoder_set_frames(struct decoder *d, struct etl_fact *fact,
                        const uint8_t *frames, uint32_t count, uint8_t width)
{
    struct callchain run = {frames, count, width, NULL};

    fact->bytes = frames;
    fact->count = count;
    fact->run = (uint32_t)d->out->runs.len;
    fact->wide = width == 8;
    fact->user = callchain_frame(&run, count - 1) < d->kernel_from;
    *vec_add(&d->out->runs) = (struct etl_run){callchain_fingerprint(&run),
                                               (uint32_t)d->out->facts.len - 1};
}

/* A part of the stack; its outermost frame says of which mode. */
static void add_part(struct decoder *d, uint64_t time,
                     const struct stack_owner *owner, const uint8_t *frames,
                     uint32_t count)
{
    struct etl_fact *fact = decoder_add(d, ETL_PART, time);

    fact->value = owner->stamp;
    fact->pid = owner->pid;
    fact->tid = owner->tid;
    decoder_set_frames(d, fact, frames, count, owner->width);
}

/* Where the kernel part ends that an inline stack begins with. */
static uint32_t leading_kernel_frames(const struct decoder *d,
                                      const uint8_t *frames, uint32_t count,
                                      uint32_t width)
{
    const struct callchain run = {frames, count, width, NULL};
    uint32_t n = 0;

    while (n < count && callchain_frame(&run, n) >= d->kernel_from)
        n++;
    return n;
}

/* A user part may lead through the kernel: a callback into user mode has its
 * callers there, and these theirs in user mode again. */
void decoder_add_stack(struct decoder *d, uint64_t time,
                       const struct stack_owner *owner, const uint8_t *frames,
                       uint32_t count)
{
    uint32_t width = owner->width, kernel = count;

    if (load_ptr(frames + (size_t)(count - 1) * width, width) < d->kernel_from)
        kernel = leading_kernel_frames(d, frames, count, width);
    if (kernel)
        add_part(d, time, owner, frames, kernel);
    if (kernel < count)
        add_part(d, time, owner, frames + (size_t)kernel * width,
                 count - kernel);
}

static void decode_stack(struct decoder *d, struct etl_event e)
{
    const uint8_t *p = etl_payload(&e);
    struct stack_owner owner;

    if (etl_payload_size(&e) < 16u + e.width) {
        d->counts->malformed++;
        return;
    }
    owner = (struct stack_owner){
        .stamp = load_u64(p),
        .pid = load_u32(p + 8),
        .tid = load_u32(p + 12),
        .width = e.width,
    };
    decoder_add_stack(d, e.time, &owner, p + 16,
                      pointers_in(etl_payload_size(&e) - 16, e.width));
}

static void decode_keyed_stack(struct decoder *d, struct etl_event e, bool user)
{
    const uint8_t *p = etl_payload(&e);
    struct etl_fact *fact;

    if (etl_payload_size(&e) < 16u + e.width) {
        d->counts->malformed++;
        return;
    }
    fact = decoder_add(d, ETL_KEYED_PART, e.time);
    fact->value = load_u64(p);
    fact->pid = load_u32(p + 8);
    fact->tid = load_u32(p + 12);
    fact->key = load_ptr(p + 16, e.width);
    fact->user = user;
}

static void decode_definition(struct decoder *d, struct etl_event e)
{
    const uint8_t *p = etl_payload(&e);
    uint32_t width = e.width, size = etl_payload_size(&e);
    struct etl_fact *fact;

    if (size < 2 * width) {
        d->counts->malformed++;
        return;
    }
    fact = decoder_add(d, ETL_DEFINITION, e.time);
    fact->value = load_ptr(p, width);
    decoder_set_frames(d, fact, p + width, pointers_in(size, width) - 1,
                       e.width);
}

static void keep_record(struct decoder *d, struct etl_event e)
{
    struct etl_fact *fact = decoder_add(d, ETL_RECORD, e.time);

    fact->bytes = e.at;
    fact->count = e.size;
}

static void count_source(struct decoder *d, struct etl_event e)
{
    uint32_t source = etl_counter_source(&e);

    if (source < ETL_SOURCES)
        d->counts->sources |= (uint64_t)1 << source;
}

static void decode_kernel(struct decoder *d, struct etl_event e)
{
    enum etl_use use = etl_hook_use(e.hook);

    d->counts->hooks[e.hook]++;
    if (d->choice) {
        struct etl_event copy = e;

        decode_chosen_kernel(d, &copy);
    }
    switch (use) {
    case USE_COUNT:
        break;
    case USE_SAMPLE:
        if (!d->choice)
            decode_sample(d, e);
        break;
    case USE_STACK:
        decode_stack(d, e);
        break;
    case USE_KERNEL_KEY:
    case USE_USER_KEY:
        decode_keyed_stack(d, e, use == USE_USER_KEY);
        break;
    case USE_DEFINITION:
        decode_definition(d, e);
        break;
    case USE_COUNTER:
        count_source(d, e);
        break;
    default:
        keep_record(d, e);
    }
}

/* Kinds that are called alike are joined when they have names. */
static void count_kind(struct etl_counts *counts,
                       const struct etl_provider_count *kind)
{
    uint32_t fresh = (uint32_t)counts->entries.len, at;
    const struct bytes *schema = &kind->tracelogging;
    uint64_t key = load_u64(kind->guid);
    struct etl_provider_count *entry;

    key = hash_pair(key, load_u64(kind->guid + 8));
    if (schema->len)
        key = hash_pair(key, hash_memory(schema->data, schema->len));
    at = map_add(&counts->providers, key,
                 kind->id | (uint32_t)kind->version << 16 |
                     (uint32_t)(kind->opcode & 0x7F) << 24 |
                     (uint32_t)kind->classic << 31,
                 fresh);
    if (at == fresh) {
        entry = vec_add(&counts->entries);
        *entry = *kind;
        entry->tracelogging.data =
            arena_copy(&counts->kept, schema->data, schema->len);
        entry->traits.data =
            arena_copy(&counts->kept, kind->traits.data, kind->traits.len);
    }
    counts->entries.data[at].count++;
}

static void decode_header_event(struct decoder *d, struct etl_event e)
{
    struct etl_provider_count kind = {.id = load_u16(e.at + 40),
                                      .version = e.at[42],
                                      .opcode = e.at[45]};
    const struct etl_event whole = e;
    struct etl_items items;
    bool passed = etl_pass_items(&e, &items);

    memcpy(kind.guid, e.at + 24, sizeof(kind.guid));
    kind.tracelogging = items.tracelogging;
    if (items.tracelogging.len)
        kind.traits = items.traits;
    count_kind(d->counts, &kind);
    d->counts->event_stacks += items.stacks;
    if (d->choice)
        decode_chosen_event(d, &whole);
    if (!passed)
        d->counts->malformed++;
    else if (etl_manifest_event_wanted(kind.guid, kind.id) ||
             etl_is_manifest_part(e.at))
        keep_record(d, e);
}

static struct etl_provider_count classic_kind(const struct etl_event *e)
{
    struct etl_provider_count kind = {.id = e->at[4],
                                      .version = (uint8_t)load_u16(e->at + 6),
                                      .opcode = e->at[4],
                                      .classic = true};

    memcpy(kind.guid, e->at + 24, sizeof(kind.guid));
    return kind;
}

static void decode_classic(struct decoder *d, struct etl_event e)
{
    struct etl_provider_count kind = classic_kind(&e);

    count_kind(d->counts, &kind);
    if (d->choice)
        decode_chosen_classic(d, &e);
    if (etl_classic_event_wanted(kind.guid) || etl_is_event_metadata(kind.guid))
        keep_record(d, e);
}

/* Messages, of which those of one provider are one; and what has no header
 * that we know. */
static struct etl_provider_count other_kind(const struct etl_event *e)
{
    struct etl_provider_count kind = {.classic = true};
    const uint8_t *provider = NULL;

    if (etl_is_message(e)) {
        kind.message = true;
        kind.id = UINT16_MAX;
        provider = etl_message_provider(e);
    } else {
        kind.id = kind.opcode = etl_header_type(e);
    }
    if (provider)
        memcpy(kind.guid, provider, sizeof(kind.guid));
    return kind;
}

/* Classic ones with an instance have a header, too. */
static void count_other(struct decoder *d, const struct etl_event *e)
{
    struct etl_provider_count kind =
        e->header ? classic_kind(e) : other_kind(e);
    uint16_t hook = e->header ? etl_classic_hook(kind.guid, kind.opcode) : 0;

    if (hook)
        d->counts->hooks[hook]++;
    else
        count_kind(d->counts, &kind);
}

static void decode_event(struct decoder *d, struct etl_event e)
{
    /* Programs other than the kernel log kernel events as classic ones. */
    if (e.family == FAMILY_FULL)
        e.hook = etl_classic_hook(e.at + 24, e.at[4]);
    if (e.family == FAMILY_KERNEL || e.hook)
        decode_kernel(d, e);
    else if (e.family == FAMILY_HEADER)
        decode_header_event(d, e);
    else if (e.family == FAMILY_FULL)
        decode_classic(d, e);
    else
        count_other(d, &e);
}

/* Where in the buffer its bytes are; of what has none, nothing is known. */
static uintptr_t place_of(const struct etl_fact *fact)
{
    return fact->kind == ETL_KEYED_PART ? 0 : (uintptr_t)fact->bytes;
}

static int compare_facts(const void *a, const void *b)
{
    const struct etl_fact *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (place_of(x) > place_of(y)) - (place_of(x) < place_of(y));
}

static bool has_frames(const struct etl_fact *fact)
{
    return fact->kind == ETL_PART || fact->kind == ETL_DEFINITION ||
           fact->kind == ETL_CLR_STACK;
}

/* By time. Each run is told where its fact is now: that still holds the
 * run's index. */
static void sort_facts(struct etl_decoded *out)
{
    struct etl_fact *facts = out->facts.data;

    qsort(facts, out->facts.len, sizeof(*facts), compare_facts);
    for (uint32_t i = 0; i < out->facts.len; i++)
        if (has_frames(&facts[i]))
            out->runs.data[facts[i].run].fact = i;
}

/* Rarely fewer, of a buffer's events. Room for as many facts is had at once:
 * memory that was outgrown lies about, and pages that nothing is written to
 * cost nothing. */
enum { BYTES_A_FACT = 32, BYTES_A_RUN = 128 };

void etl_decode(struct etl_decoded *out, const struct etl_file *file,
                const struct etl_buffer *buffer,
                const struct etl_choice *choice, bool without_idle,
                struct etl_counts *counts)
{
    struct decoder d = {
        .out = out,
        .counts = counts,
        .choice = choice && choice->name ? choice : NULL,
        .frequency = file->frequency,
        .kernel_from = kernel_space_start(file->pointer_size),
        .cpu = buffer->cpu,
        .without_idle = without_idle,
    };
    enum etl_step step;
    struct etl_event e;
    struct bytes events;
    uint64_t last_time = 0;
    size_t pos = 0;
    bool damaged;

    out->buffer = buffer;
    out->facts.len = out->runs.len = 0;
    vec_reserve(&out->facts, buffer->filled / BYTES_A_FACT);
    vec_reserve(&out->runs, buffer->filled / BYTES_A_RUN);
    out->next = 0;
    out->damage = NULL;
    if (buffer->packed)
        out->unpacked = mem_grow(out->unpacked, &out->unpacked_size,
                                 buffer->filled, 1);
    events = etl_buffer_events(file, buffer, out->unpacked, &damaged);
    while ((step = etl_step(events.data, events.len, &pos, &e)) == STEP_EVENT) {
        if (e.time > last_time)
            last_time = e.time;
        decode_event(&d, e);
    }
    out->last_time = last_time;
    if (step == STEP_BAD || damaged) {
        out->damaged_at = (uint32_t)pos;
        out->damage = damaged ? "packed data breaks off"
                              : "a record does not fit its buffer";
    }
    if (d.unsorted)
        sort_facts(out);
}
