#include "engine/format/etl/run_numbers.h"

#include <pthread.h>

/* Each is locked for what one buffer has of it: few a thread, or there would be
 * too little in it to fetch side by side, and enough that threads seldom
 * meet. */
enum { SHARES_A_THREAD = 8, MOST_SHARES = 64 };

/* Runs whose fingerprint has these lower bits of its upper half. */
struct share {
    pthread_mutex_t lock;
    struct map ids;
    uint32_t count;
};

struct run_numbers {
    struct share shares[MOST_SHARES];
    uint32_t count; /* of shares, a power of two */
};

struct run_numbers *run_numbers_new(unsigned threads)
{
    struct run_numbers *n = mem_new(1, sizeof(*n));

    n->count = 1;
    while (threads > 1 && n->count < MOST_SHARES &&
           n->count < threads * SHARES_A_THREAD)
        n->count *= 2;
    for (size_t i = 0; i < n->count; i++)
        pthread_mutex_init(&n->shares[i].lock, NULL);
    return n;
}

void run_numbers_free(struct run_numbers *n)
{
    if (!n)
        return;
    for (size_t i = 0; i < n->count; i++) {
        pthread_mutex_destroy(&n->shares[i].lock);
        map_release(&n->shares[i].ids);
    }
    free(n);
}

static bool has_frames(const struct etl_fact *fact)
{
    return fact->kind == ETL_PART || fact->kind == ETL_DEFINITION ||
           fact->kind == ETL_CLR_STACK;
}

static size_t share_of(const struct run_numbers *n, const struct etl_fact *fact)
{
    return fact->print.hash >> 32 & (n->count - 1);
}

static void give_one(const struct run_numbers *n, struct share *share,
                     size_t number, struct etl_fact *fact)
{
    uint32_t id =
        map_add(&share->ids, fact->print.hash, fact->print.check, share->count);

    if (id == share->count && ++share->count == UINT32_MAX / n->count)
        mem_exhausted(share->count);
    fact->run = id * n->count + (uint32_t)number;
}

/* All of one share at once: it is locked once, and what they are looked up in
 * is fetched side by side. */
static void give_share(struct run_numbers *n, size_t number,
                       struct etl_fact *const *facts, size_t count)
{
    struct share *share = &n->shares[number];

    pthread_mutex_lock(&share->lock);
    for (size_t i = 0; i < count; i++)
        map_prefetch(&share->ids, facts[i]->print.hash, facts[i]->print.check);
    for (size_t i = 0; i < count; i++)
        give_one(n, share, number, facts[i]);
    pthread_mutex_unlock(&share->lock);
}

enum { AT_ONCE = 4096 }; /* facts: those of a buffer or two */

static void give_some(struct run_numbers *n, struct etl_fact *facts,
                      size_t count)
{
    struct etl_fact *sorted[AT_ONCE];
    size_t end[MOST_SHARES] = {0}, at = 0;

    for (size_t i = 0; i < count; i++)
        if (has_frames(&facts[i]))
            end[share_of(n, &facts[i])]++;
    for (size_t i = 0; i < n->count; i++)
        end[i] = at += end[i];
    for (size_t i = count; i-- > 0;)
        if (has_frames(&facts[i]))
            sorted[--end[share_of(n, &facts[i])]] = &facts[i];
    for (size_t i = 0; i < n->count; i++) {
        size_t next = i + 1 < n->count ? end[i + 1] : at;

        if (end[i] < next)
            give_share(n, i, sorted + end[i], next - end[i]);
    }
}

void run_numbers_give(struct run_numbers *n, struct etl_fact *facts,
                      size_t count)
{
    for (size_t i = 0; i < count; i += AT_ONCE)
        give_some(n, facts + i, count - i < AT_ONCE ? count - i : AT_ONCE);
}
