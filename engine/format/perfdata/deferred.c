/*
 * User parts of stacks that the kernel delivers late, when the thread goes
 * back to user code: CALLCHAIN_DEFERRED, of Linux 6.19. A sample has a cookie
 * in the place of its user part; one record may be the user part of several
 * samples. (format.md, section 5.2)
 *
 *   SIZE  DESCRIPTION
 *   8     cookie
 *   8     number of addresses
 *   8     each
 */
#include "engine/format/perfdata/chain_parts.h"

void pd_take_deferred(struct pd_reading *r, struct pd_record *rec, uint32_t tid)
{
    struct reader *body = &rec->body;
    struct pd_deferred d = {.cookie = reader_u64_in(body, r->swapped),
                            .tid = tid,
                            .lasting = rec->lasting && !r->swapped};
    uint64_t count = reader_u64_in(body, r->swapped);
    struct bytes chain;

    if (body->failed || count > reader_left(body) / 8)
        return;
    chain = reader_bytes(body, (size_t)count * 8);
    if (!d.lasting) {
        uint8_t *copy = arena_copy(&r->copies, chain.data, chain.len);

        for (size_t i = 0; r->swapped && i < chain.len; i++)
            copy[i] = chain.data[i ^ 7];
        chain.data = copy;
    }
    d.chain = pd_user_chain(chain);
    *vec_add(&r->deferred) = d;
}

void pd_join_deferred(struct pd_reading *r)
{
    struct observed_samples *s = &r->samples;
    struct map chains = {0}; /* (cookie, thread) -> run */

    for (size_t i = 0; i < r->deferred.len; i++) {
        const struct pd_deferred *d = &r->deferred.data[i];

        map_set(&chains, d->cookie, d->tid,
                callchains_add(&r->seen->callchains, &d->chain,
                               callchain_fingerprint(&d->chain), d->lasting));
    }
    for (size_t i = 0; r->cookies.len && i < s->len; i++) {
        uint32_t tid = r->seen->thread_keys.data[s->thread_key[i]].tid, run;

        if (!(s->leaf[i] & PD_DEFERRED))
            continue;
        run = map_get(&chains, r->cookies.data[s->outer[i]], tid);
        if (run == MAP_NONE)
            run = 0;
        s->outer[i] = run;
        if (run && (s->leaf[i] & PD_DEFERRED_LEAF)) {
            s->inner[i] = 0;
            s->leaf[i] = 0;
        }
        s->leaf[i] &= 1;
    }
    map_release(&chains);
}
