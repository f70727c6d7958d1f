#include "report/page/page_tree.h"

#include "engine/analysis/algebra_impl.h"
#include "engine/base/out.h"
#include "engine/model/labels.h"
#include "engine/model/waits.h"

struct adding {
    struct page_stacks *stacks;
    const struct page_side *side;
    uint32_t *function_of; /* by function of the profile, + 1; 0: not known */
    bool *mine;            /* by function of the profile */
    VEC(uint32_t) path;    /* stacks, innermost first */
    struct arena scratch;
};

/* What acts unseen is shown as in any text. */
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
