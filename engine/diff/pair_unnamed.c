#include <string.h>

#include "engine/base/keysort.h"
#include "engine/diff/pair.h"

/*
 * Pairing of unnamed code by its place in the call tree.
 *
 * An address of another build says nothing, but its module and the functions
 * around it do. Chains of unnamed code are solved from their ends: what was
 * paired in one round is a known neighbour in the next.
 */
enum { ROUNDS = 4 };

/* One call on one stack, seen from code that is wanted. */
struct edge {
    uint32_t unit, neighbour;
    uint64_t weight;
};

enum { CALLERS, CALLEES, WAYS };

struct place {
    uint32_t module, caller, callee, unit;
};

struct placing {
    struct diff_pairs *pairs;
    const struct diff_input *inputs;
    VEC(struct edge) edges[WAYS]; /* of this round */
    uint32_t *neighbour[WAYS]; /* by unit; NO_ID: none that is known */
    uint32_t *unit;            /* by name, as this round found them */
    bool *wanted;  /* by unit: unnamed and on one side only; of the
                      neighbour `nobody`, not */
    uint32_t nobody; /* stands for the caller of the outermost frame */
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

static uint32_t unit_of_frame(const struct placing *g, size_t input,
                              uint32_t frame)
{
    const struct profile *p = g->inputs[input].p;
    uint32_t name =
        g->pairs->unit_of[input][p->frames.data[frame].function];

    return name == NO_ID ? g->nobody : g->unit[name];
}

static void add_edge(struct placing *g, int way, struct edge edge)
{
    if (g->wanted[edge.unit] && !g->wanted[edge.neighbour])
        *vec_add(&g->edges[way]) = edge;
}

static void add_stacks(struct placing *g, size_t input)
{
    const struct profile *p = g->inputs[input].p;
    const uint32_t *start = p->frame_start.data;

    for (uint32_t i = 1; i < p->stacks.len; i++) {
        const struct stack *s = &p->stacks.data[i];
        uint64_t samples = g->pairs->samples[input][i];
        uint32_t inner, outer = g->nobody;

        if (!samples)
            continue;
        inner = unit_of_frame(g, input, start[s->location + 1] - 1);
        if (s->parent)
            outer = unit_of_frame(
                g, input, start[p->stacks.data[s->parent].location]);
        add_edge(g, CALLERS, (struct edge){inner, outer, samples});
        add_edge(g, CALLEES, (struct edge){outer, inner, samples});
    }
}

/* For each unit the neighbour it meets most, in one direction. */
struct search {
    const struct placing *g;
    uint64_t *weight; /* by neighbour, of the unit at hand */
    VEC(uint32_t) met;
};

static bool weighs_more(const struct search *s, uint32_t a, uint32_t b)
{
    static const struct diff_name nobody = {.name = "", .module = ""};
    const struct diff_name *names = s->g->pairs->names.data;
    const struct diff_name *n = a == s->g->nobody ? &nobody : &names[a];
    const struct diff_name *m = b == s->g->nobody ? &nobody : &names[b];
    int order;

    if (s->weight[a] != s->weight[b])
        return s->weight[a] > s->weight[b];
    order = strcmp(n->name, m->name);
    return order ? order < 0 : strcmp(n->module, m->module) < 0;
}

/* `order` has the `n` edges of one unit, one at least. */
static uint32_t best_neighbour(struct search *s, const struct edge *edges,
                               const struct keyed *order, size_t n)
{
    uint32_t best;

    s->met.len = 0;
    for (size_t i = 0; i < n; i++) {
        const struct edge *edge = &edges[order[i].value];

        if (!s->weight[edge->neighbour])
            *vec_add(&s->met) = edge->neighbour;
        s->weight[edge->neighbour] += edge->weight;
    }
    best = s->met.data[0];
    for (size_t i = 1; i < s->met.len; i++)
        if (weighs_more(s, s->met.data[i], best))
            best = s->met.data[i];
    for (size_t i = 0; i < s->met.len; i++)
        s->weight[s->met.data[i]] = 0;
    return best;
}

static void find_neighbours(struct placing *g, int way)
{
    const struct edge *edges = g->edges[way].data;
    size_t n = g->edges[way].len, units = g->pairs->names.len;
    struct keyed *order = mem_new(n, sizeof(*order));
    struct search s = {.g = g,
                       .weight = mem_new(units + 1, sizeof(*s.weight))};

    for (uint32_t i = 0; i < n; i++)
        order[i] = (struct keyed){edges[i].unit, i};
    keysort(order, n);
    memset(g->neighbour[way], 0xFF, units * sizeof(**g->neighbour));
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && order[end].key == order[i].key;)
            end++;
        g->neighbour[way][order[i].key] =
            best_neighbour(&s, edges, order + i, end - i);
    }
    g->edges[way].len = 0;
    free(order);
    free(s.weight);
    vec_release(&s.met);
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

/* Makes code at one place one unit if both sides have some; true if so. */
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

    for (uint32_t i = 0; i < g->pairs->names.len; i++) {
        uint32_t caller = g->neighbour[CALLERS][i];
        uint32_t callee = g->neighbour[CALLEES][i];

        if (g->wanted[i] && (caller != NO_ID || callee != NO_ID))
            *vec_add(&list) = (struct place){
                g->pairs->names.data[i].module_key, caller, callee, i};
    }
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

void diff_pairs_by_place(struct diff_pairs *pairs,
                         const struct diff_input *inputs)
{
    struct placing g = {.pairs = pairs, .inputs = inputs};
    size_t names = pairs->names.len;
    bool joined = true;

    for (int way = 0; way < WAYS; way++)
        g.neighbour[way] = mem_new(names, sizeof(**g.neighbour));
    g.unit = mem_new(names, sizeof(*g.unit));
    g.wanted = mem_new(names + 1, sizeof(*g.wanted));
    g.nobody = (uint32_t)names;
    begin_round(&g);
    for (int round = 0; round < ROUNDS && joined && any_wanted(&g); round++) {
        for (size_t i = 0; i < pairs->input_count; i++)
            add_stacks(&g, i);
        for (int way = 0; way < WAYS; way++)
            find_neighbours(&g, way);
        joined = join_places(&g);
        begin_round(&g);
    }
    for (int way = 0; way < WAYS; way++) {
        vec_release(&g.edges[way]);
        free(g.neighbour[way]);
    }
    free(g.unit);
    free(g.wanted);
}
