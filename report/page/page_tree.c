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
    const char *copy;
    size_t n;

    out_plain(out, text);
    copy = out_text(out, &n);
    copy = arena_strndup(&s->arena, copy, n);
    out_close(out, NULL);
    return copy;
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
        .nameless = f->cause != CAUSE_NONE,
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

static uint32_t child_of(struct page_stacks *s, uint32_t parent,
                         uint32_t function, bool inlined)
{
    uint32_t fresh = mem_next_id(s->nodes.len);
    uint64_t key = (uint64_t)function << 1 | inlined;
    uint32_t id = map_add(&s->node_ids, key, parent, fresh);

    if (id == fresh)
        *vec_add(&s->nodes) = (struct page_node){
            .parent = parent,
            .function = function,
            .depth = s->nodes.data[parent].depth + 1,
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

        node =
            child_of(a->stacks, node, function_id(a, f->function), f->inlined);
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
    stacks->node_of = mem_new(p->stacks.len, sizeof(*stacks->node_of));
    for (uint32_t i = 1; i < p->stacks.len; i++) {
        uint64_t count = side->sel->stack_counts[i];

        if (count) {
            uint32_t node = node_of_stack(&a, i);

            stacks->nodes.data[node].count[side->after] += count;
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
    arena_release(&s->arena);
}

/* At or below each node, of both sides. To be freed. */
static uint64_t *inclusive_counts(const struct page_stacks *s)
{
    uint64_t *all = mem_new(s->nodes.len, sizeof(*all));

    for (size_t i = s->nodes.len; i-- > 0;) {
        const struct page_node *n = &s->nodes.data[i];

        all[i] += n->count[0] + n->count[1];
        if (i)
            all[n->parent] += all[i];
    }
    return all;
}

/* Nodes with more samples than this stay. */
static uint64_t threshold(const uint64_t *counts, size_t len, size_t most)
{
    struct keyed *sorted;
    uint64_t limit;

    if (len <= most)
        return 0;
    sorted = mem_new(len, sizeof(*sorted));
    for (size_t i = 0; i < len; i++)
        sorted[i].key = counts[i];
    keysort(sorted, len);
    limit = sorted[len - 1 - most].key;
    free(sorted);
    return limit;
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

/* Sorts the functions in use by name, "[other]" last. Returns the new number of
 * each function by its old one; the caller frees it. */
static uint32_t *sort_functions(struct page_tree *t,
                                const struct page_stacks *s,
                                const bool *is_used)
{
    struct named *names = mem_new(s->functions.len, sizeof(*names));
    uint32_t *now = mem_new(s->functions.len, sizeof(*now));
    size_t n = 0;

    for (size_t i = 0; i < s->functions.len; i++)
        if (is_used[i])
            names[n++] = (struct named){&s->functions.data[i], (uint32_t)i};
    if (n)
        qsort(names, n, sizeof(*names), by_name);
    for (size_t i = 0; i < n; i++) {
        now[names[i].id] = (uint32_t)i;
        *vec_add(&t->functions) = *names[i].function;
    }
    *vec_add(&t->functions) = (struct page_function){
        .label = "[other]", .name = "[other]", .module = ""};
    free(names);
    return now;
}

/* Children by parent, in order of their functions, and then those inlined. */
struct child {
    uint32_t parent, node, function;
    bool inlined;
};

static int by_place(const void *x, const void *y)
{
    const struct child *a = x, *b = y;

    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return a->inlined - b->inlined;
}

struct making {
    struct page_tree *tree;
    const struct page_stacks *stacks;
    struct child *children; /* of nodes that stay */
    size_t len;
    size_t *first; /* by node: of its children; one more */
};

static void index_children(struct making *m)
{
    size_t nodes = m->stacks->nodes.len, at = 0;

    if (m->len)
        qsort(m->children, m->len, sizeof(*m->children), by_place);
    m->first = mem_new(nodes + 1, sizeof(*m->first));
    for (size_t i = 0; i <= nodes; i++) {
        while (at < m->len && m->children[at].parent < i)
            at++;
        m->first[i] = at;
    }
}

static uint32_t add_node(struct page_tree *t, uint32_t parent,
                         uint32_t function, bool inlined)
{
    uint32_t id = mem_next_id(t->nodes.len);
    uint32_t depth = id ? t->nodes.data[parent].depth + 1 : 0;

    *vec_add(&t->nodes) = (struct page_node){.parent = parent,
                                             .function = function,
                                             .depth = depth,
                                             .inlined = inlined};
    return id;
}

/* Parents first; without recursion, as stacks are as deep as they like. */
static void lay_down(struct making *m, const bool *has_other)
{
    struct page_tree *t = m->tree;
    uint32_t other = (uint32_t)t->functions.len - 1;
    VEC(struct child) turns = {0};

    *vec_add(&turns) = (struct child){.function = NO_ID};
    while (turns.len) {
        struct child c = turns.data[--turns.len];
        uint32_t parent = c.node ? t->place[c.parent] : 0;
        uint32_t id = add_node(t, parent, c.function, c.inlined);

        if (c.node == NO_ID)
            continue; /* "[other]", found again as the node behind */
        t->place[c.node] = id;
        for (size_t i = m->first[c.node + 1]; i-- > m->first[c.node];)
            *vec_add(&turns) = m->children[i];
        if (has_other[c.node])
            *vec_add(&turns) = (struct child){c.node, NO_ID, other, false};
    }
    vec_release(&turns);
}

/* The samples of each node go where it is now. */
static void move_counts(struct page_tree *t, const struct page_stacks *s,
                        const bool *stays)
{
    for (size_t i = 0; i < s->nodes.len; i++) {
        const struct page_node *n = &s->nodes.data[i];
        struct page_node *now;

        if (!stays[i]) {
            /* "[other]" stands right behind its parent. */
            t->place[i] = t->place[n->parent] + stays[n->parent];
            t->left_out++;
            t->left_out_samples += n->count[0] + n->count[1];
        }
        now = &t->nodes.data[t->place[i]];
        now->count[0] += n->count[0];
        now->count[1] += n->count[1];
    }
}

void page_tree_make(struct page_tree *t, const struct page_stacks *s,
                    size_t most)
{
    size_t nodes = s->nodes.len;
    uint64_t *counts = inclusive_counts(s);
    uint64_t limit = threshold(counts, nodes, most);
    bool *stays = mem_new(nodes, sizeof(*stays));
    bool *has_other = mem_new(nodes, sizeof(*has_other));
    bool *is_used = mem_new(s->functions.len, sizeof(*is_used));
    struct making m = {.tree = t, .stacks = s};
    uint32_t *now;

    stays[0] = true;
    for (size_t i = 1; i < nodes; i++) {
        stays[i] = counts[i] > limit;
        if (stays[i])
            is_used[s->nodes.data[i].function] = true;
        else if (stays[s->nodes.data[i].parent])
            has_other[s->nodes.data[i].parent] = true;
    }
    now = sort_functions(t, s, is_used);
    m.children = mem_new(nodes, sizeof(*m.children));
    for (size_t i = 1; i < nodes; i++)
        if (stays[i])
            m.children[m.len++] = (struct child){
                s->nodes.data[i].parent, (uint32_t)i,
                now[s->nodes.data[i].function], s->nodes.data[i].inlined};
    index_children(&m);
    t->place = mem_new(nodes, sizeof(*t->place));
    lay_down(&m, has_other);
    move_counts(t, s, stays);
    free(m.children);
    free(m.first);
    free(now);
    free(is_used);
    free(has_other);
    free(stays);
    free(counts);
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
