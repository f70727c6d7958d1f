#include "engine/analysis/algebra_impl.h"

#include <string.h>

struct laid {
    uint32_t location; /* NO_ID: nothing is left of it */
    uint32_t after;    /* the state behind it */
};

struct rewriting {
    struct profile *p;
    const struct rewrite *how;
    uint32_t *places;
    /* By stack before. REWRITE_GROUP: the group of its innermost frame;
     * REWRITE_FROM, REWRITE_TO: whether it has the frame. */
    uint32_t *states;
    uint32_t *laid_ids; /* by location and whether it goes on: 1 + laid */
    VEC(struct laid) laid;
    struct stack_table stacks;
    VEC(uint32_t) nothing; /* locations, by map */
    struct map nothing_ids;
    VEC(struct frame) frames; /* of one location, outermost first */
};

/* ---- locations ---- */

/* A location at the same address with other frames, outermost first. */
static uint32_t add_location(struct profile *p, uint32_t like,
                             const struct frame *frames, size_t n)
{
    uint32_t id = mem_next_id(p->locations.len);
    struct location location = p->locations.data[like];

    *vec_add(&p->locations) = location;
    for (size_t i = n; i-- > 0;)
        *vec_add(&p->frames) = frames[i];
    p->frames.data[p->frames.len - 1].inlined = false;
    *vec_add(&p->frame_start) = mem_next_id(p->frames.len);
    return id;
}

/* One frame of a group, behind one of the group `last`. */
static void lay_grouped(struct rewriting *r, struct frame frame, uint32_t last)
{
    uint32_t group = r->how->group[frame.function];

    if (group && group == last)
        return;
    frame.function = r->how->becomes[frame.function];
    *vec_add(&r->frames) = frame;
}

/* One frame; returns the state behind it. */
static uint32_t lay_frame(struct rewriting *r, const struct frame *frame,
                          uint32_t state)
{
    uint32_t group = r->how->group[frame->function];

    switch (r->how->kind) {
    case REWRITE_GROUP:
        lay_grouped(r, *frame, state);
        return group;
    case REWRITE_LEAVE_OUT:
        if (!group)
            *vec_add(&r->frames) = *frame;
        return 0;
    case REWRITE_FROM:
        state |= group != 0;
        if (state)
            *vec_add(&r->frames) = *frame;
        return state;
    case REWRITE_TO:
        if (!state)
            *vec_add(&r->frames) = *frame;
        return state | (group != 0);
    }
    return state;
}

static bool is_unchanged(const struct rewriting *r, uint32_t start,
                         uint32_t end)
{
    const struct frame *old = r->p->frames.data;

    if (r->frames.len != end - start)
        return false;
    for (uint32_t i = 0; i < end - start; i++)
        if (r->frames.data[i].function != old[end - 1 - i].function)
            return false;
    return true;
}

static struct laid lay_anew(struct rewriting *r, uint32_t location,
                            uint32_t state)
{
    uint32_t start = r->p->frame_start.data[location];
    uint32_t end = r->p->frame_start.data[location + 1];
    struct laid laid = {NO_ID, state};

    r->frames.len = 0;
    for (uint32_t i = end; i-- > start;)
        laid.after = lay_frame(r, &r->p->frames.data[i], laid.after);
    if (is_unchanged(r, start, end))
        laid.location = location;
    else if (r->frames.len)
        laid.location =
            add_location(r->p, location, r->frames.data, r->frames.len);
    return laid;
}

/* Only one bit of the state matters: whether the outermost frame goes on
 * with the caller's group, or whether the frame looked for was met. */
static struct laid lay(struct rewriting *r, uint32_t location, uint32_t state)
{
    uint32_t outer = r->p->frame_start.data[location + 1] - 1;
    uint32_t group = r->how->group[r->p->frames.data[outer].function];
    uint32_t bit =
        r->how->kind == REWRITE_GROUP ? group && group == state : state != 0;
    uint32_t *id = &r->laid_ids[2 * (size_t)location + bit];

    if (!*id) {
        struct laid laid = lay_anew(r, location, bit ? state : 0);

        *vec_add(&r->laid) = laid;
        *id = mem_next_id(r->laid.len);
    }
    return r->laid.data[*id - 1];
}

/* ---- stacks ---- */

/* The stack of one frame that stands for one of which nothing is left. */
static uint32_t add_nothing(struct rewriting *r, uint32_t location)
{
    struct frame frame = {.function = r->how->nothing};
    uint32_t fresh = mem_next_id(r->nothing.len);
    uint32_t id = map_add(&r->nothing_ids, location, 0, fresh);

    if (id == fresh)
        *vec_add(&r->nothing) = add_location(r->p, location, &frame, 1);
    return stack_table_add(&r->stacks, 0, r->nothing.data[id]);
}

static void rewrite_stack(struct rewriting *r, uint32_t i)
{
    struct stack s = r->p->stacks.data[i];
    struct laid laid = lay(r, s.location, r->states[s.parent]);

    r->states[i] = laid.after;
    r->places[i] = laid.location == NO_ID
                       ? r->places[s.parent]
                       : stack_table_add(&r->stacks, r->places[s.parent],
                                         laid.location);
}

/* Drops the stacks that lack the frame it looked for; no sample has stack 0. */
static void settle(struct rewriting *r)
{
    bool looked = r->how->kind == REWRITE_FROM || r->how->kind == REWRITE_TO;

    for (uint32_t i = 1; i < r->p->stacks.len; i++) {
        if (looked && !r->states[i])
            r->places[i] = NO_ID;
        else if (!r->places[i])
            r->places[i] = add_nothing(r, r->p->stacks.data[i].location);
    }
}

uint32_t *stacks_rewrite(struct profile *p, const struct rewrite *how)
{
    struct rewriting r = {.p = p, .how = how};
    size_t n = p->stacks.len;

    r.places = mem_new(n, sizeof(*r.places));
    r.states = mem_new(n, sizeof(*r.states));
    r.laid_ids = mem_new(p->locations.len, 2 * sizeof(*r.laid_ids));
    stack_table_init(&r.stacks);
    for (uint32_t i = 1; i < n; i++)
        rewrite_stack(&r, i);
    settle(&r);
    map_release(&r.stacks.ids);
    stack_table_release(&p->stacks);
    p->stacks = r.stacks;
    free(r.laid_ids);
    map_release(&r.nothing_ids);
    vec_release(&r.laid);
    vec_release(&r.nothing);
    vec_release(&r.frames);
    free(r.states);
    return r.places;
}
