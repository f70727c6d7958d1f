#include "engine/attribution/stack_parts.h"

#include <stdlib.h>
#include <string.h>

void stack_parts_init(struct stack_parts *p, const struct observations *seen)
{
    size_t runs = seen->callchains.list.len;

    *p = (struct stack_parts){.seen = seen,
                              .of_run = mem_new(runs, sizeof(*p->of_run)),
                              .last = TIME_MIN,
                              .ordered = true};
    memset(p->of_run, 0xFF, runs * sizeof(*p->of_run));
}

uint32_t *stack_parts_take_rows(struct stack_parts *p)
{
    uint32_t *rows = p->rows;

    for (size_t i = 0; p->processes && i <= p->process_count; i++)
        vec_release(&p->processes[i].list);
    free(p->processes);
    free(p->of_run);
    map_release(&p->others);
    vec_release(&p->list);
    p->processes = NULL;
    p->of_run = NULL;
    p->rows = NULL;
    return rows;
}

void stack_parts_release(struct stack_parts *p)
{
    free(stack_parts_take_rows(p));
}

/* Most runs belong to one process, which has the slot by run; the map leads
 * to the others. */
uint32_t stack_parts_add_other(struct stack_parts *p, uint32_t process,
                               uint32_t run, int64_t time)
{
    struct run_part *first = &p->of_run[run];
    uint32_t fresh = mem_next_id(p->list.len), id = fresh;

    if (first->part == NO_ID)
        *first = (struct run_part){fresh, process};
    else
        id = map_add(&p->others, (uint64_t)process << 32 | run, 0, fresh);
    if (id == fresh)
        *vec_add(&p->list) =
            (struct stack_part){.process = process, .run = run, .since = time};
    return id;
}

/* Parts by process, the kernel's last, in the order they came in. */
struct numbering {
    struct stack_parts *parts;
    uint32_t *order; /* ids of parts */
    size_t *start;   /* by process, and the end of the last */
    struct worker_places *workers;
};

/* Of the process that a worker is at: an address in a role -> its place. */
struct worker_places {
    MEM_APART struct map ids;
};

static size_t space_of(const struct stack_parts *p, uint32_t part)
{
    uint32_t process = p->list.data[part].process;

    return process == NO_ID ? p->process_count : process;
}

static void sort_by_process(struct numbering *n)
{
    const struct stack_parts *p = n->parts;
    size_t spaces = p->process_count + 1, *next;

    n->order = mem_new(p->list.len, sizeof(*n->order));
    n->start = mem_new(spaces + 1, sizeof(*n->start));
    next = mem_new(spaces, sizeof(*next));
    for (uint32_t i = 0; i < p->list.len; i++)
        n->start[space_of(p, i) + 1]++;
    for (size_t i = 0; i < spaces; i++)
        n->start[i + 1] += n->start[i];
    memcpy(next, n->start, spaces * sizeof(*next));
    for (uint32_t i = 0; i < p->list.len; i++)
        n->order[next[space_of(p, i)]++] = i;
    free(next);
}

/* The rows lie in the order of the parts. */
static void lay_rows(struct stack_parts *p)
{
    const struct callchain *runs = p->seen->callchains.list.data;
    size_t frames = 0;

    for (size_t i = 0; i < p->list.len; i++)
        frames += runs[p->list.data[i].run].count;
    p->rows = mem_new(frames, sizeof(*p->rows));
    frames = 0;
    for (size_t i = 0; i < p->list.len; i++) {
        p->list.data[i].row = p->rows + frames;
        frames += runs[p->list.data[i].run].count;
    }
}

/* The number of an address in a role, by the numbers of its process. */
static uint32_t number_of(struct process_places *places, struct map *ids,
                          uint64_t address, bool caller, int64_t since)
{
    uint32_t id = map_first(ids, address, caller), fresh;

    if (id != MAP_NONE)
        return id;
    fresh = mem_next_id(places->list.len);
    id = map_add(ids, address, caller, fresh);
    if (id == fresh)
        *vec_add(&places->list) = (struct place){address, since, caller};
    return id;
}

/* How many frames, the outermost, two runs have in common in the same roles:
 * a frame's role is known by the next one inwards. */
static uint32_t common_frames(const struct callchain *a,
                              const struct callchain *b)
{
    uint32_t most = a->count < b->count ? a->count : b->count, n = 0;

    if (a->exact || b->exact)
        return 0;
    while (n < most && callchain_frame(a, a->count - 1 - n) ==
                           callchain_frame(b, b->count - 1 - n))
        n++;
    return n ? n - 1 : 0;
}

enum { AT_ONCE = 8 }; /* parts */

/* Has what is known of some parts fetched, and then the frames of those before
 * them: each in a page of its own, where processors look up one after the other
 * unless they are asked for side by side. */
static void fetch_some(const struct numbering *n, size_t at, size_t end)
{
    const struct stack_parts *p = n->parts;
    const struct callchain *runs = p->seen->callchains.list.data;
    size_t soon = at + AT_ONCE, later = soon + AT_ONCE, far = later + AT_ONCE;

    for (size_t k = later; k < far && k < end; k++)
        mem_fetch(&p->list.data[n->order[k]]);
    for (size_t k = soon; k < later && k < end; k++)
        mem_fetch(&runs[p->list.data[n->order[k]].run]);
    for (size_t k = at; k < soon && k < end; k++)
        mem_fetch(runs[p->list.data[n->order[k]].run].frames);
    for (size_t k = at; k < soon && k < end; k++) {
        const struct callchain *run = &runs[p->list.data[n->order[k]].run];

        mem_fetch_lines(run->frames, (size_t)run->count * run->width);
    }
}

/* The next process has as many places, perhaps. It may have few, too: what is
 * cleared for it is in proportion to what was used. */
static void forget(struct map *ids)
{
    enum { USED = 16 };

    if (ids->used < ids->size / USED)
        map_release(ids);
    else
        map_clear(ids);
}

static void number_process(void *context, size_t process, unsigned worker)
{
    const struct numbering *n = context;
    struct stack_parts *p = n->parts;
    struct process_places *places = &p->processes[process];
    struct map *ids = &n->workers[worker].ids;
    struct callchain last = {.width = 8};
    const uint32_t *last_row = NULL;

    if (n->start[process] == n->start[process + 1])
        return;
    for (size_t k = n->start[process]; k < n->start[process + 1]; k++) {
        struct stack_part *part = &p->list.data[n->order[k]];
        const struct callchain run = p->seen->callchains.list.data[part->run];
        uint32_t *row = part->row;
        uint32_t common = common_frames(&last, &run);

        if ((k - n->start[process]) % AT_ONCE == 0)
            fetch_some(n, k + AT_ONCE, n->start[process + 1]);
        part->first_place = (uint32_t)places->list.len;
        if (common)
            memcpy(row, last_row, common * sizeof(*row));
        for (uint32_t i = common; i < run.count; i++) {
            uint32_t frame = run.count - 1 - i;

            row[i] = number_of(places, ids, callchain_frame(&run, frame),
                               frame_is_caller(p->seen, &run, frame),
                               part->since);
        }
        part->new_places = (uint32_t)places->list.len - part->first_place;
        last = run;
        last_row = row;
    }
    forget(ids);
}

void stack_parts_number(struct stack_parts *p, struct threads *pool)
{
    struct numbering n = {.parts = p};
    unsigned workers = threads_count(pool);

    p->process_count = p->seen->profile->processes.len;
    p->processes = mem_new(p->process_count + 1, sizeof(*p->processes));
    lay_rows(p);
    sort_by_process(&n);
    n.workers = mem_new_apart(workers, sizeof(*n.workers));
    threads_run(pool, p->process_count + 1, number_process, &n);
    for (unsigned i = 0; i < workers; i++)
        map_release(&n.workers[i].ids);
    free(n.workers);
    free(n.order);
    free(n.start);
}
