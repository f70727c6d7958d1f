#include "engine/diff/explain.h"

#include <math.h>
#include <string.h>

enum { PARTS_MOST = 8 };

/* By way of what a stack's samples are the function's; other values are the
 * unit of a caller or callee. */
enum { ABSENT = NO_ID, OWN = NO_ID - 1, TOP = NO_ID - 2 };

struct explaining {
    const struct diff *d;
    uint32_t function;
    enum diff_direction direction;
    struct map ids; /* edge to part */
    VEC(struct diff_part) parts;
};

const char *diff_part_name(enum diff_part_kind kind)
{
    static const char *const names[] = {
        [DIFF_PART_OWN] = "own code",    [DIFF_PART_CALLEE] = "calls",
        [DIFF_PART_CALLER] = "called from", [DIFF_PART_TOP] = "outermost",
        [DIFF_PART_REST] = "other edges",
    };

    return names[kind];
}

/* A stack's frames from the innermost outwards, as units. */
struct frames {
    const struct profile *p;
    const uint32_t *unit_of;
    uint32_t stack, frame, end;
};

static void enter_stack(struct frames *f, uint32_t stack)
{
    const struct stack *s = &f->p->stacks.data[stack];

    f->stack = stack;
    f->frame = f->end = 0;
    if (!stack)
        return;
    f->frame = f->p->frame_start.data[s->location];
    f->end = f->p->frame_start.data[s->location + 1];
}

/* ABSENT behind the outermost. */
static uint32_t next_unit(struct frames *f)
{
    if (f->frame == f->end && f->stack)
        enter_stack(f, f->p->stacks.data[f->stack].parent);
    return f->stack ? f->unit_of[f->p->frames.data[f->frame++].function]
                    : ABSENT;
}

/* The first that called the function without being it. */
static uint32_t caller_above(const struct explaining *x, struct frames *f)
{
    uint32_t unit = next_unit(f);

    while (unit == x->function)
        unit = next_unit(f);
    return unit == ABSENT ? TOP : unit;
}

static uint32_t outermost_caller(const struct explaining *x, struct frames *f)
{
    uint32_t edge = ABSENT, unit;

    while ((unit = next_unit(f)) != ABSENT) {
        if (edge == TOP)
            edge = unit;
        if (unit == x->function)
            edge = TOP; /* until one more is met */
    }
    return edge;
}

/* The callee that the innermost call of the function was in. */
static uint32_t callee_below(const struct explaining *x, struct frames *f)
{
    uint32_t edge = OWN, unit;

    while ((unit = next_unit(f)) != ABSENT && unit != x->function)
        edge = unit;
    return unit == ABSENT ? ABSENT : edge;
}

static uint32_t edge_of(const struct explaining *x, struct frames *f)
{
    if (x->direction == DIFF_INSIDE)
        return callee_below(x, f);
    if (x->d->options.inclusive)
        return outermost_caller(x, f);
    return next_unit(f) == x->function ? caller_above(x, f) : ABSENT;
}

static struct diff_part *part_of(struct explaining *x, uint32_t edge)
{
    uint32_t fresh = (uint32_t)x->parts.len;
    uint32_t id = map_add(&x->ids, edge, 0, fresh);
    enum diff_part_kind kind = x->direction == DIFF_INSIDE ? DIFF_PART_CALLEE
                                                           : DIFF_PART_CALLER;

    if (edge == OWN || edge == TOP) {
        kind = edge == OWN ? DIFF_PART_OWN : DIFF_PART_TOP;
        edge = NO_ID;
    }
    if (id == fresh)
        *vec_add(&x->parts) = (struct diff_part){
            .function = edge, .kind = (uint8_t)kind, .edges = 1};
    return &x->parts.data[id];
}

/* Values are counts until all inputs are added. */
static void add_input(struct explaining *x, size_t input)
{
    const struct diff_input *in = &x->d->inputs[input];
    struct frames f = {.p = in->p, .unit_of = x->d->pairs->unit_of[input]};

    for (uint32_t i = 1; i < in->p->stacks.len; i++) {
        uint64_t samples = in->sel->stack_counts[i];
        uint32_t edge;

        if (!samples)
            continue;
        enter_stack(&f, i);
        edge = edge_of(x, &f);
        if (edge != ABSENT)
            part_of(x, edge)->value[in->after] += (double)samples;
    }
}

static int by_change(const struct diff *d, const struct diff_part *a,
                     const struct diff_part *b)
{
    const struct diff_name *n = d->pairs->names.data;

    if (fabs(a->change) != fabs(b->change))
        return fabs(a->change) > fabs(b->change) ? -1 : 1;
    if (a->kind != b->kind || a->function == NO_ID)
        return a->kind - b->kind;
    return strcmp(n[a->function].name, n[b->function].name);
}

/* The largest not yet taken comes to `at`. */
static void take_largest(struct explaining *x, size_t at)
{
    size_t best = at;
    struct diff_part swap;

    for (size_t i = at + 1; i < x->parts.len; i++)
        if (by_change(x->d, &x->parts.data[i], &x->parts.data[best]) < 0)
            best = i;
    swap = x->parts.data[at];
    x->parts.data[at] = x->parts.data[best];
    x->parts.data[best] = swap;
}

static struct diff_part rest_of(const struct explaining *x, size_t from)
{
    struct diff_part rest = {.function = NO_ID, .kind = DIFF_PART_REST};

    for (size_t i = from; i < x->parts.len; i++) {
        const struct diff_part *part = &x->parts.data[i];

        rest.value[0] += part->value[0];
        rest.value[1] += part->value[1];
        rest.edges++;
    }
    rest.change = rest.value[1] - rest.value[0];
    return rest;
}

static void choose_parts(struct explaining *x, struct diff_explanation *e)
{
    double left = e->change;
    size_t n = 0;

    while (n < x->parts.len && n < PARTS_MOST &&
           (!n || fabs(left) > fabs(e->change) / 10)) {
        take_largest(x, n);
        left -= x->parts.data[n].change;
        *vec_add(&e->parts) = x->parts.data[n++];
    }
    if (n + 1 == x->parts.len)
        *vec_add(&e->parts) = x->parts.data[n];
    else if (n < x->parts.len)
        *vec_add(&e->parts) = rest_of(x, n);
}

void diff_explain(struct diff_explanation *e, const struct diff *d,
                  const struct diff_row *row, enum diff_direction direction)
{
    struct explaining x = {
        .d = d, .function = row->function, .direction = direction};

    for (size_t i = 0; i < d->input_count; i++)
        add_input(&x, i);
    for (size_t i = 0; i < x.parts.len; i++) {
        struct diff_part *part = &x.parts.data[i];

        for (int side = 0; side < 2; side++)
            part->value[side] /= d->sides[side].exposure;
        part->change = part->value[1] - part->value[0];
    }
    e->parts.len = 0;
    e->change = row->change;
    choose_parts(&x, e);
    map_release(&x.ids);
    vec_release(&x.parts);
}

void diff_explanation_release(struct diff_explanation *e)
{
    vec_release(&e->parts);
}
