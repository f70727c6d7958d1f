#include <string.h>

#include "engine/diff_pair.h"

/*
 * Pairing of unnamed code by its place in the call tree.
 *
 * An address of another build says nothing, but its module and the functions
 * around it do. Chains of unnamed code are solved from their ends: what was
 * paired in one round is a known neighbour in the next.
 */
enum { ROUNDS = 4, OUTERMOST = NO_ID - 1 };

struct edge {
    uint32_t unit, neighbour;
    uint64_t weight;
    const char *text, *module; /* of the neighbour: decides between equals */
};

struct edges {
    VEC(struct edge) list;
    struct map ids;
};

struct place {
    uint32_t module, caller, callee, unit;
};

/* A frame's function and its caller's, by name; all stacks are looked at
 * once, the rounds work on these. */
struct call {
    uint32_t inner, outer; /* OUTERMOST: no caller */
    uint64_t weight;
};

struct placing {
    struct diff_pairs *pairs;
    const struct diff_input *inputs;
    VEC(struct call) calls;
    struct map call_ids;
    uint32_t *caller, *callee; /* by unit; NO_ID: none that is known */
    uint32_t *unit; /* by name, as this round found them */
    bool *wanted;   /* by unit: unnamed and on one side only */
};

static void begin_round(struct placing *g)
{
    struct diff_pairs *pairs = g->pairs;

    for (uint32_t i = 0; i < pairs->names.len; i++) {
        g->unit[i] = diff_pairs_unit(pairs, i);
        g->wanted[i] =
            pairs->names.data[i].unnamed && diff_pairs_one_sided(pairs, i);
    }
}

static void add_edge(struct placing *g, struct edges *edges, uint32_t unit,
                     uint32_t neighbour, uint64_t weight)
{
    static const struct diff_name outermost = {.name = "", .module = ""};
    const struct diff_name *n = &outermost;
    uint32_t fresh = (uint32_t)edges->list.len, id;

    if (!g->wanted[unit] ||
        (neighbour != OUTERMOST && g->wanted[neighbour]))
        return;
    if (neighbour != OUTERMOST)
        n = &g->pairs->names.data[neighbour];
    id = map_add(&edges->ids, (uint64_t)unit << 32 | neighbour, 0, fresh);
    if (id == fresh)
        *vec_add(&edges->list) =
            (struct edge){unit, neighbour, 0, n->name, n->module};
    edges->list.data[id].weight += weight;
}

static bool weighs_more(const struct edge *a, const struct edge *b)
{
    int order;

    if (a->weight != b->weight)
        return a->weight > b->weight;
    order = strcmp(a->text, b->text);
    return order ? order < 0 : strcmp(a->module, b->module) < 0;
}

static void choose(struct edges *edges, uint32_t *neighbour, size_t units)
{
    uint32_t *best = mem_new(units, sizeof(*best));

    memset(neighbour, 0xFF, units * sizeof(*neighbour));
    for (uint32_t i = 0; i < edges->list.len; i++) {
        const struct edge *e = &edges->list.data[i];

        if (neighbour[e->unit] != NO_ID &&
            !weighs_more(e, &edges->list.data[best[e->unit]]))
            continue;
        neighbour[e->unit] = e->neighbour;
        best[e->unit] = i;
    }
    free(best);
    map_release(&edges->ids);
    vec_release(&edges->list);
}

static void add_call(struct placing *g, uint32_t inner, uint32_t outer,
                     uint64_t weight)
{
    uint32_t fresh = (uint32_t)g->calls.len, id;

    if (!g->wanted[inner] && (outer == OUTERMOST || !g->wanted[outer]))
        return;
    id = map_add(&g->call_ids, (uint64_t)inner << 32 | outer, 0, fresh);
    if (id == fresh)
        *vec_add(&g->calls) = (struct call){inner, outer, 0};
    g->calls.data[id].weight += weight;
}

static void add_stacks(struct placing *g, size_t input)
{
    const struct profile *p = g->inputs[input].p;
    const uint32_t *unit_of = g->pairs->unit_of[input];
    uint64_t *inclusive = selection_inclusive(p, g->inputs[input].sel);

    for (uint32_t i = 1; i < p->stacks.len; i++) {
        const struct stack *s = &p->stacks.data[i];
        uint32_t frame, inner, outer = OUTERMOST;

        if (!inclusive[i])
            continue;
        frame = p->frame_start.data[s->location + 1] - 1;
        inner = g->unit[unit_of[p->frames.data[frame].function]];
        if (s->parent) {
            frame = p->frame_start.data[p->stacks.data[s->parent].location];
            outer = g->unit[unit_of[p->frames.data[frame].function]];
        }
        add_call(g, inner, outer, inclusive[i]);
    }
    free(inclusive);
}

static void add_all_stacks(struct placing *g)
{
    for (size_t i = 0; i < g->pairs->input_count; i++)
        add_stacks(g, i);
    map_release(&g->call_ids);
}

/* Both ways along every call. */
static void find_neighbours(struct placing *g)
{
    struct edges callers = {0}, callees = {0};

    for (size_t i = 0; i < g->calls.len; i++) {
        const struct call *c = &g->calls.data[i];
        uint32_t inner = g->unit[c->inner];

        if (c->outer == OUTERMOST) {
            add_edge(g, &callers, inner, OUTERMOST, c->weight);
            continue;
        }
        add_edge(g, &callers, inner, g->unit[c->outer], c->weight);
        add_edge(g, &callees, g->unit[c->outer], inner, c->weight);
    }
    choose(&callers, g->caller, g->pairs->names.len);
    choose(&callees, g->callee, g->pairs->names.len);
}

static int by_place(const void *x, const void *y)
{
    const struct place *a = x, *b = y;

    if (a->module != b->module)
        return a->module < b->module ? -1 : 1;
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    if (a->callee != b->callee)
        return a->callee < b->callee ? -1 : 1;
    return (a->unit > b->unit) - (a->unit < b->unit);
}

static bool same_place(const struct place *a, const struct place *b)
{
    return a->module == b->module && a->caller == b->caller &&
           a->callee == b->callee;
}

/* Whether both sides have code at this place; then it is one. */
static bool join_place(struct placing *g, const struct place *list, size_t n)
{
    bool seen[2] = {false, false};

    for (size_t i = 0; i < n; i++) {
        seen[0] |= g->pairs->names.data[list[i].unit].seen[0];
        seen[1] |= g->pairs->names.data[list[i].unit].seen[1];
    }
    if (!seen[0] || !seen[1])
        return false;
    for (size_t i = 1; i < n; i++)
        diff_pairs_join(g->pairs, list[0].unit, list[i].unit, DIFF_POSITION);
    return true;
}

static bool join_places(struct placing *g)
{
    VEC(struct place) list = {0};
    bool joined = false;
    size_t end;

    for (uint32_t i = 0; i < g->pairs->names.len; i++)
        if (g->wanted[i] &&
            (g->caller[i] != NO_ID || g->callee[i] != NO_ID))
            *vec_add(&list) =
                (struct place){g->pairs->names.data[i].module_key,
                               g->caller[i], g->callee[i], i};
    if (list.len)
        qsort(list.data, list.len, sizeof(*list.data), by_place);
    for (size_t i = 0; i < list.len; i = end) {
        for (end = i + 1; end < list.len; end++)
            if (!same_place(&list.data[i], &list.data[end]))
                break;
        joined |= join_place(g, list.data + i, end - i);
    }
    vec_release(&list);
    return joined;
}

static bool any_wanted(const struct placing *g)
{
    bool before = false, after = false;

    for (uint32_t i = 0; i < g->pairs->names.len; i++) {
        if (!g->wanted[i])
            continue;
        before |= g->pairs->names.data[i].seen[0];
        after |= g->pairs->names.data[i].seen[1];
    }
    return before && after;
}

void diff_pairs_by_place(struct diff_pairs *pairs,
                         const struct diff_input *inputs)
{
    struct placing g = {.pairs = pairs, .inputs = inputs};
    size_t names = pairs->names.len;
    bool joined = true;

    g.caller = mem_new(names, sizeof(*g.caller));
    g.callee = mem_new(names, sizeof(*g.callee));
    g.unit = mem_new(names, sizeof(*g.unit));
    g.wanted = mem_new(names, sizeof(*g.wanted));
    for (int i = 0; i < ROUNDS && joined; i++) {
        begin_round(&g);
        if (!any_wanted(&g))
            break;
        if (!i)
            add_all_stacks(&g);
        find_neighbours(&g);
        joined = join_places(&g);
    }
    vec_release(&g.calls);
    free(g.caller);
    free(g.callee);
    free(g.unit);
    free(g.wanted);
}
