/*
 * Events that were chosen to be the samples. (format.md, section 5.8)
 *
 * Their stacks come as those of CPU samples do, in StackWalk events; as an
 * extended item of the event; or, of the .NET runtime's, in its own event
 * behind it:
 *
 *   PMCSample, hook 0x0F2F                  CLR stack walk, id 82
 *     0      ptr  instruction pointer         0  u16  instance
 *     8/4    u32  tid                         4  u32  frames
 *     12/8   u16  source                      8  ptr  frames[]
 */
#include <string.h>

#include "engine/format/etl/decoder.h"
#include "engine/format/etl/guids.h"

enum {
    HOOK_SWITCH = 0x0524,
    HOOK_COUNTER = 0x0F2F,
    CLR_STACK_WALK = 82,
    NO_THREAD = UINT32_MAX,
};

static void decode_counter(struct decoder *d, const struct etl_event *e)
{
    const uint8_t *p = etl_payload(e);
    uint32_t source = etl_counter_source(e);
    struct etl_fact *fact;

    if (source == UINT32_MAX) {
        d->counts->malformed++;
        return;
    }
    if (d->choice->source != ANY_SOURCE && d->choice->source != source)
        return;
    fact = decoder_add_sample(d, e->time, load_u32(p + e->width), 0);
    if (fact)
        fact->value = load_ptr(p, e->width);
}

/* Of the thread that is switched to; of the header's; or of which is not
 * said, and its stack is to tell. */
static uint32_t thread_of(const struct etl_event *e)
{
    if (e->hook == HOOK_SWITCH)
        return etl_payload_size(e) < 4 ? NO_THREAD : load_u32(etl_payload(e));
    if (e->family == FAMILY_FULL || etl_header_type(e) <= 4)
        return load_u32(e->at + 8);
    return NO_THREAD;
}

/* As decoder_add_sample. */
static struct etl_fact *add_event(struct decoder *d, const struct etl_event *e,
                                  uint32_t tid)
{
    uint8_t bits = tid == NO_THREAD ? ETL_BIT_NO_ADDRESS | ETL_BIT_NO_THREAD
                                    : ETL_BIT_NO_ADDRESS;
    struct etl_fact *fact = decoder_add_sample(d, e->time, tid, bits);

    if (fact)
        fact->weight = etl_choice_weight(d->choice, e, d->frequency);
    return fact;
}

void decode_chosen_kernel(struct decoder *d, const struct etl_event *e)
{
    if (!etl_choice_takes_hook(d->choice, e->hook))
        return;
    if (e->hook == HOOK_COUNTER)
        decode_counter(d, e);
    else
        add_event(d, e, thread_of(e));
}

void decode_chosen_classic(struct decoder *d, const struct etl_event *e)
{
    if (etl_choice_takes_event(d->choice, e->at + 24, e->at[4], true,
                               (struct bytes){0}))
        add_event(d, e, thread_of(e));
}

/* An item is the number that a part shares with one that comes later, and
 * frames. */
static void decode_item(struct decoder *d, const struct etl_event *e,
                        const struct etl_item *item)
{
    enum { MATCH_ID = 8 };
    struct stack_owner owner = {
        .stamp = e->time,
        .pid = load_u32(e->at + 12),
        .tid = load_u32(e->at + 8),
        .width = item->type == ITEM_STACK_32 ? 4 : 8,
    };

    if ((item->type == ITEM_STACK_32 || item->type == ITEM_STACK_64) &&
        item->size >= MATCH_ID + (uint32_t)owner.width)
        decoder_add_stack(d, e->time, &owner, item->data + MATCH_ID,
                          pointers_in(item->size - MATCH_ID, owner.width));
}

static void decode_items(struct decoder *d, struct etl_event e)
{
    bool more = load_u16(e.at + 4) & 1;
    struct etl_item item;

    while (more && etl_next_item(&e, &more, &item))
        decode_item(d, &e, &item);
}

static void decode_clr_stack(struct decoder *d, const struct etl_event *e)
{
    const uint8_t *p = etl_payload(e);
    uint32_t size = etl_payload_size(e), count;
    struct etl_fact *fact;

    if (size < 8)
        return;
    count = load_u32(p + 4);
    if (count > pointers_in(size - 8, e->width))
        count = pointers_in(size - 8, e->width);
    if (!count)
        return;
    fact = decoder_add(d, ETL_CLR_STACK, e->time);
    fact->pid = load_u32(e->at + 12);
    fact->tid = load_u32(e->at + 8);
    decoder_set_frames(d, fact, p + 8, count, e->width);
}

/* What else the runtime writes: a stack walk behind it is its own. */
static void decode_clr_event(struct decoder *d, const struct etl_event *e)
{
    decoder_add(d, ETL_CLR_EVENT, e->time)->tid = load_u32(e->at + 8);
}

void decode_chosen_event(struct decoder *d, const struct etl_event *e)
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
        fact = add_event(d, &behind, load_u32(e->at + 8));
        if (fact) {
            fact->pid = load_u32(e->at + 12);
            fact->bits |= ETL_BIT_PROCESS;
        }
        decode_items(d, *e);
    } else if (etl_provider_of(guid) == PROVIDER_CLR_RUNTIME) {
        if (id == CLR_STACK_WALK)
            decode_clr_stack(d, &behind);
        else
            decode_clr_event(d, e);
    }
}
