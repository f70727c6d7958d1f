#include <string.h>

#include "engine/analysis/algebra_impl.h"
#include "engine/base/keysort.h"
#include "engine/base/out.h"
#include "engine/model/labels.h"
#include "engine/model/waits.h"
#include "report/page/page.h"

struct adding {
    struct page_stacks *stacks;
    const struct page_side *side;
    uint32_t *function_of; /* by function of the profile, + 1; 0: not known */
    bool *mine;            /* by function of the profile */
    VEC(uint32_t) path;    /* stacks, innermost first */
    struct arena scratch;
};

/* Invisible characters are shown by their codes, as in any text. */
static const char *plain(struct page_stacks *s, const char *text)
{
    struct out *out = out_memory();

    out_plain(out, text);
    return out_close_to(out, &s->arena);
}

static struct page_function describe(struct adding *a, uint32_t function)
{
    const struct profile *p = a->side->p;
    const struct function *f = &p->functions.data[function];
    const char *name = function_name(p, function, &a->scratch);
    const char *label = function_label(p, function, &a->scratch);
    const char *module = function_module(p, function);
    uint32_t id = function;

    if (a->side->pairs) {
        const struct diff_name *n;

        id = a->side->unit_of[function];
        n = &a->side->pairs->names.data[id];
        name = n->name, label = n->label, module = n->module;
    }
    return (struct page_function){
        .label = plain(a->stacks, label),
        .name = plain(a->stacks, name),
        .module = plain(a->stacks, module),
        .kind = f->kind,
        .nameless = f->cause != CAUSE_NONE && f->cause != CAUSE_NO_STACK,
        .waits = measures_wall_clock(p) && only_waits(name),
        .mine = a->mine[function],
        .runtime = module_is_runtime(module),
        .id = id,
    };
}

static uint32_t function_id(struct adding *a, uint32_t function)
{
    struct page_stacks *s = a->stacks;
    uint32_t fresh = mem_next_id(s->functions.len), id = fresh;

    if (a->function_of[function])
        return a->function_of[function] - 1;
    if (a->side->pairs)
        id = map_add(&s->unit_ids, a->side->unit_of[function], 0, fresh);
    if (id == fresh)
        *vec_add(&s->functions) = describe(a, function);
    arena_reset(&a->scratch);
    a->function_of[function] = id + 1;
    return id;
}

/* The node of this function below `parent`, added if new. A stack is mostly new
 * from some frame on: a node that stands right behind its parent is found
 * there, and only the others are in `ids`. */
static uint32_t node_below(page_nodes *nodes, struct map *ids, uint32_t parent,
                           uint32_t function, bool inlined)
{
    uint32_t fresh = mem_next_id(nodes->len), id = fresh;
    const struct page_node *next = &nodes->data[parent + 1];

    if (parent + 1 < fresh) {
        if (next->parent == parent && next->function == function &&
            next->inlined == inlined)
            return parent + 1;
        id = map_add(ids, (uint64_t)function << 1 | inlined, parent, fresh);
    }
    if (id == fresh)
        *vec_add(nodes) = (struct page_node){
            .parent = parent,
            .function = function,
            .depth = nodes->data[parent].depth + 1,
            .inlined = inlined,
        };
    return id;
}

/* A location's frames, outermost first. */
static uint32_t add_location(struct adding *a, uint32_t node, uint32_t location)
{
    const struct profile *p = a->side->p;
    uint32_t first = p->frame_start.data[location];

    for (uint32_t i = p->frame_start.data[location + 1]; i-- > first;) {
        const struct frame *f = &p->frames.data[i];

        node = node_below(&a->stacks->nodes, &a->stacks->node_ids, node,
                          function_id(a, f->function), f->inlined);
    }
    return node;
}

/* From the innermost caller whose node is known. */
static uint32_t node_of_stack(struct adding *a, uint32_t stack)
{
    const struct stack *stacks = a->side->p->stacks.data;
    uint32_t *node_of = a->stacks->node_of;
    uint32_t node;

    a->path.len = 0;
    for (; stack && !node_of[stack]; stack = stacks[stack].parent)
        *vec_add(&a->path) = stack;
    node = stack ? node_of[stack] : 0;
    while (a->path.len) {
        stack = a->path.data[--a->path.len];
        node = add_location(a, node, stacks[stack].location);
        node_of[stack] = node;
    }
    return node;
}

void page_stacks_add(struct page_stacks *stacks, const struct page_side *side)
{
    struct adding a = {.stacks = stacks, .side = side};
    const struct profile *p = side->p;

    if (!stacks->nodes.len)
        *vec_add(&stacks->nodes) = (struct page_node){.function = NO_ID};
    a.mine = functions_mine(p, &side->sel->filter.mine, NULL);
    a.function_of = mem_new(p->functions.len, sizeof(*a.function_of));
    free(stacks->node_of);
    stacks->stack_count = p->stacks.len;
    stacks->has_running = side->running != NULL;
    stacks->node_of = mem_new(p->stacks.len, sizeof(*stacks->node_of));
    for (uint32_t i = 1; i < p->stacks.len; i++) {
        uint64_t count = side->sel->stack_counts[i];

        if (count) {
            uint32_t node = node_of_stack(&a, i);

            stacks->nodes.data[node].count[side->after] += count;
            if (side->running)
                stacks->nodes.data[node].count[1] +=
                    side->running->stack_counts[i];
        }
    }
    vec_release(&a.path);
    arena_release(&a.scratch);
    free(a.function_of);
    free(a.mine);
}

void page_stacks_release(struct page_stacks *s)
{
    vec_release(&s->functions);
    vec_release(&s->nodes);
    map_release(&s->node_ids);
    map_release(&s->unit_ids);
    free(s->node_of);
    free(s->heaviest);
    free(s->heaviest_functions);
    arena_release(&s->arena);
}

struct named {
    const struct page_function *function;
    uint32_t id;
};

static int by_name(const void *x, const void *y)
{
    const struct named *a = x, *b = y;
    int order = strcmp(a->function->label, b->function->label);

    if (!order)
        order = strcmp(a->function->module, b->function->module);
    if (!order)
        order = strcmp(a->function->name, b->function->name);
    return order ? order : (a->id > b->id) - (a->id < b->id);
}

/* Returns the new number of each function by its old one; the caller frees
 * it. */
static uint32_t *sort_functions(struct page_stacks *s)
{
    size_t n = s->functions.len;
    struct named *names = mem_new(n, sizeof(*names));
    struct page_function *sorted = mem_new(n, sizeof(*sorted));
    uint32_t *now = mem_new(n, sizeof(*now));

    for (size_t i = 0; i < n; i++)
        names[i] = (struct named){&s->functions.data[i], (uint32_t)i};
    if (n)
        qsort(names, n, sizeof(*names), by_name);
    for (size_t i = 0; i < n; i++) {
        now[names[i].id] = (uint32_t)i;
        sorted[i] = *names[i].function;
    }
    if (n)
        memcpy(s->functions.data, sorted, n * sizeof(*sorted));
    free(sorted);
    free(names);
    return now;
}

/* All nodes but the root by function, and those of a function with inlined ones
 * last. The caller frees it. */
static uint32_t *by_function(const page_nodes *nodes)
{
    uint32_t *sorted = mem_new(nodes->len, sizeof(*sorted)), *ends;
    size_t functions = 0;

    for (size_t i = 1; i < nodes->len; i++)
        if (nodes->data[i].function >= functions)
            functions = (size_t)nodes->data[i].function + 1;
    ends = mem_new(2 * functions + 1, sizeof(*ends));
    for (size_t i = 1; i < nodes->len; i++)
        ends[2 * (size_t)nodes->data[i].function + nodes->data[i].inlined]++;
    for (size_t i = 1; i < 2 * functions; i++)
        ends[i] += ends[i - 1];
    for (size_t i = nodes->len; i-- > 1;)
        sorted[--ends[2 * (size_t)nodes->data[i].function +
                      nodes->data[i].inlined]] = (uint32_t)i;
    free(ends);
    return sorted;
}

/* The new number of each node by its old one: parents before their children,
 * and siblings by function. The caller frees it. Without recursion: stacks have
 * any depth. */
static uint32_t *walk_nodes(const page_nodes *nodes)
{
    size_t n = nodes->len, len = 1;
    uint32_t *turns = by_function(nodes), to = 0;
    uint32_t *first = mem_new(n + 2, sizeof(*first));
    uint32_t *children = mem_new(n, sizeof(*children));
    uint32_t *now = mem_new(n, sizeof(*now));

    for (size_t i = 1; i < n; i++)
        first[nodes->data[i].parent + 2]++;
    for (size_t i = 2; i < n + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i + 1 < n; i++)
        children[first[nodes->data[turns[i]].parent + 1]++] = turns[i];
    turns[0] = 0;
    while (len) {
        uint32_t node = turns[--len];

        now[node] = to++;
        for (size_t i = first[node + 1]; i-- > first[node];)
            turns[len++] = children[i];
    }
    free(first);
    free(children);
    free(turns);
    return now;
}

/* Brings nodes into the order of walk_nodes, and returns what that did. In
 * place, as there may be millions of them. */
static uint32_t *sort_nodes(page_nodes *nodes)
{
    uint32_t *now = walk_nodes(nodes);
    bool *moved = mem_new(nodes->len, sizeof(*moved));

    for (uint32_t i = 0; i < nodes->len; i++) {
        struct page_node node = nodes->data[i];

        for (uint32_t at = i; !moved[at]; at = now[at]) {
            struct page_node next = nodes->data[now[at]];

            node.parent = now[node.parent];
            nodes->data[now[at]] = node;
            moved[at] = true;
            node = next;
        }
    }
    free(moved);
    return now;
}

/* Counts samples that have a function on their stack: at and below each of
 * its nodes that has no caller of the same function. `all` has them by
 * node. */
static void count_functions(struct page_stacks *s, const uint64_t *all,
                            bool after)
{
    uint32_t *open = mem_new(s->functions.len, sizeof(*open));
    VEC(uint32_t) path = {0}; /* functions, by depth - 1 */

    for (size_t i = 1; i < s->nodes.len; i++) {
        const struct page_node *n = &s->nodes.data[i];

        while (path.len >= n->depth)
            open[path.data[--path.len]]--;
        if (!open[n->function]++)
            s->functions.data[n->function].inclusive[after] += all[i];
        *vec_add(&path) = n->function;
    }
    vec_release(&path);
    free(open);
}

/* At or below each node, of one side. The caller frees it. */
static uint64_t *inclusive_counts(const struct page_stacks *s, bool after)
{
    uint64_t *all = mem_new(s->nodes.len, sizeof(*all));

    for (size_t i = s->nodes.len; i-- > 0;) {
        all[i] += s->nodes.data[i].count[after];
        if (i)
            all[s->nodes.data[i].parent] += all[i];
    }
    return all;
}

/* Returns 0..n-1, those with most samples first; the caller frees it. */
static uint32_t *heaviest_first(struct keyed *list, size_t n)
{
    uint32_t *order = mem_new(n, sizeof(*order));

    keysort(list, n);
    for (size_t i = 0; i < n; i++)
        order[i] = list[i].value;
    return order;
}

/* `samples` are at or below each node. */
static void rank(struct page_stacks *s, const uint64_t *samples)
{
    size_t nodes = s->nodes.len, functions = s->functions.len;
    struct keyed *list =
        mem_new(nodes > functions ? nodes : functions, sizeof(*list));

    for (size_t i = 0; i < functions; i++) {
        const uint64_t *counts = s->functions.data[i].inclusive;

        list[i] = (struct keyed){~(counts[0] + counts[1]), (uint32_t)i};
    }
    s->heaviest_functions = heaviest_first(list, functions);
    /* Among nodes with equal samples, the shallowest come first. */
    for (size_t i = 0; i < nodes; i++)
        list[i] = (struct keyed){s->nodes.data[i].depth, (uint32_t)i};
    keysort(list, nodes);
    for (size_t i = 0; i < nodes; i++)
        list[i].key = ~samples[list[i].value];
    s->heaviest = heaviest_first(list, nodes);
    free(list);
}

void page_stacks_finish(struct page_stacks *s)
{
    uint32_t *function = sort_functions(s), *node;
    uint64_t *samples, *after;

    map_release(&s->node_ids);
    for (size_t i = 1; i < s->nodes.len; i++)
        s->nodes.data[i].function = function[s->nodes.data[i].function];
    free(function);
    node = sort_nodes(&s->nodes);
    for (size_t i = 0; i < s->stack_count; i++)
        s->node_of[i] = node[s->node_of[i]];
    free(node);
    samples = inclusive_counts(s, false);
    count_functions(s, samples, false);
    after = inclusive_counts(s, true);
    count_functions(s, after, true);
    for (size_t i = 0; i < s->nodes.len; i++)
        samples[i] += after[i];
    free(after);
    rank(s, samples);
    free(samples);
}

/* The `most` functions with most samples stay, and "[other]" is the last.
 * Returns the new number of each function; the caller frees it. */
static uint32_t *choose_functions(struct page_tree *t,
                                  const struct page_stacks *s, size_t most)
{
    size_t n = s->functions.len;
    bool *stays = mem_new(n, sizeof(*stays));
    uint32_t *now = mem_new(n, sizeof(*now));

    for (size_t i = 0; i < n && i < most; i++)
        stays[s->heaviest_functions[i]] = true;
    for (size_t i = 0; i < n; i++) {
        now[i] = (uint32_t)t->functions.len;
        if (stays[i])
            *vec_add(&t->functions) = s->functions.data[i];
    }
    for (size_t i = 0; i < n; i++)
        if (!stays[i])
            now[i] = (uint32_t)t->functions.len;
    *vec_add(&t->functions) = (struct page_function){
        .label = "[other]", .name = "[other]", .module = ""};
    free(stays);
    return now;
}

/* Sets t->place by node of `s`: the node of the tree of one that stays; of one
 * that does not, for its samples, a leaf of its nearest caller that stays.
 * Nodes are not in order yet. */
static void place_nodes(struct page_tree *t, const struct page_stacks *s,
                        const uint32_t *function, const bool *stays)
{
    uint32_t *caller = mem_new(s->nodes.len, sizeof(*caller));
    uint32_t other = (uint32_t)t->functions.len - 1;
    struct map ids = {0};

    *vec_add(&t->nodes) = s->nodes.data[0];
    for (size_t i = 1; i < s->nodes.len; i++) {
        const struct page_node *n = &s->nodes.data[i];
        uint32_t above = caller[n->parent], f = function[n->function];
        uint64_t count = n->count[0] + (s->has_running ? 0 : n->count[1]);

        caller[i] = t->place[i] = above;
        if (!stays[i] && !count)
            continue;
        t->place[i] = node_below(&t->nodes, &ids, above, f, n->inlined);
        t->nodes.data[t->place[i]].count[0] += n->count[0];
        t->nodes.data[t->place[i]].count[1] += n->count[1];
        if (stays[i])
            caller[i] = t->place[i];
        if (f == other || !stays[n->parent])
            t->left_out_samples += count;
    }
    t->left_out = s->nodes.len - t->nodes.len;
    map_release(&ids);
    free(caller);
}

/* Samples with a function on their stack that is "[other]". */
static void count_other(struct page_tree *t, const struct page_stacks *s,
                        const uint32_t *function)
{
    uint32_t other = (uint32_t)t->functions.len - 1;
    uint64_t *counts = t->functions.data[other].inclusive;
    bool *has_other = mem_new(s->nodes.len, sizeof(*has_other));

    for (size_t i = 1; i < s->nodes.len; i++) {
        const struct page_node *n = &s->nodes.data[i];

        has_other[i] = has_other[n->parent] || function[n->function] == other;
        counts[0] += has_other[i] ? n->count[0] : 0;
        counts[1] += has_other[i] ? n->count[1] : 0;
    }
    free(has_other);
}

void page_tree_make(struct page_tree *t, const struct page_stacks *s,
                    size_t nodes, size_t functions)
{
    size_t all = s->nodes.len;
    bool *stays = mem_new(all, sizeof(*stays));
    uint32_t *function = choose_functions(t, s, functions);
    uint32_t *node;

    for (size_t i = 0; i < all && i <= nodes; i++)
        stays[s->heaviest[i]] = true;
    t->place = mem_new(all, sizeof(*t->place));
    place_nodes(t, s, function, stays);
    count_other(t, s, function);
    node = sort_nodes(&t->nodes);
    for (size_t i = 0; i < all; i++)
        t->place[i] = node[t->place[i]];
    free(node);
    free(function);
    free(stays);
}

void page_tree_release(struct page_tree *t)
{
    vec_release(&t->functions);
    vec_release(&t->nodes);
    free(t->place);
    t->place = NULL;
    t->left_out = 0;
    t->left_out_samples = 0;
}
