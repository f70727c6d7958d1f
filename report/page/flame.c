#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/export/folded.h"
#include "report/header/header.h"
#include "report/table/text.h"
#include "report/table/table.h"

/*
 * flame - a flame graph as an image for documents (SVG 1.1), without script.
 *
 * A box is a function. It stands on its caller and is as wide as its share of
 * the samples. With two sides, its width is the mean of both shares, so that a
 * function that is gone is visible, too; the colour shows the change of its
 * share. Every box has a title with its name and counts.
 */

enum {
    WIDTH = 1200,
    MARGIN = 10,
    ROW = 17,
    HEAD = 64,
    FOOT = 24,
    LETTER = 7,           /* width of one, a little more than it is */
    LONGEST_LABEL = 4096, /* before it is shortened */
    SIDES = 2,
};

/* Narrower boxes are left out: nobody sees half a pixel. */
static const double narrowest = 0.5;

struct box {
    uint32_t node;
    uint32_t depth;
    double left, width;
};

struct drawing {
    const struct folded_tree *tree;
    struct out *out;
    bool both;
    uint64_t *counts[SIDES]; /* by node, with those below it */
    VEC(struct box) boxes;   /* in the order of drawing; below are last */
    size_t left_out;
    uint32_t deepest;
    struct arena scratch;
};

/* ---- layout ---- */

static double share(const struct drawing *d, size_t side, uint32_t node)
{
    uint64_t all = d->counts[side][0];

    return all ? (double)d->counts[side][node] / (double)all : 0;
}

/* The width of a node's box. A side without samples does not count. */
static double width_of(const struct drawing *d, uint32_t node)
{
    double width = share(d, 0, node), after = share(d, 1, node);

    if (d->both && d->counts[1][0])
        width = d->counts[0][0] ? (width + after) / 2 : after;
    return width * (WIDTH - 2 * MARGIN);
}

/* A child with its name at hand, for sorting. */
struct child {
    const char *name;
    uint32_t node;
};

static int by_name(const void *x, const void *y)
{
    const struct child *a = x, *b = y;

    return strcmp(a->name, b->name);
}

/* Boxes side by side in order of their names, as samples have no order
 * here. */
static void lay_out_children(struct drawing *d, const struct box *box)
{
    const struct folded_tree *t = d->tree;
    double left = box->left;
    VEC(struct child) children = {0};

    for (uint32_t c = t->nodes.data[box->node].first_child; c;
         c = t->nodes.data[c].next_sibling)
        *vec_add(&children) =
            (struct child){strings_get(t->names, t->nodes.data[c].name), c};
    if (children.len > 1)
        qsort(children.data, children.len, sizeof(*children.data), by_name);
    for (size_t i = 0; i < children.len; i++) {
        struct box next = {children.data[i].node, box->depth + 1, left, 0};

        next.width = width_of(d, next.node);
        left += next.width;
        if (next.width < narrowest)
            d->left_out++;
        else
            *vec_add(&d->boxes) = next;
    }
    vec_release(&children);
}

/* The boxes that are laid out are the list of those to go on with. */
static void lay_out(struct drawing *d)
{
    struct box all = {0, 0, MARGIN, WIDTH - 2 * MARGIN};

    if (d->tree->nodes.len)
        lay_out_children(d, &all);
    for (size_t i = 0; i < d->boxes.len; i++) {
        struct box box = d->boxes.data[i];

        if (box.depth > d->deepest)
            d->deepest = box.depth;
        lay_out_children(d, &box);
    }
}

/* ---- drawing ---- */

/* By kind of code; dark text on each has a contrast of 7:1. */
static const char *colour_of(const struct folded_node *node)
{
    static const char *const colours[CODE_KINDS] = {
        [CODE_UNKNOWN] = "#d9d9d9", [CODE_NATIVE] = "#f4b26a",
        [CODE_MANAGED] = "#9ccc8c", [CODE_SCRIPT] = "#f0dc82",
        [CODE_KERNEL] = "#e9a39b",
    };

    return colours[node->kind];
}

/* From white to red for what grew, to blue for what shrank; the strongest at
 * a change by a tenth of all samples. */
static void put_change_colour(struct drawing *d, uint32_t node)
{
    double change = share(d, 1, node) - share(d, 0, node);
    double strength = fabs(change) * 10 > 1 ? 1 : sqrt(fabs(change) * 10);
    unsigned rest = 255 - (unsigned)(115 * strength + 0.5);

    if (change > 0)
        out_fmt(d->out, "#ff%02x%02x", rest, rest);
    else
        out_fmt(d->out, "#%02x%02xff", rest, rest);
}

static void put_share(struct drawing *d, size_t side, uint32_t node)
{
    out_weight(d->out, d->tree->p, d->counts[side][node]);
    out_str(d->out, " (");
    out_percent(d->out, d->counts[side][node], d->counts[side][0], 1);
    out_str(d->out, " %)");
}

static void put_at(struct drawing *d, const char *name, double value)
{
    out_fmt(d->out, " %s=\"", name);
    out_real(d->out, value, 1, false);
    out_char(d->out, '"');
}

/* A name that does not fit even when shortened is left out, and one so long
 * that this takes time: the title has it. */
static void put_label(struct drawing *d, const struct box *box, double top,
                      const char *name)
{
    size_t room = box->width > LETTER ? (size_t)(box->width - 4) / LETTER : 0;
    const char *label = name;

    if (!room || strnlen(name, LONGEST_LABEL) == LONGEST_LABEL)
        return;
    if (d->tree->nodes.data[box->node].function)
        label = shorten(name, room, &d->scratch);
    if (text_width(label, strlen(label)) > room)
        return;
    out_str(d->out, "<text");
    put_at(d, "x", box->left + 3);
    put_at(d, "y", top + ROW - 5);
    out_char(d->out, '>');
    xml_text(d->out, label);
    out_str(d->out, "</text>");
}

static void put_box(struct drawing *d, const struct box *box)
{
    const struct folded_node *node = &d->tree->nodes.data[box->node];
    const char *name = strings_get(d->tree->names, node->name);
    double top = HEAD + (double)(d->deepest - box->depth) * ROW;

    out_str(d->out, "<g role=\"listitem\">");
    out_str(d->out, "<title>");
    xml_text(d->out, name);
    if (d->tree->nodes.data[box->node].inlined)
        out_str(d->out, " (inlined)");
    out_str(d->out, ": ");
    put_share(d, 0, box->node);
    if (d->both) {
        out_str(d->out, " before, ");
        put_share(d, 1, box->node);
        out_str(d->out, " after, ");
        out_real(d->out,
                 100 * (share(d, 1, box->node) - share(d, 0, box->node)), 1,
                 true);
        out_str(d->out, " points");
    }
    out_str(d->out, "</title>");
    out_str(d->out, "<rect");
    put_at(d, "x", box->left);
    put_at(d, "y", top);
    put_at(d, "width", box->width);
    out_fmt(d->out, " height=\"%d\" fill=\"", ROW - 1);
    if (d->both)
        put_change_colour(d, box->node);
    else
        out_str(d->out, colour_of(node));
    out_str(d->out, node->inlined ? "\" class=\"i\"/>" : "\"/>");
    put_label(d, box, top, name);
    out_str(d->out, "</g>\n");
    arena_reset(&d->scratch);
}

/* ---- what stands around it ---- */

static void put_line(struct drawing *d, double y, const char *text)
{
    out_str(d->out, "<text");
    put_at(d, "x", MARGIN);
    put_at(d, "y", y);
    out_char(d->out, '>');
    xml_text(d->out, text);
    out_str(d->out, "</text>\n");
}

/* The meaning of the colours. */
static void put_legend(struct drawing *d, double y)
{
    bool there[CODE_KINDS] = {false};
    double x = MARGIN;

    for (size_t i = 0; i < d->boxes.len; i++)
        there[d->tree->nodes.data[d->boxes.data[i].node].kind] = true;
    for (uint8_t i = CODE_UNKNOWN + 1; i < CODE_KINDS && !d->both; i++) {
        struct folded_node node = {.kind = i};

        if (!there[i])
            continue;
        out_str(d->out, "<rect");
        put_at(d, "x", x);
        put_at(d, "y", y - 10);
        out_fmt(d->out, " width=\"12\" height=\"12\" fill=\"%s\"/><text",
                colour_of(&node));
        put_at(d, "x", x + 17);
        put_at(d, "y", y);
        out_fmt(d->out, ">%s</text>\n", code_kind_name(i));
        x += 90;
    }
    if (d->both)
        put_line(d, y,
                 "red: a larger share after; blue: a smaller one; "
                 "width: the mean of both");
}

static void put_foot(struct drawing *d, double y)
{
    struct out *text = out_memory();

    out_grouped(text, d->left_out);
    out_str(text, d->left_out == 1 ? " box" : " boxes");
    out_str(text, " narrower than half a pixel left out");
    if (d->left_out)
        put_line(d, y, out_text(text, NULL));
    out_close(text, NULL);
}

static void put_begin(struct drawing *d, const char *title, const char *what,
                      unsigned height)
{
    out_fmt(d->out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%u\" viewBox=\"0 0 %d %u\" role=\"img\" "
            "aria-labelledby=\"title what\">\n",
            WIDTH, height, WIDTH, height);
    out_str(d->out, "<title id=\"title\">");
    xml_text(d->out, title);
    out_str(d->out, "</title>\n<desc id=\"what\">");
    xml_text(d->out, what);
    out_str(d->out, "</desc>\n"
                    "<style>text{font:12px Verdana,sans-serif;fill:#111}"
                    ".i{stroke:#666;stroke-dasharray:3 2;stroke-width:.5}"
                    "</style>\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

static void draw(struct drawing *d, const char *title, const char *what)
{
    unsigned height;
    const struct folded_tree *t = d->tree;

    /* A node's children have larger ids. */
    for (size_t side = 0; side < SIDES; side++)
        d->counts[side] = mem_new(t->nodes.len + 1, sizeof(uint64_t));
    for (size_t i = t->nodes.len; i-- > 0;) {
        const struct folded_node *node = &t->nodes.data[i];

        d->counts[0][i] = node->count;
        d->counts[1][i] = folded_tree_after(t, i);
        for (uint32_t c = node->first_child; c;
             c = t->nodes.data[c].next_sibling) {
            d->counts[0][i] += d->counts[0][c];
            d->counts[1][i] += d->counts[1][c];
        }
    }
    lay_out(d);
    height = HEAD + d->deepest * ROW + FOOT;
    put_begin(d, title, what, height);
    put_line(d, 18, title);
    put_line(d, 36, what);
    put_legend(d, 54);
    out_str(d->out, "<g role=\"list\">\n");
    for (size_t i = 0; i < d->boxes.len; i++)
        put_box(d, &d->boxes.data[i]);
    out_str(d->out, "</g>\n");
    put_foot(d, height - 8);
    out_str(d->out, "</svg>\n");
    for (size_t side = 0; side < SIDES; side++)
        free(d->counts[side]);
    vec_release(&d->boxes);
    arena_release(&d->scratch);
}

/* Without the end of the line. */
static const char *what_of(const struct profile *p, const struct selection *sel,
                           struct arena *arena)
{
    struct out *text = out_memory();
    const char *copy;
    size_t n;

    header_what(p, sel, 0, text);
    copy = out_text(text, &n);
    copy = arena_strndup(arena, copy, n ? n - 1 : 0);
    out_close(text, NULL);
    return copy;
}

static void write(const struct subject *s, struct out *out)
{
    struct folded_tree tree = folded_tree_of(s);
    struct drawing d = {.tree = &tree, .out = out};
    struct arena arena = {0};

    draw(&d, "Flame graph", what_of(s->p, s->sel, &arena));
    folded_tree_release(&tree);
    arena_release(&arena);
}

/* The first recording of a side, and how many there are. */
static void put_side(const struct subject *s, bool after, const char *name,
                     struct out *out)
{
    const struct diff_input *first = NULL;
    uint64_t samples = 0;
    size_t runs = 0;

    for (size_t i = 0; i < s->input_count; i++) {
        if (s->inputs[i].after != after)
            continue;
        first = first ? first : &s->inputs[i];
        samples += s->inputs[i].sel->samples;
        runs++;
    }
    out_fmt(out, "%s ", name);
    if (first && first->p->trace.files.len)
        out_plain(
            out, strings_get(first->p->strings, first->p->trace.files.data[0]));
    if (runs > 1)
        out_fmt(out, " and %zu more", runs - 1);
    out_str(out, ", ");
    if (first)
        header_count(first->p, samples, out);
}

static void write_two_sides(const struct subject *s, struct out *out)
{
    struct folded_tree tree = folded_tree_of(s);
    struct drawing d = {.tree = &tree, .out = out, .both = true};
    struct out *what = out_memory();

    put_side(s, false, "before:", what);
    put_side(s, true, " \xC2\xB7 after:", what);
    draw(&d, "Flame graph of what changed", out_text(what, NULL));
    out_close(what, NULL);
    folded_tree_release(&tree);
}

static const struct report flame_diff_report = {
    .for_file = true,
    .name = "flame --diff",
    .about = ABOUT_SIDES,
    .write = {[FORMAT_TEXT] = write_two_sides},
};

const struct report flame_report = {
    .for_file = true,
    .name = "flame",
    .help = "a flame graph as an image for documents (SVG)",
    .takes = TAKES_FOLDED | TAKES_SIDES | TAKES_STACKS,
    .write = {[FORMAT_TEXT] = write},
    .two_sides = &flame_diff_report,
};
