#include "symbols/stack_ends.h"

#include <stdlib.h>

#include "engine/model/profile.h"
#include "symbols/frame_images.h"

/* What the call-frame information says of a location. */
enum frame_state {
    FRAME_NOT_ASKED,
    FRAME_NOT_KNOWN, /* no image, or nothing about the address */
    FRAME_KEPT,      /* it has a frame that leads to the caller's */
    FRAME_NONE,      /* the frame pointer is its caller's still */
    FRAME_LAST,      /* nobody called it */
};

struct image {
    bool sought;
    void *opened;
};

struct judging {
    const struct profile *p;
    const struct places *places;
    struct image *images; /* by module */
    uint8_t *states;      /* by location: enum frame_state */
};

/* DWARF's numbers of what holds the return address, the stack pointer and the
 * frame pointer. */
static const struct machine {
    uint8_t back, stack, frame;
    bool linked; /* calls leave the return address in a register */
} machines[] = {
    {16, 7, 6, false},  /* x86-64 */
    {8, 4, 5, false},   /* x86 */
    {30, 31, 29, true}, /* arm64 */
};

static enum frame_state state_by_row(const struct frame_row *row)
{
    enum { DW_OP_breg0 = 0x70 };
    const struct machine *m = machines;
    unsigned base = row->base;

    if (row->signal)
        return FRAME_NONE;
    while (m->back != row->return_register)
        if (++m == machines + sizeof(machines) / sizeof(*machines))
            return FRAME_NOT_KNOWN;
    if (row->rules[m->back].kind == RULE_UNDEFINED)
        return FRAME_LAST;
    if (m->linked)
        return row->rules[m->back].kind == RULE_SAVED &&
                       row->rules[m->frame].kind == RULE_SAVED
                   ? FRAME_KEPT
                   : FRAME_NONE;
    if (row->frame.kind == RULE_EXPRESSION)
        base = row->frame.size ? row->frame.expression[0] - DW_OP_breg0 : 0;
    if (base == m->frame)
        return FRAME_KEPT;
    return base == m->stack ? FRAME_NONE : FRAME_NOT_KNOWN;
}

static enum frame_state state_at(struct judging *j, const struct location *l)
{
    struct image *image;
    struct frame_row row;

    if (l->module == NO_ID || l->kind == CODE_KERNEL)
        return FRAME_NOT_KNOWN;
    image = &j->images[l->module];
    if (!image->sought)
        image->opened = frame_image_open(j->places, j->p, l->module);
    image->sought = true;
    return image->opened && frame_image_find_loaded(
                                image->opened, l->address - l->caller, &row)
               ? state_by_row(&row)
               : FRAME_NOT_KNOWN;
}

static enum frame_state state_of(struct judging *j, uint32_t location)
{
    uint8_t *state = &j->states[location];

    if (*state == FRAME_NOT_ASKED)
        *state = (uint8_t)state_at(j, &j->p->locations.data[location]);
    return (enum frame_state)j->states[location];
}

/* ---- stacks ---- */

/* What is known of all frames of a stack but the outermost. Of two, the
 * greater holds for both. */
enum frames_state { ALL_KEPT, SOME_NOT_KNOWN, ONE_MISSING };

/* The kernel walks its own part by better means. */
static enum frames_state frames_state_at(struct judging *j, uint32_t location)
{
    if (j->p->locations.data[location].kind == CODE_KERNEL)
        return ALL_KEPT;
    switch (state_of(j, location)) {
    case FRAME_NONE:
        return ONE_MISSING;
    case FRAME_KEPT:
    case FRAME_LAST:
        return ALL_KEPT;
    default:
        return SOME_NOT_KNOWN;
    }
}

static enum frames_state both(enum frames_state a, enum frames_state b)
{
    return a > b ? a : b;
}

/* By stack, but for its outermost frame: enum frames_state. */
static uint8_t *states_of_stacks(struct judging *j)
{
    const struct profile *p = j->p;
    size_t count = p->stacks.len;
    uint8_t *states = mem_new(count, sizeof(*states));

    for (size_t i = 1; i < p->stacks.len; i++) {
        const struct stack *s = &p->stacks.data[i];

        if (s->parent)
            states[i] = (uint8_t)both((enum frames_state)states[s->parent],
                                      frames_state_at(j, s->location));
    }
    return states;
}

/* `end`: by names. A leaf that is alone and has no frame had a caller. */
static enum stack_end end_of(struct judging *j, const struct stack_root *root,
                             enum frames_state state, enum stack_end end)
{
    bool user = j->p->locations.data[root->location].kind != CODE_KERNEL;
    enum frame_state outermost =
        user ? state_of(j, root->location) : FRAME_NOT_KNOWN;

    if (outermost == FRAME_LAST)
        end = STACK_END_ROOT;
    if (state == ONE_MISSING ||
        (end != STACK_END_ROOT && root->callee == NO_ID &&
         outermost == FRAME_NONE))
        return STACK_END_LEAF_FRAME;
    return state == ALL_KEPT ? end : STACK_END_UNKNOWN;
}

static bool has_unknown(const struct profile *p)
{
    for (size_t i = 0; i < p->samples.len; i++)
        if (stack_end_of(p->samples.flags[i]) == STACK_END_UNKNOWN)
            return true;
    return false;
}

void stack_ends_find(struct profile *p, const struct places *places)
{
    uint8_t *ends;

    if (!has_unknown(p))
        return;
    ends = stack_ends_by_name(p);
    if (p->frame_pointers) {
        struct judging j = {
            .p = p,
            .places = places,
            .images = mem_new(p->modules.len, sizeof(*j.images)),
            .states = mem_new(p->locations.len, sizeof(*j.states)),
        };
        struct stack_root *roots = stack_roots_new(p);
        uint8_t *states = states_of_stacks(&j);

        for (size_t i = 0; i < p->stacks.len; i++)
            if (roots[i].location != NO_ID)
                ends[i] =
                    (uint8_t)end_of(&j, &roots[i], (enum frames_state)states[i],
                                    (enum stack_end)ends[i]);
        for (size_t i = 0; i < p->modules.len; i++)
            frame_image_close(j.images[i].opened);
        free(j.images);
        free(j.states);
        free(states);
        free(roots);
    }
    stack_ends_put(p, ends);
    free(ends);
}
