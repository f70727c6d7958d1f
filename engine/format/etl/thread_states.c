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

void etl_threads_enter(struct etl_threads *threads, struct observations *seen,
                       uint32_t tid, uint32_t on_cpu)
{
    threads->recent[etl_recent_slot(tid, on_cpu)] = (struct etl_recent_thread){
        tid, on_cpu, add_thread(threads, seen, tid, on_cpu) + 1};
}

void etl_threads_release(struct etl_threads *threads)
{
    map_release(&threads->ids);
    for (size_t i = 0; i < threads->list.len; i++)
        vec_release(&threads->list.data[i].waiting);
    vec_release(&threads->list);
}
