#include <string.h>

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

/* An input in this round. */
struct places {
    uint32_t *innermost, *outermost; /* by location: units of these frames */
    VEC(struct edge) edges[WAYS];
};

struct place {
    uint32_t module, caller, callee, unit;
};

struct placing {
    struct diff_pairs *pairs;
    const struct diff_input *inputs;
    struct places *places;     /* by input */
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

static void name_locations(struct placing *g, size_t input)
{
    const struct profile *p = g->inputs[input].p;
    struct places *places = &g->places[input];

    for (size_t i = 0; i < p->locations.len; i++) {
        uint32_t first = p->frame_start.data[i];
        uint32_t last = p->frame_start.data[i + 1] - 1;

        places->innermost[i] = unit_of_frame(g, input, first);
        places->outermost[i] = unit_of_frame(g, input, last);
    }
}

static void add_edge(const struct placing *g, struct places *places, int way,
                     struct edge edge)
{
    if (g->wanted[edge.unit] && !g->wanted[edge.neighbour])
        *vec_add(&places->edges[way]) = edge;
}

static void add_stacks(const struct placing *g, size_t input)
{
    const struct profile *p = g->inputs[input].p;
    struct places *places = &g->places[input];

    for (uint32_t i = 1; i < p->stacks.len; i++) {
        const struct stack *s = &p->stacks.data[i];
        uint64_t samples = g->pairs->samples[input][i];
        uint32_t inner, outer = g->nobody;

        if (!samples)
            continue;
        inner = places->outermost[s->location];
        if (s->parent)
            outer = places->innermost[p->stacks.data[s->parent].location];
        add_edge(g, places, CALLERS, (struct edge){inner, outer, samples});
        add_edge(g, places, CALLEES, (struct edge){outer, inner, samples});
    }
}

static void gather(void *context, size_t input, unsigned worker)
{
    struct placing *g = context;

    (void)worker;
    name_locations(g, input);
    add_stacks(g, input);
}

/* For each unit the neighbour it meets most, in one direction. */
struct search {
    const struct placing *g;
    size_t way;
    uint64_t *weight; /* by neighbour, of the unit at hand */
    VEC(uint32_t) met;
};

/* A counting sort; *start becomes where each unit's edges begin. */
static struct edge *edges_by_unit(const struct search *s, uint32_t **start)
{
    const struct placing *g = s->g;
    size_t units = g->pairs->names.len, total = 0;
    uint32_t *at = mem_new(units + 2, sizeof(*at));
    struct edge *sorted;

    for (size_t i = 0; i < g->pairs->input_count; i++) {
        total += g->places[i].edges[s->way].len;
        for (size_t j = 0; j < g->places[i].edges[s->way].len; j++)
            at[g->places[i].edges[s->way].data[j].unit + 2]++;
    }
    for (size_t i = 2; i < units + 2; i++)
        at[i] += at[i - 1];
    sorted = mem_new(total, sizeof(*sorted));
    for (size_t i = 0; i < g->pairs->input_count; i++) {
        for (size_t j = 0; j < g->places[i].edges[s->way].len; j++) {
            struct edge edge = g->places[i].edges[s->way].data[j];

            sorted[at[edge.unit + 1]++] = edge;
        }
        vec_release(&g->places[i].edges[s->way]);
    }
    *start = at;
    return sorted;
}

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

static uint32_t match_functions(struct search *s, const struct edge *edges,
                                size_t n)
{
    uint32_t best;

    if (!n)
        return NO_ID;
    s->met.len = 0;
    for (size_t i = 0; i < n; i++) {
        if (!s->weight[edges[i].neighbour])
            *vec_add(&s->met) = edges[i].neighbour;
        s->weight[edges[i].neighbour] += edges[i].weight;
    }
    best = s->met.data[0];
    for (size_t i = 1; i < s->met.len; i++)
        if (weighs_more(s, s->met.data[i], best))
            best = s->met.data[i];
    for (size_t i = 0; i < s->met.len; i++)
        s->weight[s->met.data[i]] = 0;
    return best;
}

static void find_one_way(void *context, size_t way, unsigned worker)
{
    const struct placing *g = context;
    struct search s = {.g = g, .way = way};
    size_t units = g->pairs->names.len;
    struct edge *edges;
    uint32_t *start;

    (void)worker;
    edges = edges_by_unit(&s, &start);
    s.weight = mem_new(units + 1, sizeof(*s.weight));
    for (size_t i = 0; i < units; i++)
        g->neighbour[way][i] =
            match_functions(&s, edges + start[i], start[i + 1] - start[i]);
    free(s.weight);
    free(edges);
    free(start);
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

static void places_init(struct places *places, size_t locations)
{
    places->innermost = mem_new(locations, sizeof(*places->innermost));
    places->outermost = mem_new(locations, sizeof(*places->outermost));
}

static void places_release(struct places *places)
{
    free(places->innermost);
    free(places->outermost);
}

static void place_all(struct placing *g)
{
    struct threads *pool = g->pairs->pool;
    size_t inputs = g->pairs->input_count;
    bool joined = true;

    g->places = mem_new(inputs, sizeof(*g->places));
    for (size_t i = 0; i < inputs; i++)
        places_init(&g->places[i], g->inputs[i].p->locations.len);
    for (int i = 0; i < ROUNDS && joined && any_wanted(g); i++) {
        threads_run(pool, inputs, gather, g);
        threads_run(pool, WAYS, find_one_way, g);
        joined = join_places(g);
        begin_round(g);
    }
    for (size_t i = 0; i < inputs; i++)
        places_release(&g->places[i]);
    free(g->places);
}

void diff_pairs_by_place(struct diff_pairs *pairs,
                         const struct diff_input *inputs)
{
    struct placing g = {.pairs = pairs, .inputs = inputs};
    size_t names = pairs->names.len;

    for (int way = 0; way < WAYS; way++)
        g.neighbour[way] = mem_new(names, sizeof(**g.neighbour));
    g.unit = mem_new(names, sizeof(*g.unit));
    g.wanted = mem_new(names + 1, sizeof(*g.wanted));
    g.nobody = (uint32_t)names;
    begin_round(&g);
    if (any_wanted(&g))
        place_all(&g);
    for (int way = 0; way < WAYS; way++)
        free(g.neighbour[way]);
    free(g.unit);
    free(g.wanted);
}
