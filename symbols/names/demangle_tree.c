#include "symbols/names/demangle_tree.h"

#include <stdbool.h>
#include <stdint.h>

#include <libiberty/demangle.h>

#include "engine/base/map.h"
#include "engine/base/vec.h"

typedef struct demangle_component component;

struct demangle_children demangle_children(const component *c)
{
    switch (c->type) {
    case DEMANGLE_COMPONENT_NAME:
    case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
    case DEMANGLE_COMPONENT_FUNCTION_PARAM:
    case DEMANGLE_COMPONENT_SUB_STD:
    case DEMANGLE_COMPONENT_BUILTIN_TYPE:
    case DEMANGLE_COMPONENT_EXTENDED_BUILTIN_TYPE:
    case DEMANGLE_COMPONENT_OPERATOR:
    case DEMANGLE_COMPONENT_CHARACTER:
    case DEMANGLE_COMPONENT_NUMBER:
    case DEMANGLE_COMPONENT_UNNAMED_TYPE:
        return (struct demangle_children){{NULL, NULL}};
    case DEMANGLE_COMPONENT_CTOR:
        return (struct demangle_children){{c->u.s_ctor.name, NULL}};
    case DEMANGLE_COMPONENT_DTOR:
        return (struct demangle_children){{c->u.s_dtor.name, NULL}};
    case DEMANGLE_COMPONENT_EXTENDED_OPERATOR:
        return (struct demangle_children){
            {c->u.s_extended_operator.name, NULL}};
    case DEMANGLE_COMPONENT_FIXED_TYPE:
        return (struct demangle_children){{c->u.s_fixed.length, NULL}};
    case DEMANGLE_COMPONENT_LAMBDA:
    case DEMANGLE_COMPONENT_DEFAULT_ARG:
        return (struct demangle_children){{c->u.s_unary_num.sub, NULL}};
    default:
        return (struct demangle_children){
            {c->u.s_binary.left, c->u.s_binary.right}};
    }
}

struct walk {
    struct map met;
    uint32_t count;
    VEC(component *) path; /* what is being visited, outermost first */
};

/* Whether it is new, and so must be visited first. */
static bool enter(struct walk *w, component *c)
{
    if (!c || map_add(&w->met, (uintptr_t)c, 0, w->count) != w->count)
        return false;
    w->count++;
    *vec_add(&w->path) = c;
    return true;
}

void demangle_tree_walk(component *tree,
                        void (*visit)(void *context, component *c),
                        void *context)
{
    struct walk w = {.count = 0};

    enter(&w, tree);
    while (w.path.len) {
        component *c = w.path.data[w.path.len - 1];
        struct demangle_children of = demangle_children(c);

        if (enter(&w, of.child[0]) || enter(&w, of.child[1]))
            continue;
        w.path.len--;
        visit(context, c);
    }
    map_release(&w.met);
    vec_release(&w.path);
}
