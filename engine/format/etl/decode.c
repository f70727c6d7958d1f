/*
 * One buffer into facts. Runs on any thread; shares nothing.
 *
 * Events that were chosen to be the samples have stacks as CPU samples do, in
 * StackWalk events; as an extended item of the event; or, of the .NET
 * runtime's, in its own event behind it. (format.md, sections 4.2, 4.3, 5.8)
 *
 * An event goes to the functions of this file by value, and to those of other
 * files as a copy: the loop over events then has its own in registers.
 */
#include <string.h>

#include "engine/base/hash.h"
#include "engine/format/etl/choice.h"
#include "engine/format/etl/etl.h"
#include "engine/format/etl/event.h"
#include "engine/format/etl/guids.h"
#include "engine/format/etl/hooks.h"

enum {
    HOOK_SWITCH = 0x0524,
    HOOK_COUNTER = 0x0F2F,
    NO_THREAD = UINT32_MAX,
    SAMPLE_BITS = ETL_BIT_DPC | ETL_BIT_ISR,
};

struct decoder {
    struct etl_decoded *out;
    struct etl_counts *counts;
    const struct etl_choice *choice; /* NULL: CPU samples */
    uint64_t kernel_from;            /* of the traced machine */
    uint64_t frequency;
    uint64_t latest; /* time of the last fact */
    uint16_t cpu;
    bool without_idle; /* samples of the idle thread are only counted */
    bool unsorted;
};

/* The thread whose stack it is, of its event at `stamp`. */
struct stack_owner {
    uint64_t stamp;
    uint32_t pid, tid;
    uint8_t width; /* of frames */
};

/* ---- facts ---- */

static struct etl_fact *add_fact(struct decoder *d, uint8_t kind, uint64_t time)
{
    struct etl_fact *fact = vec_add(&d->out->facts);

    d->unsorted |= time < d->latest;
    d->latest = time;
    *fact = (struct etl_fact){.time = time, .kind = kind, .cpu = d->cpu};
    return fact;
}

/* A sample of this thread, with these ETL_BIT_...; NULL: it is one of the idle
 * thread with nothing to do, and only counted. */
static struct etl_fact *add_sample(struct decoder *d, uint64_t time,
                                   uint32_t tid, unsigned bits)
{
    struct etl_fact *fact;

    if (d->without_idle && !tid && !(bits & SAMPLE_BITS)) {
        d->counts->idle_not_kept++;
        return NULL;
    }
    fact = add_fact(d, ETL_SAMPLE, time);
    fact->tid = tid;
    fact->bits = bits & 31u;
    return fact;
}

/* The frames of a part or of a key's definition, which was added last. Its
 * outermost frame says of which mode it is. */
static void set_frames(struct decoder *d, struct etl_fact *fact,
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

static void add_part(struct decoder *d, uint64_t time,
                     const struct stack_owner *owner, const uint8_t *frames,
                     uint32_t count)
{
    struct etl_fact *fact = add_fact(d, ETL_PART, time);

    fact->value = owner->stamp;
    fact->pid = owner->pid;
    fact->tid = owner->tid;
    set_frames(d, fact, frames, count, owner->width);
}

/* Adds the kernel part, the user part, or the one followed by the other: of at
 * least one frame. A user part may lead through the kernel: a callback into
 * user mode has its callers there, and these theirs in user mode again. */
static void add_stack(struct decoder *d, uint64_t time,
                      const struct stack_owner *owner, const uint8_t *frames,
                      uint32_t count)
{
    const struct callchain run = {frames, count, owner->width, NULL};
    uint32_t kernel = count;

    if (callchain_frame(&run, count - 1) < d->kernel_from)
        for (kernel = 0; callchain_frame(&run, kernel) >= d->kernel_from;)
            kernel++;
    if (kernel)
        add_part(d, time, owner, frames, kernel);
    if (kernel < count)
        add_part(d, time, owner, frames + (size_t)kernel * owner->width,
                 count - kernel);
}

/* ---- chosen events ---- */

/* The source of a counter's sample; UINT32_MAX: cut off. */
static uint32_t counter_source(const struct etl_event *e)
{
    if (etl_payload_size(e) < e->width + 6u)
        return UINT32_MAX;
    return load_u16(etl_payload(e) + e->width + 4);
}

static void decode_counter(struct decoder *d, const struct etl_event *e)
{
    const uint8_t *p = etl_payload(e);
    uint32_t source = counter_source(e);
    struct etl_fact *fact;

    if (source == UINT32_MAX) {
        d->counts->malformed++;
        return;
    }
    if (d->choice->source != ANY_SOURCE && d->choice->source != source)
        return;
    fact = add_sample(d, e->time, load_u32(p + e->width), 0);
    if (fact)
        fact->value = load_ptr(p, e->width);
}

/* The thread that is switched to, or that of the header; NO_THREAD: the event
 * does not say it, and its stack is to tell. */
static uint32_t thread_of(const struct etl_event *e)
{
    if (e->hook == HOOK_SWITCH)
        return etl_payload_size(e) < 4 ? NO_THREAD : load_u32(etl_payload(e));
    if (e->family == FAMILY_FULL || etl_header_type(e) <= 4)
        return load_u32(e->at + 8);
    return NO_THREAD;
}

static struct etl_fact *add_chosen(struct decoder *d, const struct etl_event *e,
                                   uint32_t tid)
{
    uint8_t bits = tid == NO_THREAD ? ETL_BIT_NO_ADDRESS | ETL_BIT_NO_THREAD
                                    : ETL_BIT_NO_ADDRESS;
    struct etl_fact *fact = add_sample(d, e->time, tid, bits);

    if (fact)
        fact->weight = etl_choice_weight(d->choice, e, d->frequency);
    return fact;
}

static void decode_chosen_kernel(struct decoder *d, const struct etl_event *e)
{
    if (!etl_choice_takes_hook(d->choice, e->hook))
        return;
    if (e->hook == HOOK_COUNTER)
        decode_counter(d, e);
    else
        add_chosen(d, e, thread_of(e));
}

/* Stacks among an event's extended items: each has the number that it shares
 * with a part that comes later, and frames. */
static void decode_items(struct decoder *d, struct etl_event e)
{
    enum { MATCH_ID = 8 };
    bool more = load_u16(e.at + 4) & 1;
    struct etl_item item;

    while (more && etl_next_item(&e, &more, &item)) {
        struct stack_owner owner = {
            .stamp = e.time,
            .pid = load_u32(e.at + 12),
            .tid = load_u32(e.at + 8),
            .width = item.type == ITEM_STACK_32 ? 4 : 8,
        };

        if ((item.type == ITEM_STACK_32 || item.type == ITEM_STACK_64) &&
            item.size >= MATCH_ID + (uint32_t)owner.width)
            add_stack(d, e.time, &owner, item.data + MATCH_ID,
                      (item.size - MATCH_ID) / owner.width);
    }
}

static void decode_clr_stack(struct decoder *d, const struct etl_event *e)
{
    uint32_t count = etl_clr_stack_count(e);
    struct etl_fact *fact;

    if (!count)
        return;
    fact = add_fact(d, ETL_CLR_STACK, e->time);
    fact->pid = load_u32(e->at + 12);
    fact->tid = load_u32(e->at + 8);
    set_frames(d, fact, etl_payload(e) + CLR_STACK_FRAMES, count, e->width);
}

static void decode_chosen_event(struct decoder *d, const struct etl_event *e)
{
    const uint8_t *guid = e->at + 24;
    uint16_t id = load_u16(e->at + 40);
    struct etl_event behind = *e;
    struct etl_items items;
    struct etl_fact *fact;

    if (!etl_choice_takes_provider(d->choice, guid) ||
        !etl_pass_items(&behind, &items))
        return;
    if (etl_choice_takes_event(d->choice, guid, id, false,
                               items.tracelogging)) {
        fact = add_chosen(d, &behind, load_u32(e->at + 8));
        if (fact) {
            fact->pid = load_u32(e->at + 12);
            fact->bits |= ETL_BIT_PROCESS;
        }
        decode_items(d, *e);
    } else if (etl_provider_of(guid) == PROVIDER_CLR_RUNTIME) {
        if (id == CLR_STACK_WALK)
            decode_clr_stack(d, &behind);
        else
            add_fact(d, ETL_CLR_EVENT, e->time)->tid = load_u32(e->at + 8);
    }
}
/* ---- kernel events ---- */

static void decode_sample(struct decoder *d, struct etl_event e)
{
    const uint8_t *p = e.at + e.header;
    struct etl_fact *fact;

    if (e.size - e.header < e.width + 8u) {
        d->counts->malformed++;
        return;
    }
    fact = add_sample(d, e.time, load_u32(p + e.width),
                      p[e.width + 6] & SAMPLE_BITS);
    if (fact)
        fact->value = load_ptr(p, e.width);
}

static void decode_stack(struct decoder *d, struct etl_event e)
{
    const uint8_t *p = e.at + e.header;
    struct stack_owner owner;

    if (e.size - e.header < 16u + e.width) {
        d->counts->malformed++;
        return;
    }
    owner = (struct stack_owner){
        .stamp = load_u64(p),
        .pid = load_u32(p + 8),
        .tid = load_u32(p + 12),
        .width = e.width,
    };
    add_stack(d, e.time, &owner, p + 16, (e.size - e.header - 16) / e.width);
}

static void decode_keyed_stack(struct decoder *d, struct etl_event e, bool user)
{
    const uint8_t *p = e.at + e.header;
    struct etl_fact *fact;

    if (e.size - e.header < 16u + e.width) {
        d->counts->malformed++;
        return;
    }
    fact = add_fact(d, ETL_KEYED_PART, e.time);
    fact->value = load_u64(p);
    fact->pid = load_u32(p + 8);
    fact->tid = load_u32(p + 12);
    fact->key = load_ptr(p + 16, e.width);
    fact->user = user;
}

static void decode_definition(struct decoder *d, struct etl_event e)
{
    const uint8_t *p = e.at + e.header;
    uint32_t width = e.width, size = e.size - e.header;
    struct etl_fact *fact;

    if (size < 2 * width) {
        d->counts->malformed++;
        return;
    }
    fact = add_fact(d, ETL_DEFINITION, e.time);
    fact->value = load_ptr(p, width);
    set_frames(d, fact, p + width, size / width - 1, e.width);
}

static void keep_record(struct decoder *d, struct etl_event e)
{
    struct etl_fact *fact = add_fact(d, ETL_RECORD, e.time);

    fact->bytes = e.at;
    fact->count = e.size;
}

static void decode_kernel(struct decoder *d, struct etl_event e)
{
    enum etl_use use =
        e.hook < ETL_HOOK_ROWS_END ? etl_hook_uses[e.hook] : USE_COUNT;
    uint32_t source;

    d->counts->hooks[e.hook]++;
    if (d->choice) {
        struct etl_event copy = e;

        decode_chosen_kernel(d, &copy);
    }
    switch (use) {
    case USE_COUNT:
        break;
    case USE_SAMPLE:
        if (!d->choice || d->choice->with_cpu)
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
        source = counter_source(&e);
        if (source < ETL_SOURCES)
            d->counts->sources |= (uint64_t)1 << source;
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
    struct etl_provider_count kind = {
        .id = load_u16(e.at + 40), .version = e.at[42], .opcode = e.at[45]};
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
    if (d->choice && etl_choice_takes_event(d->choice, e.at + 24, e.at[4], true,
                                            (struct bytes){0}))
        add_chosen(d, &e, thread_of(&e));
    if (etl_provider_of(kind.guid) != PROVIDER_OTHER ||
        etl_is_event_metadata(kind.guid))
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

/* By time. Each run is told where its fact is now: that still holds the
 * run's index. */
static void sort_facts(struct etl_decoded *out)
{
    struct etl_fact *facts = out->facts.data;

    qsort(facts, out->facts.len, sizeof(*facts), compare_facts);
    for (uint32_t i = 0; i < out->facts.len; i++)
        if (facts[i].kind == ETL_PART || facts[i].kind == ETL_DEFINITION ||
            facts[i].kind == ETL_CLR_STACK)
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
        out->unpacked =
            mem_grow(out->unpacked, &out->unpacked_size, buffer->filled, 1);
    events = etl_buffer_events(file, buffer, out->unpacked, &damaged);
    while ((step = etl_step(events.data, events.len, &pos, &e)) == STEP_EVENT) {
        /* The bytes 2 KiB on are wanted soon, and a processor fetches nothing
         * ahead beyond a page: without this a real log of 700 MB, of which most
         * is walked over, takes 8 % more CPU time. */
        for (uint32_t i = 0; i < e.size; i += 64)
            __builtin_prefetch(e.at + 2048 + i);
        if (e.time > last_time)
            last_time = e.time;
        /* Programs other than the kernel log its events as classic ones. */
        if (e.family == FAMILY_FULL)
            e.hook = etl_classic_hook(e.at + 24, e.at[4]);
        if (e.family == FAMILY_KERNEL || e.hook)
            decode_kernel(&d, e);
        else if (e.family == FAMILY_HEADER)
            decode_header_event(&d, e);
        else if (e.family == FAMILY_FULL)
            decode_classic(&d, e);
        else
            count_other(&d, &e);
    }
    out->last_time = last_time;
    if (step == STEP_BAD || damaged) {
        out->damaged_at = (uint32_t)pos;
        out->damage = damaged ? "packed data is truncated"
                              : "a record does not fit its buffer";
    }
    if (d.unsorted)
        sort_facts(out);
}
