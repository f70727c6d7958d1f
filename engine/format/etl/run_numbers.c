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

static size_t share_of(const struct run_numbers *n, const struct etl_run *run)
{
    return run->print.hash >> 32 & (n->count - 1);
}

/* The number of a run of this share. */
static uint32_t number_of(const struct run_numbers *n, struct share *share,
                          const struct etl_run *run)
{
    uint32_t id =
        map_add(&share->ids, run->print.hash, run->print.check, share->count);

    if (id == share->count && ++share->count == UINT32_MAX / n->count)
        mem_exhausted(share->count);
    return id * n->count + (uint32_t)(share - n->shares);
}

/* All of one share at once: it is locked once, and what they are looked up in
 * is fetched side by side. */
static void give_share(struct run_numbers *n, struct share *share,
                       struct etl_fact *facts,
                       const struct etl_run *const *runs, size_t count)
{
    pthread_mutex_lock(&share->lock);
    for (size_t i = 0; i < count; i++)
        facts[runs[i]->fact].run = number_of(n, share, runs[i]);
    pthread_mutex_unlock(&share->lock);
}

enum { AT_ONCE = 4096 }; /* runs: those of a buffer or two */

static void give_some(struct run_numbers *n, struct etl_fact *facts,
                      const struct etl_run *runs, size_t count)
{
    const struct etl_run *sorted[AT_ONCE];
    size_t end[MOST_SHARES] = {0}, at = 0;

    for (size_t i = 0; i < count; i++)
        end[share_of(n, &runs[i])]++;
    for (size_t i = 0; i < n->count; i++)
        end[i] = at += end[i];
    for (size_t i = count; i-- > 0;)
        sorted[--end[share_of(n, &runs[i])]] = &runs[i];
    for (size_t i = 0; i < n->count; i++) {
        size_t next = i + 1 < n->count ? end[i + 1] : count;

        if (end[i] < next)
            give_share(n, &n->shares[i], facts, sorted + end[i], next - end[i]);
    }
}

void run_numbers_give(struct run_numbers *n, struct etl_fact *facts,
                      const struct etl_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i += AT_ONCE)
        give_some(n, facts, runs + i,
                  count - i < AT_ONCE ? count - i : AT_ONCE);
}
