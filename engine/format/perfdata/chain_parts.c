#include "engine/format/perfdata/chain_parts.h"

#include <string.h>

/* Addresses that are none: what follows is of that mode. */
#define CONTEXT_LEAST      ((uint64_t)-4095)
#define CONTEXT_HYPERVISOR ((uint64_t)-32)
#define CONTEXT_KERNEL     ((uint64_t)-128)
#define CONTEXT_USER       ((uint64_t)-512)
#define CONTEXT_DEFERRED   ((uint64_t)-640)

static void end_part(struct pd_parts *parts, uint64_t context,
                     const uint8_t *from, const uint8_t *to, bool lasting)
{
    struct pd_part part = {{from, (uint32_t)((to - from) / 8), 8, NULL},
                           lasting};

    if (from == to)
        return;
    if (context == CONTEXT_USER) {
        if (!parts->user.run.count)
            parts->user = part;
    } else if (context == CONTEXT_KERNEL || context == CONTEXT_HYPERVISOR) {
        if (!parts->kernel.run.count)
            parts->kernel = part;
    } else {
        parts->guest = true;
    }
}

static uint64_t context_of_mode(uint8_t mode)
{
    switch (mode) {
    case PD_MODE_USER:
        return CONTEXT_USER;
    case PD_MODE_KERNEL:
    case PD_MODE_HYPERVISOR:
        return CONTEXT_KERNEL;
    }
    return 0; /* of a guest, or unknown */
}

/* `chain` in our byte order. */
static void split_chain(struct pd_parts *parts, const struct pd_sample *s,
                        struct bytes chain, bool lasting)
{
    const uint8_t *at = chain.data, *from = at, *end;
    uint64_t context = context_of_mode(s->mode);

    if (!chain.len)
        return;
    for (end = at + chain.len; at < end; at += 8) {
        uint64_t address = load_u64(at);

        if (address < CONTEXT_LEAST)
            continue;
        end_part(parts, context, from, at, lasting);
        context = address;
        if (address == CONTEXT_DEFERRED && end - at > 8) {
            parts->deferred = true;
            parts->cookie = load_u64(at += 8);
        }
        from = at + 8;
    }
    end_part(parts, context, from, end, lasting);
}

struct callchain pd_user_chain(struct bytes chain)
{
    struct pd_sample user = {.mode = PD_MODE_USER};
    struct pd_parts parts = {0};

    split_chain(&parts, &user, chain, true);
    return parts.user.run;
}

/* The words in our byte order. */
static struct bytes straight(struct pd_tables *t, struct bytes words,
                             bool swapped)
{
    if (!swapped)
        return words;
    t->frames.len = 0;
    vec_reserve(&t->frames, words.len);
    for (size_t i = 0; i < words.len; i++)
        t->frames.data[i] = words.data[i ^ 7];
    return (struct bytes){t->frames.data, words.len};
}

/* Where user code stopped: the chain's word for it, or the sample's own; else
 * where the last call went to, which is the beginning of that function. */
static uint64_t user_address(const struct pd_parts *parts,
                             const struct pd_sample *s, uint64_t called)
{
    if (s->mode == PD_MODE_USER && s->ip)
        return s->ip;
    return parts->user.run.count ? load_u64(parts->user.run.frames) : called;
}

/*
 * Branches that were recorded as a stack of calls replace the callers of the
 * user part: these are where the calls came from: the processor tells the
 * calls themselves, not where they return to.
 */
static void take_branches(struct pd_tables *t, const struct pd_event *e,
                          const struct pd_sample *s, bool swapped,
                          struct pd_parts *parts)
{
    enum { CALL_STACK = 1 << 11, FROM = 0, TO = 8, BRANCH = 24 };
    struct bytes branches = s->branches;
    size_t count = branches.len / BRANCH + 1;
    uint64_t called;
    uint8_t *at;

    if (!(e->branch_type & CALL_STACK) || !branches.len)
        return;
    t->branches.len = t->exact.len = 0;
    vec_reserve(&t->branches, count * 8);
    vec_reserve(&t->exact, count);
    memset(t->exact.data, true, count);
    at = t->branches.data;
    called = load_u64_in(branches.data + TO, swapped);
    store_u64(at, user_address(parts, s, called));
    for (size_t i = 0; i < branches.len; i += BRANCH)
        store_u64(at += 8, load_u64_in(branches.data + i + FROM, swapped));
    parts->user = (struct pd_part){
        {t->branches.data, (uint32_t)count, 8, t->exact.data}, false};
    parts->calls = true;
}

struct pd_parts pd_chain_parts(struct pd_tables *t, const struct pd_reading *r,
                               const struct pd_event *e,
                               const struct pd_sample *s)
{
    struct pd_parts parts = {0};

    split_chain(&parts, s, straight(t, s->chain, r->swapped), !r->swapped);
    take_branches(t, e, s, r->swapped, &parts);
    return parts;
}
