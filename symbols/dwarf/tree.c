#include "symbols/dwarf/tree.h"

#include <libdwarf/dwarf.h>
#include <stdlib.h>

#include "engine/base/bisect.h"
#include "symbols/dwarf/ranges.h"

/* What an entry leaves to those below it. */
struct level {
    uint32_t node, scope;
    bool opens; /* the scope ends with this level */
};

struct walk {
    struct unit *unit;
    struct tree *tree;
    struct spans *spans;      /* of the nodes */
    VEC(struct level) levels; /* one for each entry that is open */
};

static uint32_t add_node(struct walk *w, const struct die *die, uint32_t parent)
{
    uint32_t id = mem_next_id(w->tree->nodes.len);

    *vec_add(&w->tree->nodes) = (struct node){
        .entry = (uint32_t)(die->offset - w->unit->start),
        .parent = parent,
        .call_file = (uint32_t)die->call_file,
        .call_line = (uint32_t)die->call_line,
    };
    ranges_add(w->unit, die, w->spans, id);
    return id;
}

static void open_scope(struct walk *w, struct level *level,
                       const struct die *die)
{
    uint32_t id = mem_next_id(w->tree->scopes.len);

    *vec_add(&w->tree->scopes) = (struct scope){
        .start = die->offset,
        .end = w->unit->end,
        .parent = level->scope,
    };
    level->scope = id;
    level->opens = true;
}

static void close_levels(struct walk *w, size_t keep, uint64_t offset)
{
    while (w->levels.len > keep) {
        const struct level *l = &w->levels.data[--w->levels.len];

        if (l->opens)
            w->tree->scopes.data[l->scope].end = offset;
    }
}

static struct level innermost(const struct walk *w)
{
    struct level level = {TREE_NONE, TREE_NONE, false};

    if (w->levels.len)
        level = w->levels.data[w->levels.len - 1];
    level.opens = false;
    return level;
}

/* Leaves out what is in a function or a class. */
static bool pass_over(struct walk *w, struct cursor *c, const struct die *die)
{
    uint64_t unit = w->unit->start, start = c->r.pos;

    if (die->tag == DW_TAG_namespace || !cursor_skip_children(c, die))
        return false;
    *vec_add(&w->tree->passed) = (struct passed){
        .start = (uint32_t)(start - unit),
        .end = (uint32_t)(c->r.pos - unit),
        .entry = (uint32_t)(die->offset - unit),
        .scope = innermost(w).scope,
        .first = TREE_NONE,
    };
    return true;
}

static void visit(struct walk *w, struct cursor *c, const struct die *die)
{
    bool function = die->tag == DW_TAG_subprogram;
    bool passed = (function || is_scope(die->tag)) && pass_over(w, c, die);
    struct level level = innermost(w);

    if (function) {
        level.node = ranges_any(die) ? add_node(w, die, TREE_NONE) : TREE_NONE;
        if (level.node != TREE_NONE)
            w->tree->nodes.data[level.node].unread = passed;
    } else if (die->tag == DW_TAG_inlined_subroutine && ranges_any(die)) {
        level.node = add_node(w, die, level.node);
    } else if (is_scope(die->tag) && die->children && !passed) {
        open_scope(w, &level, die);
    }
    if (die->children && !passed)
        *vec_add(&w->levels) = level;
}

static struct tree *tree_new(struct unit *unit)
{
    struct tree *tree = mem_new(1, sizeof(*tree));
    struct walk w = {.unit = unit, .tree = tree, .spans = &tree->spans};
    struct cursor c = unit_cursor(unit);
    struct die die;

    tree->unit = unit;
    while (cursor_next(&c, &die)) {
        close_levels(&w, c.depth, die.offset);
        visit(&w, &c, &die);
    }
    vec_release(&w.levels);
    vec_trim(&tree->passed);
    spans_build(&tree->spans);
    tree->outer = tree->scopes.len;
    return tree;
}

/* Of all functions, wherever they are. */
static struct tree *tree_of_all(struct unit *unit)
{
    struct tree *tree = mem_new(1, sizeof(*tree));
    struct walk w = {.unit = unit, .tree = tree, .spans = &tree->spans};
    struct cursor c = unit_cursor(unit);
    struct die die;

    tree->unit = unit;
    while (cursor_next_function(&c, &die)) {
        uint32_t node = add_node(&w, &die, TREE_NONE);

        tree->nodes.data[node].unread = die.children;
    }
    spans_build(&tree->spans);
    return tree;
}

void tree_free(struct tree *tree)
{
    if (!tree)
        return;
    for (size_t i = 0; i < tree->insides.len; i++)
        spans_release(&tree->insides.data[i]);
    vec_release(&tree->insides);
    vec_release(&tree->nodes);
    vec_release(&tree->scopes);
    vec_release(&tree->passed);
    spans_release(&tree->spans);
    free(tree);
}

static struct tree *whole_tree(struct unit *unit)
{
    if (!unit->whole)
        unit->whole = tree_of_all(unit);
    return unit->whole;
}

static struct tree *first_tree(struct unit *unit)
{
    if (!unit->tree)
        unit->tree = tree_new(unit);
    return unit->tree;
}

/* Calls that were inlined into a function or a call, but for those further
 * inside that can be passed over. Functions within it are left out, as their
 * code is elsewhere. */
static void read_inside(struct tree *tree, uint32_t node)
{
    struct spans spans = {.added = {0}};
    struct walk w = {.unit = tree->unit, .tree = tree, .spans = &spans};
    struct cursor c = unit_cursor_at(
        tree->unit, tree->unit->start + tree->nodes.data[node].entry);
    struct die die;

    tree->nodes.data[node].unread = false;
    if (!cursor_next(&c, &die) || !die.children)
        return;
    *vec_add(&w.levels) = (struct level){node, TREE_NONE, false};
    while (cursor_next(&c, &die) && c.depth) {
        bool inlined = die.tag == DW_TAG_inlined_subroutine && ranges_any(&die);
        bool passed = (inlined || die.tag == DW_TAG_subprogram) &&
                      cursor_skip_children(&c, &die);
        struct level level;

        close_levels(&w, c.depth, die.offset);
        level = w.levels.data[w.levels.len - 1];
        if (inlined) {
            level.node = add_node(&w, &die, level.node);
            tree->nodes.data[level.node].unread = passed;
        }
        if (die.children && !passed)
            *vec_add(&w.levels) = level;
    }
    vec_release(&w.levels);
    spans_build(&spans);
    *vec_add(&tree->insides) = spans;
    tree->nodes.data[node].inside = (uint32_t)tree->insides.len;
}

/* The innermost call of those that were read with a node; else the node. */
static uint32_t innermost_inside(struct tree *tree, uint32_t node,
                                 uint64_t address)
{
    uint32_t inside, inner;

    if (tree->nodes.data[node].unread)
        read_inside(tree, node);
    inside = tree->nodes.data[node].inside;
    if (!inside)
        return node;
    inner = spans_find(&tree->insides.data[inside - 1], address);
    return inner == TREE_NONE ? node : inner;
}

static uint32_t find(struct tree *tree, uint64_t address)
{
    uint32_t node = spans_find(&tree->spans, address), outer = TREE_NONE;

    while (node != outer) {
        outer = node;
        node = innermost_inside(tree, node, address);
    }
    return node;
}

/* Functions may have others within them that were passed over. */
struct tree *tree_at(struct unit *unit, uint64_t address, uint32_t *node)
{
    struct tree *tree = first_tree(unit);

    *node = find(tree, address);
    if (*node != TREE_NONE || !tree->passed.len)
        return tree;
    tree = whole_tree(unit);
    *node = find(tree, address);
    return tree;
}

static struct passed *passed_with(struct tree *tree, uint64_t offset)
{
    size_t i;

    offset -= tree->unit->start;
    BISECT(i, tree->passed.len, tree->passed.data[i].start <= offset);
    return i && offset < tree->passed.data[i - 1].end
               ? &tree->passed.data[i - 1]
               : NULL;
}

/* Scopes in what was passed over, the first of which is what they are in. */
static void read_scopes(struct tree *tree, struct passed *p)
{
    struct walk w = {.unit = tree->unit, .tree = tree};
    uint64_t unit = tree->unit->start;
    struct cursor c = unit_cursor_at(tree->unit, unit + p->entry);
    struct die die;

    p->first = (uint32_t)tree->scopes.len;
    *vec_add(&w.levels) = (struct level){TREE_NONE, p->scope, false};
    while (cursor_next(&c, &die) && die.offset < unit + p->end) {
        struct level level;

        close_levels(&w, (size_t)c.depth + 1, die.offset);
        level = innermost(&w);
        if (is_scope(die.tag) && die.children)
            open_scope(&w, &level, &die);
        if (die.children)
            *vec_add(&w.levels) = level;
    }
    close_levels(&w, 0, unit + p->end);
    vec_release(&w.levels);
    p->count = (uint32_t)(tree->scopes.len - p->first);
}

/* Of those numbers from `first`, or what they are all in. */
static uint32_t scope_among(const struct tree *tree, uint32_t first,
                            uint32_t count, uint32_t around, uint64_t offset)
{
    uint32_t i, scope;

    BISECT(i, count, tree->scopes.data[first + i].start < offset);
    scope = i ? first + i - 1 : around;
    while (scope != TREE_NONE && tree->scopes.data[scope].end <= offset)
        scope = tree->scopes.data[scope].parent;
    return scope;
}

const struct tree *tree_scope(struct unit *unit, uint64_t offset,
                              uint32_t *scope)
{
    struct tree *tree = first_tree(unit);
    struct passed *p = passed_with(tree, offset);

    if (p && p->first == TREE_NONE)
        read_scopes(tree, p);
    *scope = p ? scope_among(tree, p->first, p->count, p->scope, offset)
               : scope_among(tree, 0, (uint32_t)tree->outer, TREE_NONE, offset);
    return tree;
}
