/*
 * Changes of processes, in order of time. Memory of a process:
 *
 *   - fork copies it, with all that is mapped;
 *   - a mapping hides what was mapped there before;
 *   - exec maps other files, yet samples in it are still called from the
 *     program before it, so nothing is forgotten.
 *
 * The mappings of a process are a list from the latest to the oldest, which a
 * child shares with its parent: `older` leads to what was mapped before. It
 * is told for processes that were sampled, when it is complete.
 * (format.md, section 7)
 */
#include "engine/format/perfdata/perfdata.h"

#include <string.h>

#include "engine/base/keysort.h"

/* Memory that forks copied is told as long as it comes to this and to a part
 * of the recording's size: a few bytes fork what thousands mapped. */
enum { COPIES_FREE = 1 << 18, BYTES_PER_COPY = 128 };

/* One use of a pid. */
struct program {
    uint32_t pid;
    uint32_t newest; /* mapping, or NO_ID */
    uint32_t image;  /* the first mapping of a file, which is the program's own;
                        or NO_ID */
    uint32_t space, owner; /* mapping_tree.h: root, owner; for walks */
    uint32_t jitdump;      /* string: the path of one that it mapped, or "" */
    uint64_t since;        /* it began; its memory is its own since then */
    uint32_t parent;       /* pid, until it is named or ends; else NO_PID */
    bool replaced;         /* by exec, of which no mapping was met so far */
};

struct telling {
    struct pd_reading *r;
    VEC(struct program) programs;
    struct map program_ids;   /* pid -> the newest use */
    struct map thread_names;  /* tid -> string */
    struct map sampled;       /* pids */
    struct map forked;        /* (tid, pid) -> 1 for threads that began and
                                 did not end */
    struct map generated;     /* pids whose generated code is known */
    struct pd_walker *walker; /* NULL: no stacks are to be walked */
    size_t walked;            /* samples looked at */
    VEC(uint32_t) memory;     /* mappings of one process, the latest first */
    uint64_t copies;          /* of mappings that may be told yet */
    bool kernel_told;
};

static int64_t time_of(const struct telling *t, uint64_t time)
{
    return pd_time(t->r, time);
}

static uint32_t thread_name(const struct telling *t, uint32_t tid)
{
    uint32_t name = map_get(&t->thread_names, tid, 0);

    return name == MAP_NONE ? 0 : name;
}

/* ---- memory ---- */

static bool is_copied(const struct telling *t, const struct program *p,
                      uint32_t mapping)
{
    return p->since && t->r->mappings.data[mapping].time <= p->since;
}

/* `later`: how many the process mapped since. Mappings that it had when it
 * began are told a nanosecond apart, so that they hide each other as they did
 * in its parent. */
static void tell_mapping(struct telling *t, const struct program *p,
                         uint32_t mapping, size_t later)
{
    const struct pd_mapping *m = &t->r->mappings.data[mapping];
    const char *path = strings_get(t->r->strings, m->path);
    bool copied = is_copied(t, p, mapping);
    struct observed_image fact = {
        .time = copied ? time_of(t, p->since) - (int64_t)later
                       : time_of(t, m->time),
        .event = copied || m->time ? SEEN_BEGIN : SEEN_AT_START,
        .pid = p->pid,
        .pages = true,
        .base = m->base,
        .size = m->size,
        .rva = pd_has_file_offsets(path) && !m->generated ? m->file_offset
                                                          : m->base,
        .module = pd_module(t->r, m),
        .symbols = pd_file_symbols(t->r, m),
        .jit = pd_is_generated(path),
    };

    observe_image(t->r->seen, &fact);
}

static bool is_sampled(const struct telling *t, uint32_t pid)
{
    return map_get(&t->sampled, pid, 0) != MAP_NONE;
}

/* The oldest first. A later fork cannot copy mappings of before an exec. */
static void tell_memory(struct telling *t, const struct program *p)
{
    const struct pd_mapping *all = t->r->mappings.data;
    bool generated = false;

    if (!is_sampled(t, p->pid))
        return;
    t->memory.len = 0;
    for (uint32_t i = p->newest; i != NO_ID; i = all[i].older) {
        if (is_copied(t, p, i) && !t->copies) {
            t->r->cut_memories++;
            break;
        }
        t->copies -= is_copied(t, p, i);
        *vec_add(&t->memory) = i;
        if (all[i].first && all[i].time < p->since)
            break;
    }
    for (size_t n = t->memory.len; n > 0; n--) {
        uint32_t i = t->memory.data[n - 1];

        tell_mapping(t, p, i, n - 1);
        generated |= pd_is_generated(strings_get(t->r->strings, all[i].path));
    }
    if ((generated || p->jitdump) &&
        map_add(&t->generated, p->pid, 0, 1) == 1) {
        map_set(&t->generated, p->pid, 0, 0);
        pd_read_generated(t->r, p->pid, p->jitdump);
    }
}

static void tell_kernel_mapping(struct telling *t, struct pd_mapping *m)
{
    struct observed_image fact = {
        .time = time_of(t, m->time),
        .event = m->time ? SEEN_BEGIN : SEEN_AT_START,
        .kernel = true,
        .module = pd_module(t->r, m),
        .symbols = pd_file_symbols(t->r, m),
    };

    t->kernel_told = true;
    pd_place_kernel(t->r, m);
    fact.base = m->base;
    fact.size = m->size;
    observe_image(t->r->seen, &fact);
}

/* ---- processes ---- */

static uint32_t add_program(struct telling *t, const struct pd_happening *h,
                            uint32_t name)
{
    uint32_t id = mem_next_id(t->programs.len);
    struct observed_process fact = {
        .time = time_of(t, h->time),
        .event = h->kind == PD_FORK && h->time ? SEEN_BEGIN : SEEN_AT_START,
        .pid = h->pid,
        .parent_pid = h->kind == PD_FORK ? h->parent_pid : 0,
        .name = name,
        .renames = true,
    };

    *vec_add(&t->programs) = (struct program){
        .pid = h->pid,
        .newest = NO_ID,
        .image = NO_ID,
        .space = NO_ID,
        .owner = t->walker ? pd_walker_owner(t->walker) : 0,
        .since = h->time,
        .parent = h->kind == PD_FORK ? h->parent_pid : NO_PID,
    };
    observe_process(t->r->seen, &fact);
    map_set(&t->program_ids, h->pid, 0, id);
    return id;
}

/* The program that has the pid now. */
static struct program *program_of(struct telling *t,
                                  const struct pd_happening *h)
{
    uint32_t id = map_get(&t->program_ids, h->pid, 0);

    if (id == MAP_NONE)
        id = add_program(t, &(struct pd_happening){.pid = h->pid}, 0);
    return &t->programs.data[id];
}

/* The recorder lists processes while they begin: one that was listed, with
 * its memory, may have a record of its beginning, too; or several events
 * recorded the same beginning. */
static bool has_begun(const struct telling *t, const struct pd_happening *h)
{
    uint32_t id = map_get(&t->program_ids, h->pid, 0);

    return h->time && id != MAP_NONE &&
           t->programs.data[id].parent == h->parent_pid;
}

static void copy_memory(struct telling *t, struct program *parent,
                        struct program *child)
{
    child->newest = parent->newest;
    child->space = parent->space;
    child->image = parent->image;
    child->jitdump = parent->jitdump;
    if (t->walker)
        parent->owner = pd_walker_owner(t->walker);
}

static void take_fork(struct telling *t, const struct pd_happening *h)
{
    uint32_t name = thread_name(t, h->parent_tid), id, parent;
    struct observed_thread fact = {
        .time = time_of(t, h->time),
        .event = h->time ? SEEN_BEGIN : SEEN_AT_START,
        .tid = h->tid,
        .pid = h->pid,
        .name = name,
    };
    bool begun = h->time && map_get(&t->forked, h->tid, h->pid) == 1 &&
                 (h->pid == h->parent_pid || has_begun(t, h));

    map_set(&t->forked, h->tid, h->pid, 1);
    if (!begun)
        map_set(&t->thread_names, h->tid, 0, name);
    if (h->pid != h->parent_pid && !has_begun(t, h)) {
        id = map_get(&t->program_ids, h->pid, 0);
        if (id != MAP_NONE)
            tell_memory(t, &t->programs.data[id]);
        id = add_program(t, h, h->time ? name : 0);
        parent = map_get(&t->program_ids, h->parent_pid, 0);
        /* The own mappings of a process that was there follow. */
        if (h->time && parent != MAP_NONE)
            copy_memory(t, &t->programs.data[parent], &t->programs.data[id]);
    }
    if (!begun)
        observe_thread(t->r->seen, &fact);
}

/* A process is called as its main thread is. Recorders that do not tell exec
 * from other changes of a name are many. */
static void take_name(struct telling *t, const struct pd_happening *h)
{
    struct program *p = program_of(t, h);
    struct observed_process process = {
        .time = time_of(t, h->time),
        .event = h->time ? SEEN_AT_STOP : SEEN_AT_START,
        .pid = h->pid,
        .name = h->what,
        .renames = true,
    };
    struct observed_thread thread = {
        .time = process.time,
        .event = process.event,
        .tid = h->tid,
        .pid = h->pid,
        .name = h->what,
    };

    p->replaced |= h->kind == PD_EXEC;
    if (h->kind == PD_EXEC || h->pid == h->tid) {
        observe_process(t->r->seen, &process);
        if (h->time)
            p->parent = NO_PID;
    }
    map_set(&t->thread_names, h->tid, 0, h->what);
    observe_thread(t->r->seen, &thread);
}

static void take_exit(struct telling *t, const struct pd_happening *h)
{
    struct observed_thread thread = {
        .time = time_of(t, h->time),
        .event = SEEN_END,
        .tid = h->tid,
        .pid = h->pid,
    };
    struct observed_process process = {
        .time = time_of(t, h->time), .event = SEEN_END, .pid = h->pid};
    struct program *p;

    p = program_of(t, h);
    if (h->pid == h->tid)
        p->parent = NO_PID;
    map_set(&t->forked, h->tid, h->pid, 0);
    observe_thread(t->r->seen, &thread);
    if (h->pid == h->tid)
        observe_process(t->r->seen, &process);
}

/* If the newest mapping is a copy of an image, it becomes that image again, or
 * the part of it that is the image's comes on top. */
static void take_remapped(struct telling *t, struct program *p)
{
    struct pd_mapping part, *m = &t->r->mappings.data[p->newest];

    if (!pd_find_remapped(t->r, p->image, p->newest, &part))
        return;
    if (part.size == m->size) {
        *m = part;
        return;
    }
    part.older = p->newest;
    part.first = false;
    p->newest = mem_next_id(t->r->mappings.len);
    *vec_add(&t->r->mappings) = part;
}

static void map_for_walks(struct telling *t, struct program *p,
                          uint32_t mapping)
{
    if (t->walker)
        p->space = pd_walker_map(t->walker, p->space, p->owner, mapping);
}

static void take_mapping(struct telling *t, const struct pd_happening *h)
{
    struct pd_mapping *m = &t->r->mappings.data[h->what];
    struct program *p;
    uint32_t number;

    m->time = h->time;
    if (m->kernel) {
        tell_kernel_mapping(t, m);
        return;
    }
    p = program_of(t, h);
    m->older = p->newest;
    m->first = p->replaced;
    if (p->replaced) {
        p->image = NO_ID;
        p->jitdump = 0;
    }
    if (p->image == NO_ID &&
        !pd_is_generated(strings_get(t->r->strings, m->path)))
        p->image = h->what;
    p->replaced = false;
    if (!p->jitdump &&
        pd_is_jitdump(strings_get(t->r->strings, m->path), &number))
        p->jitdump = m->path;
    p->newest = h->what;
    take_remapped(t, p);
    map_for_walks(t, p, h->what);
    if (p->newest != h->what)
        map_for_walks(t, p, p->newest);
}

static void take_happening(struct telling *t, const struct pd_happening *h)
{
    switch (h->kind) {
    case PD_COMM:
    case PD_EXEC:
        take_name(t, h);
        break;
    case PD_FORK:
        take_fork(t, h);
        break;
    case PD_EXIT:
        take_exit(t, h);
        break;
    case PD_MMAP:
        take_mapping(t, h);
        break;
    }
}

/* ---- stacks ---- */

/* Walks the samples taken before `time`, when memory was as it is now known. */
static void walk_stacks(struct telling *t, uint64_t time)
{
    struct pd_reading *r = t->r;

    for (; t->walker && t->walked < r->samples.len; t->walked++) {
        const struct program *p;
        size_t i = t->walked;
        uint32_t program;

        if ((uint64_t)r->samples.time[i] >= time)
            return;
        if (!(r->samples.leaf[i] & PD_WALKS))
            continue;
        program =
            map_get(&t->program_ids,
                    r->seen->thread_keys.data[r->samples.thread[i]].pid, 0);
        p = program == MAP_NONE ? NULL : &t->programs.data[program];
        pd_walk(t->walker, i, p ? p->space : NO_ID, p ? p->jitdump : 0);
    }
}

/* ---- all of it ---- */

static struct keyed *in_order(const struct pd_reading *r)
{
    struct keyed *order = mem_new(r->happenings.len, sizeof(*order));

    for (size_t i = 0; i < r->happenings.len; i++)
        order[i] = (struct keyed){r->happenings.data[i].time, (uint32_t)i};
    keysort(order, r->happenings.len);
    return order;
}

/* The kernel's idle process, which no record describes. */
static void tell_idle(struct telling *t)
{
    struct pd_happening h = {.pid = 0};

    if (is_sampled(t, 0))
        add_program(t, &h, strings_add(t->r->strings, "swapper", 7));
}

void pd_tell_happenings(struct pd_reading *r)
{
    struct telling t = {.r = r,
                        .copies = COPIES_FREE + r->size / BYTES_PER_COPY};
    struct keyed *order = in_order(r);
    struct pd_mapping kernel = {
        .path = strings_add(r->strings, PD_KERNEL_PATH, strlen(PD_KERNEL_PATH)),
        .kernel = true};

    if (r->stacks.len)
        t.walker = pd_walker_new(r);
    for (size_t i = 0; i < t.r->seen->thread_keys.len; i++)
        map_set(&t.sampled, t.r->seen->thread_keys.data[i].pid, 0, 0);
    tell_idle(&t);
    for (size_t i = 0; i < r->happenings.len; i++) {
        walk_stacks(&t, order[i].key);
        take_happening(&t, &r->happenings.data[order[i].value]);
    }
    walk_stacks(&t, UINT64_MAX);
    pd_walker_free(t.walker);
    for (size_t i = 0; i < t.programs.len; i++)
        if (map_get(&t.program_ids, t.programs.data[i].pid, 0) == i)
            tell_memory(&t, &t.programs.data[i]);
    if (r->kernel_ran && !t.kernel_told)
        tell_kernel_mapping(&t, &kernel);
    pd_tell_kernel_symbols(r);
    vec_release(&t.programs);
    vec_release(&t.memory);
    map_release(&t.program_ids);
    map_release(&t.thread_names);
    map_release(&t.sampled);
    map_release(&t.forked);
    map_release(&t.generated);
    free(order);
}
