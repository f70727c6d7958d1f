#include "engine/format/etl/run_numbers.h"

#include <pthread.h>

enum { SHARES = 64, SHARE_SHIFT = 64 - 6 };

/* Runs whose fingerprint has these upper bits. */
struct share {
    pthread_mutex_t lock;
    struct map ids;
    uint32_t count;
};

struct run_numbers {
    struct share shares[SHARES];
};

struct run_numbers *run_numbers_new(void)
{
    struct run_numbers *n = mem_new(1, sizeof(*n));

    for (size_t i = 0; i < SHARES; i++)
        pthread_mutex_init(&n->shares[i].lock, NULL);
    return n;
}

void run_numbers_free(struct run_numbers *n)
{
    if (!n)
        return;
    for (size_t i = 0; i < SHARES; i++) {
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

static size_t share_of(const struct etl_fact *fact)
{
    return fact->print.hash >> SHARE_SHIFT;
}

static void give_one(struct share *share, size_t number, struct etl_fact *fact)
{
    uint32_t id =
        map_add(&share->ids, fact->print.hash, fact->print.check, share->count);

    if (id == share->count && ++share->count == UINT32_MAX / SHARES)
        mem_exhausted(share->count);
    fact->run = id * SHARES + (uint32_t)number;
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
        give_one(share, number, facts[i]);
    pthread_mutex_unlock(&share->lock);
}

enum { AT_ONCE = 4096 }; /* facts: those of a buffer or two */

static void give_some(struct run_numbers *n, struct etl_fact *facts,
                      size_t count)
{
    struct etl_fact *sorted[AT_ONCE];
    size_t end[SHARES] = {0}, at = 0;

    for (size_t i = 0; i < count; i++)
        if (has_frames(&facts[i]))
            end[share_of(&facts[i])]++;
    for (size_t i = 0; i < SHARES; i++)
        end[i] = at += end[i];
    for (size_t i = count; i-- > 0;)
        if (has_frames(&facts[i]))
            sorted[--end[share_of(&facts[i])]] = &facts[i];
    for (size_t i = 0; i < SHARES; i++) {
        size_t next = i + 1 < SHARES ? end[i + 1] : at;

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
