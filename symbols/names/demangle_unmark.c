/* What demangle_older wrote otherwise becomes, in the tree, what it was. */
#include <string.h>

#include <libiberty/demangle.h>

#include "symbols/names/demangle_marks.h"
#include "symbols/names/demangle_spelling.h"
#include "symbols/names/demangle_tree.h"

static bool is_mark(const struct demangle_component *c, const char *mark)
{
    const struct demangle_component *value;

    if (!c || c->type != DEMANGLE_COMPONENT_LITERAL)
        return false;
    value = c->u.s_binary.right;
    return value && value->type == DEMANGLE_COMPONENT_NAME &&
           value->u.s_name.len == 2 && !memcmp(value->u.s_name.s, mark + 2, 2);
}

static bool is_name(const struct demangle_component *c, const char *front)
{
    return c && c->type == DEMANGLE_COMPONENT_NAME &&
           c->u.s_name.len >= (int)strlen(front) &&
           !memcmp(c->u.s_name.s, front, strlen(front));
}

/* Takes the mark from the name of a template, if it has that. */
static bool unmark(struct demangle_component *c, const char *mark)
{
    struct demangle_component *name;

    if (!c || c->type != DEMANGLE_COMPONENT_TEMPLATE)
        return false;
    name = c->u.s_binary.left;
    if (!is_name(name, mark))
        return false;
    name->u.s_name.s += strlen(mark);
    name->u.s_name.len -= (int)strlen(mark);
    return true;
}

/* "sr std::is_same<...>.value" loses its mark and gets its "::". */
static void qualify(struct demangle_component *c)
{
    struct demangle_component *both = c->u.s_binary.right;

    if (!both || both->type != DEMANGLE_COMPONENT_BINARY_ARGS ||
        !unmark(both->u.s_binary.left, QUALIFIED))
        return;
    c->type = DEMANGLE_COMPONENT_QUAL_NAME;
    c->u.s_binary.left = both->u.s_binary.left;
    c->u.s_binary.right = both->u.s_binary.right;
}

/* What stands for a type: built in, or a concept and "auto". */
static void type_of(struct demangle_component *c)
{
    struct demangle_component *of = c->u.s_binary.left, *both;

    if (unmark(of, BUILT_IN)) {
        *c = *of;
        return;
    }
    if (!of || of->type != DEMANGLE_COMPONENT_BINARY)
        return;
    both = of->u.s_binary.right;
    if (!both || both->type != DEMANGLE_COMPONENT_BINARY_ARGS ||
        !is_name(both->u.s_binary.right, "auto"))
        return;
    c->type = DEMANGLE_COMPONENT_VENDOR_TYPE_QUAL;
    c->u.s_binary.left = both->u.s_binary.left;
    c->u.s_binary.right = both->u.s_binary.right;
}

/* The mark and the argument behind it make way for the one that follows. */
static void drop(void *context, struct demangle_component *c)
{
    struct demangle_component *next;
    bool *good = context;

    if (c->type == DEMANGLE_COMPONENT_BINARY)
        qualify(c);
    if (c->type == DEMANGLE_COMPONENT_DECLTYPE)
        type_of(c);
    if (c->type != DEMANGLE_COMPONENT_TEMPLATE_ARGLIST)
        return;
    next = c->u.s_binary.right;
    if (next && is_mark(next->u.s_binary.left, MARK_REST))
        c->u.s_binary.right = NULL;
    if (!is_mark(c->u.s_binary.left, MARK))
        return;
    next = next ? next->u.s_binary.right : NULL;
    if (next)
        *c = *next;
    else
        *good = false;
}

bool demangle_drop_parameters(struct demangle_component *tree)
{
    bool good = true;

    demangle_tree_walk(tree, drop, &good);
    return good;
}
