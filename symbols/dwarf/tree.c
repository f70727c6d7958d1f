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
    ranges_add(w->unit, die, &w->tree->spans, id);
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

static void visit(struct walk *w, const struct die *die)
{
    struct level level = {TREE_NONE, TREE_NONE, false};

    if (w->levels.len)
        level = w->levels.data[w->levels.len - 1];
    level.opens = false;
    if (die->tag == DW_TAG_subprogram)
        level.node = ranges_any(die) ? add_node(w, die, TREE_NONE) : TREE_NONE;
    else if (die->tag == DW_TAG_inlined_subroutine && ranges_any(die))
        level.node = add_node(w, die, level.node);
    else if (is_scope(die->tag) && die->children)
        open_scope(w, &level, die);
    if (die->children)
        *vec_add(&w->levels) = level;
}

struct tree *tree_new(struct unit *unit)
{
    struct tree *tree = mem_new(1, sizeof(*tree));
    struct walk w = {.unit = unit, .tree = tree};
    struct cursor c = unit_cursor(unit);
    struct die die;

    while (cursor_next(&c, &die)) {
        close_levels(&w, c.depth, die.offset);
        visit(&w, &die);
    }
    vec_release(&w.levels);
    spans_build(&tree->spans);
    return tree;
}

void tree_free(struct tree *tree)
{
    if (!tree)
        return;
    vec_release(&tree->nodes);
    vec_release(&tree->scopes);
    spans_release(&tree->spans);
    free(tree);
}

uint32_t tree_find(const struct tree *tree, uint64_t address)
{
    return spans_find(&tree->spans, address);
}

uint32_t tree_scope(const struct tree *tree, uint64_t offset)
{
    size_t i;
    uint32_t scope;

    BISECT(i, tree->scopes.len, tree->scopes.data[i].start < offset);
    scope = i ? (uint32_t)(i - 1) : TREE_NONE;
    while (scope != TREE_NONE && tree->scopes.data[scope].end <= offset)
        scope = tree->scopes.data[scope].parent;
    return scope;
}
