/*
 * demangle_tree - all components of a parsed C++ name.
 *
 *     demangle_tree_walk(tree, measure, &context);
 *
 * A substitution names a component that is there already, so the tree shares
 * them: each is visited once, its children before it.
 */
#ifndef TOPFN_DEMANGLE_TREE_H
#define TOPFN_DEMANGLE_TREE_H

struct demangle_component;

struct demangle_children {
    struct demangle_component *child[2];
};

struct demangle_children demangle_children(
    const struct demangle_component *component);

void demangle_tree_walk(struct demangle_component *tree,
                        void (*visit)(void *context,
                                      struct demangle_component *component),
                        void *context);

#endif
