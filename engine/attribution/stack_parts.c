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

/* A few thousand addresses make up most of all stacks of a process: no more
 * than fit the cache beside what else is at work. */
struct recent_place {
    uint64_t address;
    uint32_t number; /* NO_ID: none */
    bool caller;
};

enum { RECENT = 8192 };

struct place_numbers {
    struct process_places *places;
    struct map ids;
    struct recent_place recent[RECENT];
};

static struct place_numbers *numbers_new(struct process_places *places)
{
    struct place_numbers *n = mem_new(1, sizeof(*n));

    n->places = places;
    for (size_t i = 0; i < RECENT; i++)
        n->recent[i].number = NO_ID;
    return n;
}

static void numbers_free(struct place_numbers *n)
{
    map_release(&n->ids);
    free(n);
}

static uint32_t add_place(struct place_numbers *n, uint64_t address,
                          bool caller, int64_t since)
{
    struct process_places *places = n->places;
    uint32_t fresh = mem_next_id(places->list.len);
    uint32_t id = map_add(&n->ids, address, caller, fresh);

    if (id == fresh)
        *vec_add(&places->list) = (struct place){address, since, caller};
    return id;
}

static uint32_t number_of(struct place_numbers *n, uint64_t address,
                          bool caller, int64_t since)
{
    struct recent_place *recent =
        &n->recent[(address ^ address >> 12 ^ caller) % RECENT];

    if (recent->address != address || recent->caller != caller ||
        recent->number == NO_ID)
        *recent = (struct recent_place){
            address, add_place(n, address, caller, since), caller};
    return recent->number;
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

static void number_process(void *context, size_t process, unsigned worker)
{
    const struct numbering *n = context;
    struct stack_parts *p = n->parts;
    struct callchain last = {.width = 8};
    const uint32_t *last_row = NULL;
    struct place_numbers *numbers;

    (void)worker;
    if (n->start[process] == n->start[process + 1])
        return;
    numbers = numbers_new(&p->processes[process]);
    for (size_t k = n->start[process]; k < n->start[process + 1]; k++) {
        struct stack_part *part = &p->list.data[n->order[k]];
        const struct callchain run = p->seen->callchains.list.data[part->run];
        uint32_t *row = part->row;
        uint32_t common = common_frames(&last, &run);

        if ((k - n->start[process]) % AT_ONCE == 0)
            fetch_some(n, k + AT_ONCE, n->start[process + 1]);
        part->first_place = (uint32_t)p->processes[process].list.len;
        if (common)
            memcpy(row, last_row, common * sizeof(*row));
        for (uint32_t i = common; i < run.count; i++) {
            uint32_t frame = run.count - 1 - i;

            row[i] =
                number_of(numbers, callchain_frame(&run, frame),
                          frame_is_caller(p->seen, &run, frame), part->since);
        }
        part->new_places =
            (uint32_t)p->processes[process].list.len - part->first_place;
        last = run;
        last_row = row;
    }
    numbers_free(numbers);
}

void stack_parts_number(struct stack_parts *p, struct threads *pool)
{
    struct numbering n = {.parts = p};

    p->process_count = p->seen->profile->processes.len;
    p->processes = mem_new(p->process_count + 1, sizeof(*p->processes));
    lay_rows(p);
    sort_by_process(&n);
    threads_run(pool, p->process_count + 1, number_process, &n);
    free(n.order);
    free(n.start);
}
