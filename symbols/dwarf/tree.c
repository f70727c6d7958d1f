#include "symbols/dwarf/tree.h"

#include <libdwarf/dwarf.h>
#include <stdlib.h>

#include "engine/base/bisect.h"

/*
 * The addresses of an entry: DW_AT_low_pc and DW_AT_high_pc, or a
 * list in .debug_ranges (DWARF 3, 4) or .debug_rnglists (DWARF 5).
 *
 * Ranges that start at 0 or 1, or at the very top, are code that the linker
 * dropped: bfd, gold and lld each have their own mark. They are left out.
 */

struct list {
    struct unit *unit;
    struct spans *spans;
    uint32_t value;
    uint64_t base; /* that offsets count from */
};

static uint64_t top_address(const struct unit *u)
{
    return u->address_size == 8 ? UINT64_MAX : UINT32_MAX;
}

static void add(const struct list *l, uint64_t low, uint64_t high)
{
    if (low <= 1 || low >= top_address(l->unit) - 1)
        return;
    spans_add(l->spans, low, high, l->value);
}

/* The limit of all lists of a file together. */
static bool take_entry(const struct list *l)
{
    return budget_take(&l->unit->file->range_entries, 1);
}

/* Pairs relative to the base; all ones and a new base; 0, 0 at the end. */
static void read_pairs(struct list *l, struct reader *r)
{
    unsigned width = l->unit->address_size;
    uint64_t top = top_address(l->unit);

    while (reader_more(r)) {
        uint64_t low = reader_ptr(r, width), high = reader_ptr(r, width);

        if (r->failed || (!low && !high) || !take_entry(l))
            return;
        if (low == top)
            l->base = high;
        else if (low < top - 1)
            add(l, l->base + low, l->base + high);
    }
}

/* An address from the table; `good` turns false when it is not there. */
static uint64_t indexed(const struct list *l, struct reader *r, bool *good)
{
    uint64_t address = 0;

    *good = unit_address(l->unit, reader_uleb(r), &address) && *good;
    return address;
}

static bool read_entry(struct list *l, struct reader *r)
{
    unsigned width = l->unit->address_size;
    uint64_t low = 0, high = 0;
    bool good = true;

    switch (reader_u8(r)) {
    case DW_RLE_base_addressx:
        l->base = indexed(l, r, &good);
        return good;
    case DW_RLE_base_address:
        l->base = reader_ptr(r, width);
        return true;
    case DW_RLE_startx_endx:
        low = indexed(l, r, &good);
        high = indexed(l, r, &good);
        break;
    case DW_RLE_startx_length:
        low = indexed(l, r, &good);
        high = low + reader_uleb(r);
        break;
    case DW_RLE_offset_pair:
        low = l->base + reader_uleb(r);
        high = l->base + reader_uleb(r);
        /* A dropped base drops what counts from it. */
        good = l->base != top_address(l->unit) &&
               l->base != top_address(l->unit) - 1;
        if (!good)
            return true;
        break;
    case DW_RLE_start_end:
        low = reader_ptr(r, width);
        high = reader_ptr(r, width);
        break;
    case DW_RLE_start_length:
        low = reader_ptr(r, width);
        high = low + reader_uleb(r);
        break;
    default: /* DW_RLE_end_of_list, or damage */
        return false;
    }
    if (good && !r->failed)
        add(l, low, high);
    return true;
}

static struct reader reader_in(const struct unit *u, struct bytes section,
                               uint64_t offset)
{
    struct reader r =
        reader_of(u->file->source.name, section.data, section.len, 0, NULL);

    return reader_at(&r, offset, "range list");
}

/* An index counts offsets that follow the header; they are relative to the
 * first of them. */
static struct reader list_5(const struct unit *u, struct value v)
{
    struct bytes section = u->file->sections.rnglists;
    struct reader r;
    uint64_t base = u->rnglists_base;

    if (v.form != DW_FORM_rnglistx)
        return reader_in(u, section, v.number + u->parts.rnglists);
    if (v.number > section.len) {
        r = reader_in(u, section, UINT64_MAX);
        return r;
    }
    r = reader_in(u, section, base + v.number * u->offset_size);
    return reader_in(u, section, base + reader_ptr(&r, u->offset_size));
}

/* Split units of DWARF 4 have their lists in the file of the skeleton. */
static struct reader list_4(const struct unit *u, struct value v)
{
    const struct unit *s = u->skeleton;

    if (s)
        return reader_in(u, s->file->sections.ranges,
                         s->ranges_base + v.number);
    return reader_in(u, u->file->sections.ranges, v.number);
}

static void add_plain(struct list *l, const struct die *die)
{
    uint64_t low, high;

    if (!dwarf_value_address(l->unit, die->low, &low))
        return;
    if (!dwarf_value_address(l->unit, die->high, &high))
        high = low + die->high.number;
    add(l, low, high);
}

bool ranges_any(const struct die *die)
{
    return die->ranges.form || (die->low.form && die->high.form);
}

void ranges_add(struct unit *unit, const struct die *die, struct spans *spans,
                uint32_t value)
{
    struct list l = {unit, spans, value, 0};
    struct reader r;

    if (!die->ranges.form) {
        if (die->low.form && die->high.form)
            add_plain(&l, die);
        return;
    }
    l.base = unit->skeleton ? unit->skeleton->low : unit->low;
    if (unit->version >= 5) {
        r = list_5(unit, die->ranges);
        while (reader_more(&r) && take_entry(&l) && read_entry(&l, &r))
            ;
    } else {
        r = list_4(unit, die->ranges);
        read_pairs(&l, &r);
    }
}

/* State that an entry leaves to those below it. */
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

/* A tree of all functions, wherever they are. */
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
    if (!unit->whole)
        unit->whole = tree_of_all(unit);
    tree = unit->whole;
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

/* The scope with a number from `first`, or the one around them all. */
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

struct tree *tree_scope(struct unit *unit, uint64_t offset, uint32_t *scope)
{
    struct tree *tree = first_tree(unit);
    struct passed *p = passed_with(tree, offset);

    if (p && p->first == TREE_NONE)
        read_scopes(tree, p);
    *scope = p ? scope_among(tree, p->first, p->count, p->scope, offset)
               : scope_among(tree, 0, (uint32_t)tree->outer, TREE_NONE, offset);
    return tree;
}
