#include "engine/format/etl/thread_states.h"

static uint32_t add_thread(struct etl_threads *threads,
                           struct observations *seen, uint32_t tid,
                           uint32_t on_cpu)
{
    uint32_t fresh = mem_next_id(threads->list.len);
    uint32_t id = map_add(&threads->ids, tid, on_cpu, fresh);

    if (id == fresh)
        *vec_add(&threads->list) = (struct etl_thread){
            .key = observe_thread_key(seen, tid, NO_PID),
            .pid = NO_PID,
        };
    return id;
}

struct etl_thread *etl_threads_of(struct etl_threads *threads,
                                  struct observations *seen, uint32_t tid,
                                  uint16_t cpu)
{
    uint32_t on_cpu = tid ? 0 : cpu + 1u;
    struct etl_recent_thread *recent =
        &threads->recent[(tid / 4 ^ on_cpu) % RECENT_THREADS];

    if (!recent->state || recent->tid != tid || recent->on_cpu != on_cpu)
        *recent = (struct etl_recent_thread){
            tid, on_cpu, add_thread(threads, seen, tid, on_cpu) + 1};
    return &threads->list.data[recent->state - 1];
}

void etl_threads_release(struct etl_threads *threads)
{
    map_release(&threads->ids);
    for (size_t i = 0; i < threads->list.len; i++)
        vec_release(&threads->list.data[i].waiting);
    vec_release(&threads->list);
}
