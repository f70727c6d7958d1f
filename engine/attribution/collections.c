/*
 * Garbage collections of .NET: how many, and how long all threads stood still.
 *
 *     9  GC/SuspendEEStart   u32 reason (version 0: u16), ...
 *     1  GC/Start            u32 number of a collection, which begins; some
 *                            runtimes write it twice
 *     3  GC/RestartEEStop    threads run again
 *
 * A pause lasts from 9 to 3 where the reason is a collection: the thread
 * sampler and debuggers suspend threads, too. A collection in the background
 * pauses threads more than once. (clr-events.md, section 8)
 */
#include "engine/attribution/clr.h"

#include <stdlib.h>

enum { GC_START = 1, RESTART_STOP = 3, SUSPEND_START = 9 };

bool clr_is_collection(enum clr_provider provider, uint16_t id)
{
    return provider == CLR_RUNTIME &&
           (id == GC_START || id == RESTART_STOP || id == SUSPEND_START);
}

static bool is_for_collection(const struct clr_event *event,
                              struct reader *payload)
{
    enum { FOR_GC = 1, FOR_GC_PREPARATION = 6 };
    uint32_t reason =
        event->version ? reader_u32(payload) : reader_u16(payload);

    return !payload->failed &&
           (reason == FOR_GC || reason == FOR_GC_PREPARATION);
}

void clr_collection_take(struct observations *seen,
                         const struct clr_event *event, struct reader *payload)
{
    uint32_t number = event->id == GC_START ? reader_u32(payload) : 0;

    if (event->id != SUSPEND_START || is_for_collection(event, payload))
        *vec_add(&seen->collections) = (struct observed_collection){
            event->time, event->pid, number, event->id};
}

static int by_process_and_time(const void *x, const void *y)
{
    const struct observed_collection *a = x, *b = y;

    if (a->pid != b->pid)
        return a->pid < b->pid ? -1 : 1;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

void clr_collections_state(struct observations *seen)
{
    struct profile *p = seen->profile;
    const struct observed_collection *list = seen->collections.data;
    size_t n = seen->collections.len;
    const struct observed_collection *last = NULL; /* that began */
    uint64_t count = 0, paused = 0;

    if (n)
        qsort(seen->collections.data, n, sizeof(*list), by_process_and_time);
    for (size_t i = 0, suspended = n; i < n; i++) {
        const struct observed_collection *c = &list[i];

        if (suspended < n && list[suspended].pid != c->pid)
            suspended = n;
        if (c->id == GC_START) {
            count += !last || last->pid != c->pid || last->number != c->number;
            last = c;
        }
        if (c->id == SUSPEND_START && suspended == n)
            suspended = i;
        if (c->id != RESTART_STOP || suspended == n)
            continue;
        paused += (uint64_t)c->time - (uint64_t)list[suspended].time;
        suspended = n;
    }
    if (!count)
        return;
    profile_number(p, FACT_COLLECTIONS, count, "%llu",
                   (unsigned long long)count);
    profile_number(p, FACT_PAUSED, paused, "%llu ns",
                   (unsigned long long)paused);
}
