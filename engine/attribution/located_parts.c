#include "engine/attribution/located_parts.h"

#include <string.h>

/* The latest row of a part. */
struct held_row {
    int64_t from, to; /* holds for from <= time <= to */
    uint32_t row;     /* NO_ID: not located yet */
};

/* The places of a process. The first two are parts of what all have. */
struct located_places {
    struct found *found;  /* by place: when it was met first */
    uint32_t *locations;  /* by place, the latest */
    struct located *held; /* the same with its times: from > to where there is
                             none yet; NULL where all places last */
};

/* Places of one process that a task looks up. */
struct some_places {
    uint32_t space; /* of processes; the kernel's is the last */
    const struct place *list;
    size_t count;
    struct found *found;
    bool last; /* all of them: set by the task */
};

struct looking_up {
    const struct located_parts *located;
    VEC(struct some_places) tasks;
};

enum { PLACES_A_TASK = 1024 };

/* It was there when its place was met first, and no later time is asked for
 * than the last one. */
static bool lasts(const struct located_parts *l, const struct found *found)
{
    return l->parts->ordered && found->to >= l->parts->last;
}

static void look_up(void *context, size_t task, unsigned worker)
{
    const struct looking_up *job = context;
    const struct located_parts *l = job->located;
    struct some_places *some = &job->tasks.data[task];
    uint32_t process =
        some->space < l->parts->process_count ? some->space : NO_ID;

    bool last = true;

    (void)worker;
    for (size_t i = 0; i < some->count; i++) {
        const struct place *place = &some->list[i];

        some->found[i] = locator_look_up(l->locator, process, place->address,
                                         place->caller, place->since);
        last &= lasts(l, &some->found[i]);
    }
    some->last = last;
}

static void share_out(struct looking_up *l, uint32_t space,
                      const struct process_places *places, struct found *found)
{
    for (size_t i = 0; i < places->list.len; i += PLACES_A_TASK) {
        size_t left = places->list.len - i;

        *vec_add(&l->tasks) = (struct some_places){
            .space = space,
            .list = places->list.data + i,
            .count = left < PLACES_A_TASK ? left : PLACES_A_TASK,
            .found = found + i,
        };
    }
}

/* Nothing is located yet. */
static void hold_places(struct located_places *p, size_t n)
{
    if (p->held)
        return;
    p->held = mem_new(n, sizeof(*p->held));
    for (size_t i = 0; i < n; i++)
        p->held[i].from = 1;
}

static void look_up_places(struct located_parts *l, struct threads *pool)
{
    const struct stack_parts *parts = l->parts;
    size_t spaces = parts->process_count + 1, count = 0, at = 0;
    struct looking_up job = {.located = l};

    for (size_t i = 0; i < spaces; i++)
        count += parts->processes[i].list.len;
    l->found = mem_new(count, sizeof(*l->found));
    l->locations = mem_new(count, sizeof(*l->locations));
    l->places = mem_new(spaces, sizeof(*l->places));
    for (uint32_t i = 0; i < spaces; i++) {
        l->places[i].found = l->found + at;
        l->places[i].locations = l->locations + at;
        share_out(&job, i, &parts->processes[i], l->found + at);
        at += parts->processes[i].list.len;
    }
    threads_run(pool, job.tasks.len, look_up, &job);
    for (size_t i = 0; i < job.tasks.len; i++) {
        const struct some_places *some = &job.tasks.data[i];

        l->one_row &= some->last;
        if (!some->last)
            hold_places(&l->places[some->space],
                        parts->processes[some->space].list.len);
    }
    vec_release(&job.tasks);
    profile_expect_locations(l->locator->profile, count);
}

void located_parts_init(struct located_parts *l, struct stack_parts *parts,
                        struct locator *locator, size_t most,
                        struct threads *pool)
{
    size_t n = parts->list.len;

    *l = (struct located_parts){.parts = parts,
                                .locator = locator,
                                .lasting = mem_new(n, sizeof(*l->lasting)),
                                .most = most,
                                .one_row = true};
    vec_reserve(&l->rows.list, n);
    for (size_t i = 0; i < n; i++) {
        const struct stack_part *part = &parts->list.data[i];

        *vec_add(&l->rows.list) = (struct location_row){
            part->row, parts->seen->callchains.list.data[part->run].count};
        if (!l->rows.list.data[i].count) {
            l->lasting[i] = PART_EMPTY;
            l->one_row = false;
        }
    }
    look_up_places(l, pool);
    if (l->one_row)
        return;
    l->held = mem_new(n, sizeof(*l->held));
    for (size_t i = 0; i < n; i++)
        l->held[i] = (struct held_row){.from = 1, .row = NO_ID};
}

/* What is needed while rows are asked for. */
static void forget_places(struct located_parts *l)
{
    for (size_t i = 0; l->places && i <= l->parts->process_count; i++)
        free(l->places[i].held);
    free(l->places);
    free(l->locations);
    free(l->found);
    free(l->held);
    free(l->lasting);
    l->places = NULL;
    l->locations = NULL;
    l->found = NULL;
    l->held = NULL;
    l->lasting = NULL;
}

void located_parts_release(struct located_parts *l)
{
    forget_places(l);
    stack_rows_release(&l->rows);
}

/* A part holds where all of its locations do. */
static void intersect(struct held_row *held, int64_t from, int64_t to)
{
    held->from = from > held->from ? from : held->from;
    held->to = to < held->to ? to : held->to;
}

static struct located_places *places_of(const struct located_parts *l,
                                        const struct stack_part *part)
{
    return &l->places[part->process == NO_ID ? l->parts->process_count
                                             : part->process];
}

static void locate_place(struct located_parts *l, const struct stack_part *part,
                         uint32_t number, int64_t time)
{
    struct located_places *places = places_of(l, part);
    struct found found = places->found[number];
    struct located located;

    if (places->held) {
        const struct place *place = stack_parts_place(l->parts, part, number);

        if (time != place->since)
            found = locator_look_up(l->locator, part->process, place->address,
                                    place->caller, time);
    }
    located = locator_settle(l->locator, &found);
    places->locations[number] = located.location;
    if (places->held)
        places->held[number] = located;
}

static bool part_lasts(const struct located_parts *l, uint32_t id)
{
    const struct stack_part *part = &l->parts->list.data[id];
    const struct located_places *places = places_of(l, part);

    if (!places->held)
        return true;
    for (uint32_t i = 0; i < l->rows.list.data[id].count; i++)
        if (!lasts(l, &places->found[part->row[i]]))
            return false;
    return true;
}

/* Of its places those that no part before it has; its row follows in the
 * end. */
static void locate_lasting(struct located_parts *l, uint32_t id, int64_t time)
{
    const struct stack_part *part = &l->parts->list.data[id];

    l->lasting[id] = PART_LASTS;
    for (uint32_t i = 0; i < part->new_places; i++)
        locate_place(l, part, part->first_place + i, time);
}

/* Locations take the place of the numbers of places. */
static void locate_part(struct located_parts *l, uint32_t id,
                        struct held_row *held, int64_t time)
{
    const struct stack_part *part = &l->parts->list.data[id];
    const struct located *places = places_of(l, part)->held;

    *held = (struct held_row){TIME_MIN, TIME_MAX, id};
    for (uint32_t i = 0; i < l->rows.list.data[id].count; i++) {
        const struct located *place = &places[part->row[i]];

        if (time < place->from || time > place->to)
            locate_place(l, part, part->row[i], time);
        part->row[i] = place->location;
        intersect(held, place->from, place->to);
    }
}

static const struct located *locate_frame(struct located_parts *l,
                                          const struct stack_part *part,
                                          uint32_t frame, int64_t time)
{
    const struct observations *seen = l->parts->seen;
    const struct callchain run = seen->callchains.list.data[part->run];

    return (frame_is_caller(seen, &run, frame) ? locator_find_caller
                                               : locator_find)(
        l->locator, part->process, callchain_frame(&run, frame), time);
}

/* Another row, unless it would be as the last one. */
static void replace_row(struct located_parts *l, struct held_row *held,
                        const uint32_t *locations, uint32_t count)
{
    const uint32_t *old = l->rows.list.data[held->row].locations;
    uint32_t same = 0, *row;

    while (same < count && locations[same] == old[same])
        same++;
    if (same == count)
        return;
    l->changed += count - same;
    row = arena_new(&l->rows.rest, uint32_t, count);
    memcpy(row, locations, count * sizeof(*row));
    held->row = mem_next_id(l->rows.list.len);
    *vec_add(&l->rows.list) = (struct location_row){row, count};
}

static void locate_again(struct located_parts *l, uint32_t id,
                         struct held_row *held, int64_t time)
{
    const struct stack_part *part = &l->parts->list.data[id];
    uint32_t count = l->rows.list.data[id].count, locations[STACK_PART_DEEPEST];

    held->from = TIME_MIN;
    held->to = TIME_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const struct located *found =
            locate_frame(l, part, count - 1 - i, time);

        locations[i] = found->location;
        intersect(held, found->from, found->to);
    }
    replace_row(l, held, locations, count);
}

static uint32_t held_row(struct located_parts *l, uint32_t part, int64_t time)
{
    struct held_row *held = &l->held[part];

    if (time >= held->from && time <= held->to)
        return held->row;
    if (held->row == NO_ID)
        locate_part(l, part, held, time);
    else if (l->changed >= l->most)
        l->kept++;
    else
        locate_again(l, part, held, time);
    return held->row;
}

void located_parts_soon(const struct located_parts *l, uint32_t part)
{
    const struct stack_part *soon = &l->parts->list.data[part];
    const struct found *found = places_of(l, soon)->found;

    for (uint32_t i = 0; i < soon->new_places; i++)
        locator_soon(l->locator, &found[soon->first_place + i]);
}

/* A row that has locations already is not asked whether its places last. */
uint32_t located_parts_ask(struct located_parts *l, uint32_t part, int64_t time)
{
    if (l->lasting[part] == PART_EMPTY)
        return NO_ID;
    if (l->held && (l->held[part].row != NO_ID || !part_lasts(l, part)))
        return held_row(l, part, time);
    locate_lasting(l, part, time);
    return part;
}

uint32_t located_parts_extra(struct located_parts *l, uint32_t location)
{
    uint32_t *row = arena_new(&l->rows.rest, uint32_t, 1), id;

    *row = location;
    id = mem_next_id(l->rows.list.len);
    *vec_add(&l->rows.list) = (struct location_row){row, 1};
    return id;
}

enum { PARTS_A_TASK = 1 << 12 };

static void name_locations(void *context, size_t task, unsigned worker)
{
    const struct located_parts *l = context;
    size_t from = task * PARTS_A_TASK, to = from + PARTS_A_TASK;

    (void)worker;
    for (size_t id = from; id < to && id < l->parts->list.len; id++) {
        const struct stack_part *part = &l->parts->list.data[id];
        const uint32_t *locations = places_of(l, part)->locations;

        for (uint32_t i = 0; l->lasting[id] && i < l->rows.list.data[id].count;
             i++)
            part->row[i] = locations[part->row[i]];
    }
}

void located_parts_settle(struct located_parts *l, struct threads *pool)
{
    threads_run(pool, l->parts->list.len / PARTS_A_TASK + 1, name_locations, l);
    forget_places(l);
}
