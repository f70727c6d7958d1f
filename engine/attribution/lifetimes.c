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

/* The last life of `key` that had begun at `time`; before all of them the
 * first: an id seen a little early is that life, not a new one. NO_ID: it has
 * none. */
static uint32_t index_find(const struct lifetime_index *index, uint64_t key,
                           int64_t time, int64_t *until)
{
    const struct lifetime *lives = index->lives.data;
    size_t at;
    bool later;

    BISECT(at, index->lives.len,
           lives[at].key < key ||
               (lives[at].key == key && lives[at].start <= time));
    later = at < index->lives.len && lives[at].key == key;
    *until = later ? lives[at].start : TIME_MAX;
    if (at && lives[at - 1].key == key)
        return lives[at - 1].thing;
    return later ? lives[at].thing : NO_ID;
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

/* Recorders tell of an end twice, or of a process that ended shortly before:
 * that begins no new life. The beginning of one was lost if an event behind an
 * end names another program, or finds one that cannot be told to be the same
 * when the recording stops. */
static bool is_other_program(const struct process *process,
                             const struct observed_process *fact)
{
    bool named = fact->name && process->name;

    if (process->end == TIME_MAX || fact->event == SEEN_AT_START ||
        fact->renames)
        return false;
    return named ? fact->name != process->name : fact->event == SEEN_AT_STOP;
}

/* `newest` leads from an id to its newest life so far. */
static void take_process(struct lifetimes *l, struct map *newest,
                         const struct observed_process *fact)
{
    struct observations *seen = l->seen;
    struct process *process;
    uint32_t id = map_get(newest, fact->pid, 0);
    int64_t start = fact->event == SEEN_BEGIN ? fact->time : TIME_MIN;

    process = id != MAP_NONE ? &seen->profile->processes.data[id] : NULL;
    if (!process || fact->event == SEEN_BEGIN ||
        is_other_program(process, fact)) {
        if (process && process->end == TIME_MAX)
            process->end = fact->time;
        if (process && fact->event != SEEN_BEGIN)
            start = process->end;
        id = add_process(l, fact->pid, start);
        map_set(newest, fact->pid, 0, id);
        process = &seen->profile->processes.data[id];
    }
    if (fact->event == SEEN_END)
        process->end = fact->time;
    if (fact->name && (fact->renames || !process->name))
        process->name = fact->name;
    if (fact->name && fact->renames)
        index_add(&l->process_names, id, fact->time,
                  (uint32_t)(fact - seen->processes.data));
    if (fact->command_line && !process->command_line)
        process->command_line = fact->command_line;
    if (fact->parent_pid)
        process->parent_pid = fact->parent_pid;
}

static void take_thread(struct lifetimes *l, struct map *newest,
                        const struct observed_thread *fact)
{
    struct observations *seen = l->seen;
    struct profile *p = seen->profile;
    uint32_t process_id = lifetimes_process(l, fact->pid, fact->time);
    struct process *process = &p->processes.data[process_id];
    uint32_t id = map_get(newest, fact->tid, 0);
    struct thread *thread = id != MAP_NONE ? &p->threads.data[id] : NULL;
    int64_t start = fact->event == SEEN_BEGIN ? fact->time : TIME_MIN;

    if (!thread || thread->process != process_id || fact->event == SEEN_BEGIN) {
        /* The one before was gone when its process was another. */
        if (thread && thread->end == TIME_MAX)
            thread->end =
                fact->event != SEEN_BEGIN && process->start > thread->start
                    ? process->start
                    : fact->time;
        if (thread && fact->event != SEEN_BEGIN)
            start = thread->end;
        id = add_thread(l, fact->tid, process_id, start);
        map_set(newest, fact->tid, 0, id);
        thread = &p->threads.data[id];
    }
    if (fact->event == SEEN_END) {
        thread->end = fact->time;
        if (process->end < fact->time) /* its main thread ended before */
            process->end = fact->time;
    }
    if (!fact->name)
        return;
    thread->name = fact->name;
    index_add(&l->thread_names, id, fact->time,
              (uint32_t)(fact - seen->threads.data));
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
    index_sort(&l->process_names);
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
    index_sort(&l->thread_names);
    map_release(&newest);
    free(order);
}

void lifetimes_build(struct lifetimes *l, struct observations *seen)
{
    *l = (struct lifetimes){.seen = seen};
    build_processes(l);
    build_threads(l);
}

void lifetimes_forget_threads(struct lifetimes *l)
{
    vec_release(&l->threads.lives);
    vec_release(&l->threads_of_process.lives);
    vec_release(&l->process_names.lives);
    vec_release(&l->thread_names.lives);
    map_release(&l->made_up_threads);
    map_release(&l->renamed_processes);
    map_release(&l->renamed_threads);
}

void lifetimes_release(struct lifetimes *l)
{
    lifetimes_forget_threads(l);
    vec_release(&l->processes.lives);
    map_release(&l->made_up_processes);
    map_release(&l->memory_of);
}

static uint32_t process_at(struct lifetimes *l, uint32_t pid, int64_t time,
                           int64_t *until)
{
    uint32_t id = index_find(&l->processes, pid, time, until);

    if (id == NO_ID)
        id = map_get(&l->made_up_processes, pid, 0);
    if (id != NO_ID)
        return id;
    id = add_process(l, pid, TIME_MIN);
    name_system_process(l->seen, &l->seen->profile->processes.data[id]);
    map_set(&l->made_up_processes, pid, 0, id);
    return id;
}

uint32_t lifetimes_process(struct lifetimes *l, uint32_t pid, int64_t time)
{
    int64_t until;

    return process_at(l, pid, time, &until);
}

/* ---- names ---- */

/* The index of the name that `id` had at `time`, or NO_ID. */
static uint32_t name_at(const struct lifetime_index *names, uint32_t id,
                        int64_t time, int64_t *until)
{
    int64_t next;
    uint32_t fact = index_find(names, id, time, &next);

    if (next < *until)
        *until = next;
    return fact;
}

/* The process as it was called then: a row of its own beside that of its last
 * name. */
static uint32_t process_called(struct lifetimes *l, uint32_t process,
                               uint32_t name)
{
    struct profile *p = l->seen->profile;
    struct process renamed = p->processes.data[process];
    uint32_t fresh = mem_next_id(p->processes.len), id;

    if (renamed.name == name)
        return process;
    id = map_add(&l->renamed_processes, process, name, fresh);
    if (id != fresh)
        return id;
    renamed.name = name;
    *vec_add(&p->processes) = renamed;
    map_set(&l->memory_of, id, 0, process);
    return id;
}

static uint32_t thread_called(struct lifetimes *l, uint32_t thread,
                              uint32_t process, uint32_t name)
{
    struct profile *p = l->seen->profile;
    struct thread renamed = p->threads.data[thread];
    uint32_t fresh = mem_next_id(p->threads.len), id;

    if (renamed.process == process && renamed.name == name)
        return thread;
    id = map_add(&l->renamed_threads, (uint64_t)thread << 32 | process, name,
                 fresh);
    if (id != fresh)
        return id;
    renamed.process = process;
    renamed.name = name;
    *vec_add(&p->threads) = renamed;
    return id;
}

uint32_t lifetimes_thread(struct lifetimes *l, uint32_t tid, uint32_t pid,
                          int64_t time, int64_t *until)
{
    const struct observations *seen = l->seen;
    bool any = pid == NO_PID;
    const struct lifetime_index *index =
        any ? &l->threads : &l->threads_of_process;
    uint64_t key = any ? tid : pid_and_tid(pid, tid);
    uint32_t id = index_find(index, key, time, until), process, name, fact;

    if (id == NO_ID) {
        process = process_at(l, pid, time, until);
        id = map_get(&l->made_up_threads, key, process);
        if (id == NO_ID) {
            id = add_thread(l, tid, process, TIME_MIN);
            map_set(&l->made_up_threads, key, process, id);
        }
    }
    process = seen->profile->threads.data[id].process;
    name = seen->profile->threads.data[id].name;
    fact = name_at(&l->process_names, process, time, until);
    if (fact != NO_ID)
        process = process_called(l, process, seen->processes.data[fact].name);
    fact = name_at(&l->thread_names, id, time, until);
    if (fact != NO_ID)
        name = seen->threads.data[fact].name;
    return thread_called(l, id, process, name);
}

uint32_t lifetimes_memory(const struct lifetimes *l, uint32_t process)
{
    uint32_t owner = map_get(&l->memory_of, process, 0);

    return owner == MAP_NONE ? process : owner;
}
