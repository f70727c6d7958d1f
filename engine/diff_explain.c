#include "engine/diff_explain.h"

#include <math.h>
#include <string.h>

enum { PARTS_MOST = 8 };

/* What a stack's samples are to the function; other values are the unit of
 * a caller or callee. */
enum { ABSENT = NO_ID, OWN = NO_ID - 1, TOP = NO_ID - 2 };

struct explaining {
    const struct diff *d;
    uint32_t function;
    enum diff_direction direction;
    uint32_t *state;  /* by stack */
    uint32_t *caller; /* by stack: the last unit on it that is not the
                         function; TOP: none */
    struct map ids;   /* state to part */
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

static uint32_t next_state(const struct explaining *x, uint32_t state,
                           uint32_t caller, uint32_t unit)
{
    bool exclusive = !x->d->options.inclusive;

    if (x->direction == DIFF_INSIDE) {
        if (unit == x->function)
            return OWN;
        return state == OWN ? unit : state;
    }
    if (exclusive)
        return unit == x->function ? caller : ABSENT;
    return state == ABSENT && unit == x->function ? caller : state;
}

static struct diff_part *part_of(struct explaining *x, uint32_t state)
{
    uint32_t fresh = (uint32_t)x->parts.len;
    uint32_t id = map_add(&x->ids, state, 0, fresh);
    enum diff_part_kind kind = x->direction == DIFF_INSIDE ? DIFF_PART_CALLEE
                                                           : DIFF_PART_CALLER;

    if (state == OWN || state == TOP) {
        kind = state == OWN ? DIFF_PART_OWN : DIFF_PART_TOP;
        state = NO_ID;
    }
    if (id == fresh)
        *vec_add(&x->parts) = (struct diff_part){
            .function = state, .kind = (uint8_t)kind, .edges = 1};
    return &x->parts.data[id];
}

/* Values are counts until all inputs are added. */
static void add_input(struct explaining *x, size_t input)
{
    const struct diff_input *in = &x->d->inputs[input];
    const struct profile *p = in->p;
    const uint32_t *unit_of = x->d->pairs->unit_of[input];

    x->state[0] = ABSENT;
    x->caller[0] = TOP;
    for (uint32_t i = 1; i < p->stacks.len; i++) {
        const struct stack *s = &p->stacks.data[i];
        uint32_t state = x->state[s->parent], caller = x->caller[s->parent];
        uint32_t first = p->frame_start.data[s->location];

        for (uint32_t f = p->frame_start.data[s->location + 1]; f-- > first;) {
            uint32_t unit = unit_of[p->frames.data[f].function];

            state = next_state(x, state, caller, unit);
            if (unit != x->function)
                caller = unit;
        }
        x->state[i] = state;
        x->caller[i] = caller;
        if (state != ABSENT && in->sel->stack_counts[i])
            part_of(x, state)->value[in->after] +=
                (double)in->sel->stack_counts[i];
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

static void choose(struct explaining *x, struct diff_explanation *e)
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
    size_t most = 0;

    for (size_t i = 0; i < d->input_count; i++)
        if (d->inputs[i].p->stacks.len > most)
            most = d->inputs[i].p->stacks.len;
    x.state = mem_new(most, sizeof(*x.state));
    x.caller = mem_new(most, sizeof(*x.caller));
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
    choose(&x, e);
    free(x.state);
    free(x.caller);
    map_release(&x.ids);
    vec_release(&x.parts);
}

void diff_explanation_release(struct diff_explanation *e)
{
    vec_release(&e->parts);
}
