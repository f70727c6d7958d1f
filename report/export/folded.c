#include "report/export/folded.h"

#include <string.h>

#include "engine/diff/diff.h"
#include "engine/model/labels.h"
#include "report/export/export.h"
#include "report/header/header.h"
#include "report/table/table.h"

/*
 * folded - one line per distinct stack: process;outermost;...;innermost COUNT
 *
 * Flame graph tools read this. Lines are written as they are
 * made: all of them together can be far longer than the trace.
 * Functions go by their labels, in JSON and CSV by their recorded names.
 */

/*
 * A name that ends a line is followed by nothing there, one that goes on by a
 * ';': so a node stands twice in the order of its siblings, as "a" is before
 * "a b;c" and that before "a;b".
 */

/* ---- the tree ---- */

/* The node of a stack in the tree, for one owner. */
struct place {
    uint32_t owner; /* + 1; 0: not known */
    uint32_t node;
};

struct adding {
    struct folded_tree *tree;
    const struct profile *p;
    VEC(uint32_t) path;   /* stacks, innermost first */
    uint32_t *names;      /* by function or frame, + 1; 0: not known */
    struct place *places; /* by stack */
    struct arena scratch; /* of one name */
};

/* True for almost all names. */
static bool is_clean(const char *name)
{
    while (*name >= ' ' && *name <= '~' && *name != ';')
        name++;
    return !*name;
}

static uint32_t cleaned(struct adding *a, const char *name)
{
    struct out *text;
    const char *copy;
    uint32_t id;
    size_t n;

    if (is_clean(name))
        return strings_add(a->tree->names, name, strlen(name));
    text = out_memory();
    /* Invisible characters are escaped as in all texts. ASCII and C1 controls
     * become blanks, one per byte. */
    for (; *name; name += n) {
        uint32_t code = out_escaped(name, &n);

        if (code && code < 0xA0)
            out_repeat(text, ' ', n);
        else if (code)
            out_plain_bytes(text, name, n);
        else if (*name == ';')
            out_char(text, ':');
        else
            out_bytes(text, name, n);
    }
    copy = out_text(text, &n);
    id = strings_add(a->tree->names, copy, n);
    out_close(text, NULL);
    return id;
}

static uint32_t name_of_frame(struct adding *a, uint32_t location,
                              uint32_t frame)
{
    const struct frame_style *style = &a->tree->style;
    uint32_t *name = &a->names[frame_style_by_function(style)
                                   ? a->p->frames.data[frame].function
                                   : frame];

    if (!*name)
        *name =
            cleaned(a, frame_name(a->p, location, frame, style, &a->scratch)) +
            1;
    arena_reset(&a->scratch);
    return *name - 1;
}

/* The first child is in no map: most nodes have no other. */
static uint32_t child_of(struct folded_tree *t, uint32_t parent, uint32_t name)
{
    uint32_t fresh = mem_next_id(t->nodes.len), id;
    uint32_t first = t->nodes.data[parent].first_child;

    if (!first) {
        t->nodes.data[parent].first_child = fresh;
        *vec_add(&t->nodes) = (struct folded_node){.name = name};
        return fresh;
    }
    if (t->nodes.data[first].name == name)
        return first;
    id = map_add(&t->ids, parent, name, fresh);
    if (id == fresh) {
        *vec_add(&t->nodes) = (struct folded_node){
            .name = name, .next_sibling = t->nodes.data[first].next_sibling};
        t->nodes.data[first].next_sibling = id;
    }
    return id;
}

/* Lays down a location's frames, outermost first. */
static uint32_t add_location(struct adding *a, uint32_t node, uint32_t location)
{
    const struct profile *p = a->p;
    uint32_t first = p->frame_start.data[location];

    a->tree->steps += p->frame_start.data[location + 1] - first;
    for (uint32_t f = p->frame_start.data[location + 1]; f-- > first;) {
        size_t before = a->tree->nodes.len;

        node = child_of(a->tree, node, name_of_frame(a, location, f));
        if (node == before) {
            a->tree->nodes.data[node].kind =
                a->p->locations.data[location].kind;
            a->tree->nodes.data[node].inlined = p->frames.data[f].inlined;
            a->tree->nodes.data[node].function =
                !frame_function_is_unnamed(a->p, p->frames.data[f].function);
            while (a->tree->unit_of && a->tree->units.len <= node)
                *vec_add(&a->tree->units) = 0;
            if (a->tree->unit_of)
                a->tree->units.data[node] =
                    a->tree->unit_of[p->frames.data[f].function] + 1;
        }
    }
    return node;
}

/* From the innermost ancestor whose place is known. */
static uint32_t find_node(struct adding *a, uint32_t top, uint32_t owner,
                          uint32_t stack)
{
    const struct stack *stacks = a->p->stacks.data;
    uint32_t node = top;

    a->path.len = 0;
    while (stack && a->places[stack].owner != owner + 1) {
        *vec_add(&a->path) = stack;
        stack = stacks[stack].parent;
    }
    if (stack)
        node = a->places[stack].node;
    while (a->path.len) {
        stack = a->path.data[--a->path.len];
        node = add_location(a, node, stacks[stack].location);
        a->places[stack] = (struct place){owner + 1, node};
    }
    return node;
}

/* The node of a process or thread, which stands above its stacks. */
static uint32_t top_of(struct adding *a, uint32_t owner)
{
    const struct folded_tree *t = a->tree;
    const struct profile *p = a->p;
    uint32_t process = t->threads ? p->threads.data[owner].process : owner;
    uint32_t top = 0;

    if (t->processes == FOLDED_IDS)
        top = child_of(a->tree, top,
                       cleaned(a, process_title(p, process, &a->scratch)));
    else if (t->processes == FOLDED_NAMES)
        top = child_of(a->tree, top, cleaned(a, process_label(p, process)));
    if (t->threads)
        top = child_of(a->tree, top,
                       cleaned(a, thread_title(p, owner, &a->scratch)));
    arena_reset(&a->scratch);
    return top;
}

static void add_stack(struct adding *a, const struct owned_stack *s, bool after)
{
    struct folded_tree *t = a->tree;
    uint32_t id = find_node(a, top_of(a, s->owner), s->owner, s->stack);

    t->lines += !t->nodes.data[id].count && !folded_tree_after(t, id);
    if (!after) {
        t->nodes.data[id].count += s->count;
        return;
    }
    while (t->after.len <= id)
        *vec_add(&t->after) = 0;
    t->after.data[id] += s->count;
}

void folded_tree_add(struct folded_tree *tree, const struct profile *p,
                     const struct selection *sel, bool after)
{
    struct adding a = {.tree = tree, .p = p};
    owned_stacks stacks = {0};

    if (!tree->nodes.len) {
        tree->p = p;
        tree->names = p->strings;
        *vec_add(&tree->nodes) = (struct folded_node){0};
    }
    a.names = mem_new(frame_style_by_function(&tree->style) ? p->functions.len
                                                            : p->frames.len,
                      sizeof(*a.names));
    a.places = mem_new(p->stacks.len, sizeof(*a.places));
    owned_stacks_count(&stacks, p, sel, tree->threads);
    owned_stacks_sort(&stacks);
    for (size_t i = 0; i < stacks.len; i++)
        add_stack(&a, &stacks.data[i], after);
    vec_release(&stacks);
    vec_release(&a.path);
    arena_release(&a.scratch);
    free(a.names);
    free(a.places);
}

struct folded_tree folded_tree_of(const struct subject *s)
{
    const struct report_options *o = s->options;
    struct folded_tree tree = {
        .style = {.module = o->with_module,
                  .lines = o->with_lines,
                  .marks = o->with_marks,
                  /* for programs */
                  .recorded = !format_is_for_people(o->format)},
        .processes = o->with_process ? FOLDED_IDS : FOLDED_NAMES,
        .threads = o->with_thread,
    };

    if (s->p)
        folded_tree_add(&tree, s->p, s->sel, false);
    for (size_t i = 0; i < s->input_count; i++) {
        tree.unit_of = s->diff ? s->diff->pairs->unit_of[i] : NULL;
        folded_tree_add(&tree, s->inputs[i].p, s->inputs[i].sel,
                        s->inputs[i].after);
    }
    return tree;
}

void folded_tree_release(struct folded_tree *t)
{
    vec_release(&t->nodes);
    vec_release(&t->after);
    vec_release(&t->units);
    map_release(&t->ids);
}

/* ---- lines ---- */

/* A sibling with its name at hand, for sorting. */
struct sibling {
    const char *name;
    uint32_t node;
    bool below;
};

/* The byte behind the end of a name is ';', or 0. */
static unsigned char byte_at(const struct sibling *s, size_t n)
{
    return s->name[n] ? (unsigned char)s->name[n] : s->below ? ';' : 0;
}

/* Backwards, as turns are taken from the end. */
static int by_bytes(const void *x, const void *y)
{
    const struct sibling *a = x, *b = y;
    size_t n = 0;

    while (a->name[n] && a->name[n] == b->name[n])
        n++;
    return (int)byte_at(b, n) - (int)byte_at(a, n);
}

typedef VEC(struct sibling) siblings;

static void add_turns(const struct folded_tree *t, uint32_t id, siblings *list)
{
    const struct folded_node *node = &t->nodes.data[id];
    struct sibling s = {strings_get(t->names, node->name), id, false};

    if (node->count || folded_tree_after(t, id))
        *vec_add(list) = s;
    s.below = true;
    if (node->first_child)
        *vec_add(list) = s;
}

/* The names below a node take their turns next. */
static void enter(struct folded_lines *l, uint32_t node)
{
    const struct folded_tree *t = l->tree;
    uint32_t child = t->nodes.data[node].first_child;
    siblings list = {0};

    for (; child; child = t->nodes.data[child].next_sibling)
        add_turns(t, child, &list);
    if (list.len > 1)
        qsort(list.data, list.len, sizeof(*list.data), by_bytes);
    for (size_t i = 0; i < list.len; i++)
        *vec_add(&l->turns) = (struct folded_turn){
            list.data[i].node, list.data[i].below, l->buffer.len};
    vec_release(&list);
}

static void append(struct folded_lines *l, const char *text, size_t n)
{
    vec_reserve(&l->buffer, n);
    memcpy(l->buffer.data + l->buffer.len, text, n);
    l->buffer.len += n;
}

bool folded_lines_next(struct folded_lines *l)
{
    const struct folded_tree *t = l->tree;

    if (!l->begun && t->nodes.len)
        enter(l, 0);
    l->begun = true;
    while (l->turns.len) {
        struct folded_turn turn = l->turns.data[--l->turns.len];

        l->node = &t->nodes.data[turn.node];
        l->buffer.len = turn.prefix;
        append(l, strings_get(t->names, l->node->name),
               strings_len(t->names, l->node->name));
        append(l, turn.below ? ";" : "", 1);
        l->text = l->buffer.data;
        if (!turn.below)
            return true;
        enter(l, turn.node);
    }
    return false;
}

void folded_lines_release(struct folded_lines *l)
{
    vec_release(&l->turns);
    vec_release(&l->buffer);
}

static void put_weight(struct out *out, const struct folded_tree *tree,
                       uint64_t weight)
{
    out_decimal(out, weight, tree->p->trace.metric.decimals, false);
}

/* A line that begins like a comment would be left out when it is read back: a
 * blank before it tells the reader that it is a stack, and flame graphs show it
 * as it is. */
static bool looks_like_comment(const char *line)
{
    line += strspn(line, " ");
    return *line == '#' || !strncmp(line, "//", 2);
}

/* All lines with their counts; `both`: those of the second side behind. */
static void folded_tree_print(const struct folded_tree *tree, bool both,
                              struct out *out)
{
    struct folded_lines lines = {.tree = tree};

    while (folded_lines_next(&lines)) {
        if (looks_like_comment(lines.text))
            out_char(out, ' ');
        out_str(out, lines.text);
        out_char(out, ' ');
        put_weight(out, tree, lines.node->count);
        if (both) {
            out_char(out, ' ');
            put_weight(out, tree,
                       folded_tree_after(
                           tree, (size_t)(lines.node - tree->nodes.data)));
        }
        out_char(out, '\n');
    }
    folded_lines_release(&lines);
}

/*
 * collapsed - outermost;...;innermost COUNT, a line per distinct stack, as
 * FlameGraph and inferno read them. Kinds of code are marked as these colour
 * them. On request a process and its thread are frames of their own above the
 * stack, as in those tools.
 */

static void write(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    struct folded_tree tree = {
        .style = {.module = o->with_module,
                  .lines = o->with_lines,
                  .marks = true},
        .processes = o->with_process ? FOLDED_IDS : FOLDED_BARE,
        .threads = o->with_thread,
    };

    folded_tree_add(&tree, s->p, s->sel, false);
    folded_tree_print(&tree, false, out);
    folded_tree_release(&tree);
}

const struct export_kind collapsed_export = {
    .name = "collapsed",
    .help = "folded stacks for FlameGraph, inferno and others",
    .endings = {".folded", ".collapsed"},
    .owners = true,
    .styles = true,
    .write = write,
};

/* ---- other formats ---- */

/* Rows are asked for in order, so one line at a time is enough. */
struct line_rows {
    struct folded_tree tree;
    struct folded_lines lines;
    size_t next; /* row after the one that `lines` is at */
};

static const struct folded_lines *line_at(const void *rows, size_t row)
{
    /* The table is constant, where it stands is not. */
    struct line_rows *r = *(struct line_rows *const *)rows;

    if (row + 1 < r->next) {
        folded_lines_release(&r->lines);
        r->lines = (struct folded_lines){.tree = &r->tree};
        r->next = 0;
    }
    for (; r->next <= row; r->next++)
        folded_lines_next(&r->lines);
    return &r->lines;
}

static struct value stack_value(const void *rows, size_t row)
{
    return value_text(line_at(rows, row)->text);
}

static struct value count_value(const void *rows, size_t row)
{
    return value_weight(line_at(rows, row)->tree->p,
                        line_at(rows, row)->node->count);
}

static const struct column columns[] = {
    {"stack", "stack", true, stack_value},
    {"count", "count", false, count_value},
};

static void write_lines(const struct subject *s, struct out *out)
{
    struct folded_tree tree = folded_tree_of(s);

    folded_tree_print(&tree, s->input_count > 0, out);
    folded_tree_release(&tree);
}

static void write_table(const struct subject *s, struct out *out)
{
    struct line_rows rows = {.next = 0}, *place = &rows;
    struct table table = {
        .columns = columns, .column_count = 2, .rows = &place};

    rows.tree = folded_tree_of(s);
    rows.lines.tree = &rows.tree;
    table.row_count = table.total = rows.tree.lines;
    report_table(s, "folded", &table, out);
    folded_lines_release(&rows.lines);
    folded_tree_release(&rows.tree);
}

/* Two counts a line, as difffolded writes them; no format that is read by
 * other tools has room for them. */
static const struct report folded_diff_report = {
    .name = "folded --diff",
    .about = ABOUT_SIDES,
    .write = {[FORMAT_TEXT] = write_lines},
};

const struct report folded_report = {
    .name = "folded",
    .help = "one line per distinct stack, for flame graph tools",
    .takes = TAKES_FOLDED | TAKES_SIDES | TAKES_STACKS,
    .write = {[FORMAT_TEXT] = write_lines,
              [FORMAT_JSON] = write_table,
              [FORMAT_CSV] = write_table,
              [FORMAT_MARKDOWN] = write_table},
    .two_sides = &folded_diff_report,
};
