#include "engine/attribution/lifetimes.h"

#include "engine/base/bisect.h"

static uint64_t pid_and_tid(uint32_t pid, uint32_t tid)
{
    return (uint64_t)pid << 32 | tid;
}

static void index_add(struct lifetime_index *index, uint64_t key, int64_t start,
                      uint32_t thing)
{
    *vec_add(&index->lives) = (struct lifetime){key, start, thing};
}

static int compare_lives(const void *a, const void *b)
{
    const struct lifetime *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->thing > y->thing) - (x->thing < y->thing);
}

static void index_sort(struct lifetime_index *index)
{
    if (index->lives.len)
        qsort(index->lives.data, index->lives.len, sizeof(struct lifetime),
              compare_lives);
}

/* The number of lives that come before (key, time], in order. */
static size_t index_position(const struct lifetime_index *index, uint64_t key,
                             int64_t time)
{
    const struct lifetime *lives = index->lives.data;
    size_t i;

    BISECT(i, index->lives.len,
           lives[i].key < key ||
               (lives[i].key == key && lives[i].start <= time));
    return i;
}

/* The last life of `key` that had begun at `time`; before all of them the
 * first: an id seen a little early is that life, not a new one. */
static uint32_t index_find(const struct lifetime_index *index, uint64_t key,
                           int64_t time, int64_t *until)
{
    size_t at = index_position(index, key, time);

    *until = at < index->lives.len && index->lives.data[at].key == key
                 ? index->lives.data[at].start
                 : TIME_MAX;
    if (at && index->lives.data[at - 1].key == key)
        return index->lives.data[at - 1].thing;
    if (at < index->lives.len && index->lives.data[at].key == key)
        return index->lives.data[at].thing;
    return map_get(&index->made_up, key, 0);
}

static void index_release(struct lifetime_index *index)
{
    vec_release(&index->lives);
    map_release(&index->made_up);
}

static uint32_t add_process(struct lifetimes *l, uint32_t pid, int64_t start)
{
    struct profile *p = l->seen->profile;

    *vec_add(&p->processes) = (struct process){
        .pid = pid,
        .start = start,
        .end = TIME_MAX,
    };
    return (uint32_t)p->processes.len - 1;
}

static uint32_t add_thread(struct lifetimes *l, uint32_t tid, uint32_t process,
                           int64_t start)
{
    struct profile *p = l->seen->profile;

    *vec_add(&p->threads) = (struct thread){
        .tid = tid,
        .process = process,
        .start = start,
        .end = TIME_MAX,
    };
    return (uint32_t)p->threads.len - 1;
}

/* Whether an event of `time` belongs to a new life of its id, given the
 * newest one's end; and, if so, whether that life's beginning is known. */
static bool begins_life(bool known, int64_t end, enum observed_event event)
{
    if (!known || event == SEEN_BEGIN)
        return true;
    return end != TIME_MAX && event != SEEN_AT_START;
}

static int64_t life_start(bool known, int64_t previous_end,
                          enum observed_event event, int64_t time)
{
    if (event == SEEN_BEGIN)
        return time;
    return known && previous_end != TIME_MAX ? previous_end : TIME_MIN;
}

/* Facts by time; equal times keep the order they came in. */
#define DEFINE_SORT(name, type)                                                \
    static int compare_##name(const void *a, const void *b)                    \
    {                                                                          \
        const type *const *x = a, *const *y = b;                               \
                                                                               \
        if ((*x)->time != (*y)->time)                                          \
            return (*x)->time < (*y)->time ? -1 : 1;                           \
        return (*x > *y) - (*x < *y);                                          \
    }                                                                          \
    static const type **sorted_##name(const type *seen, size_t n)              \
    {                                                                          \
        const type **order = mem_new(n, sizeof(const type *));                 \
                                                                               \
        for (size_t i = 0; i < n; i++)                                         \
            order[i] = &seen[i];                                               \
        qsort(order, n, sizeof(*order), compare_##name);                       \
        return order;                                                          \
    }

DEFINE_SORT(processes, struct observed_process)
DEFINE_SORT(threads, struct observed_thread)

/* `newest` leads from an id to its newest life so far. */
static void take_process(struct lifetimes *l, struct map *newest,
                         const struct observed_process *fact)
{
    struct profile *p = l->seen->profile;
    uint32_t id = map_get(newest, fact->pid, 0);
    bool known = id != MAP_NONE;
    int64_t end = known ? p->processes.data[id].end : TIME_MAX;
    struct process *process;

    if (begins_life(known, end, fact->event)) {
        if (known && end == TIME_MAX)
            p->processes.data[id].end = fact->time;
        id = add_process(
            l, fact->pid, life_start(known, end, fact->event, fact->time));
        map_set(newest, fact->pid, 0, id);
    }
    process = &p->processes.data[id];
    if (fact->event == SEEN_END)
        process->end = fact->time;
    if (fact->name && !process->name)
        process->name = fact->name;
    if (fact->command_line && !process->command_line)
        process->command_line = fact->command_line;
    if (fact->parent_pid)
        process->parent_pid = fact->parent_pid;
}

static void take_thread(struct lifetimes *l, struct map *newest,
                        const struct observed_thread *fact)
{
    struct profile *p = l->seen->profile;
    uint32_t process = lifetimes_process(l, fact->pid, fact->time);
    uint32_t id = map_get(newest, fact->tid, 0);
    bool known = id != MAP_NONE && p->threads.data[id].process == process;
    int64_t end = known ? p->threads.data[id].end : TIME_MAX;

    if (id != MAP_NONE && !known && p->threads.data[id].end == TIME_MAX)
        p->threads.data[id].end = fact->time;
    if (begins_life(known, end, fact->event)) {
        if (known && end == TIME_MAX)
            p->threads.data[id].end = fact->time;
        id = add_thread(l, fact->tid, process,
                        life_start(known, end, fact->event, fact->time));
        map_set(newest, fact->tid, 0, id);
    }
    if (fact->event == SEEN_END)
        p->threads.data[id].end = fact->time;
    if (fact->name)
        p->threads.data[id].name = fact->name;
}

/* The two processes every Windows system has; a trace without kernel events
 * does not name them. */
static void name_system_process(const struct observations *seen,
                                struct process *process)
{
    struct profile *p = seen->profile;

    if (process->pid == NO_PID)
        process->name = strings_add(p->strings, "[unknown]", 9);
    if (process->name || !seen->windows_pids)
        return;
    if (process->pid == 0)
        process->name = strings_add(p->strings, "Idle", 4);
    if (process->pid == 4)
        process->name = strings_add(p->strings, "System", 6);
}

static void build_processes(struct lifetimes *l)
{
    struct observations *f = l->seen;
    struct profile *p = f->profile;
    const struct observed_process **order =
        sorted_processes(f->processes.data, f->processes.len);
    struct map newest = {0};

    for (size_t i = 0; i < f->processes.len; i++)
        take_process(l, &newest, order[i]);
    for (uint32_t i = 0; i < p->processes.len; i++) {
        struct process *process = &p->processes.data[i];

        name_system_process(f, process);
        index_add(&l->processes, process->pid, process->start, i);
    }
    index_sort(&l->processes);
    map_release(&newest);
    free(order);
}

static void build_threads(struct lifetimes *l)
{
    struct observations *f = l->seen;
    struct profile *p = f->profile;
    const struct observed_thread **order =
        sorted_threads(f->threads.data, f->threads.len);
    struct map newest = {0};

    for (size_t i = 0; i < f->threads.len; i++)
        take_thread(l, &newest, order[i]);
    for (uint32_t i = 0; i < p->threads.len; i++) {
        const struct thread *thread = &p->threads.data[i];
        uint32_t pid = p->processes.data[thread->process].pid;

        index_add(&l->threads, thread->tid, thread->start, i);
        index_add(&l->threads_of_process, pid_and_tid(pid, thread->tid),
                  thread->start, i);
    }
    index_sort(&l->threads);
    index_sort(&l->threads_of_process);
    map_release(&newest);
    free(order);
}

void lifetimes_build(struct lifetimes *l, struct observations *seen)
{
    *l = (struct lifetimes){.seen = seen};
    build_processes(l);
    build_threads(l);
}

void lifetimes_release(struct lifetimes *l)
{
    index_release(&l->processes);
    index_release(&l->threads);
    index_release(&l->threads_of_process);
}

uint32_t lifetimes_process(struct lifetimes *l, uint32_t pid, int64_t time)
{
    int64_t until;
    uint32_t id = index_find(&l->processes, pid, time, &until);

    if (id != NO_ID)
        return id;
    id = add_process(l, pid, TIME_MIN);
    name_system_process(l->seen, &l->seen->profile->processes.data[id]);
    map_set(&l->processes.made_up, pid, 0, id);
    return id;
}

uint32_t lifetimes_thread(struct lifetimes *l, uint32_t tid, uint32_t pid,
                          int64_t time, int64_t *until)
{
    bool any = pid == NO_PID;
    struct lifetime_index *index = any ? &l->threads : &l->threads_of_process;
    uint64_t key = any ? tid : pid_and_tid(pid, tid);
    uint32_t id = index_find(index, key, time, until);

    if (id != NO_ID)
        return id;
    id = add_thread(l, tid, lifetimes_process(l, pid, time), TIME_MIN);
    map_set(&index->made_up, key, 0, id);
    return id;
}
