#include <stdlib.h>
#include <string.h>

#include "engine/diff/diff.h"
#include "report/diff/diff.h"
#include "report/export/folded.h"
#include "report/header/header.h"
#include "report/page/page.h"
#include "report/table/text.h"
#include "report/table/table.h"

/*
 * flame - a flame graph as an image for documents (SVG 1.1), without script
 * unless `interactive` asks for one (svg.js).
 *
 * A box is a function. It stands on its caller and is as wide as its share of
 * the samples, the widest first. Two sides are two graphs, and a function whose
 * own change is real has the colour and arrow of that, as on the page. Every
 * box has a title with its name and counts.
 */

enum {
    WIDTH = 1200,
    MARGIN = 10,
    ROW = 17,
    HEAD = 64,
    FOOT = 24,
    SIDE_HEAD = 22,       /* over the graph of a side */
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

/* The boxes of a side. */
struct graph {
    VEC(struct box) boxes; /* in the order of drawing; below are last */
    size_t left_out;
    uint32_t deepest;
    double top; /* where its last row begins */
};

struct drawing {
    const struct folded_tree *tree;
    struct out *out;
    size_t sides;
    struct graph graphs[SIDES];
    uint64_t *counts[SIDES]; /* by node, with those below it */
    int8_t *signs; /* by unit of a diff: 1 more, -1 less, 0 no real change */
    struct arena scratch;
};

/* ---- layout ---- */

static double share(const struct drawing *d, size_t side, uint32_t node)
{
    uint64_t all = d->counts[side][0];

    return all ? (double)d->counts[side][node] / (double)all : 0;
}

/* A child with what it is sorted by. */
struct child {
    uint64_t count;
    const char *name;
    uint32_t node;
};

static int heaviest_first(const void *x, const void *y)
{
    const struct child *a = x, *b = y;

    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void lay_out_children(struct drawing *d, size_t side,
                             const struct box *box)
{
    const struct folded_tree *t = d->tree;
    struct graph *g = &d->graphs[side];
    double left = box->left;
    VEC(struct child) children = {0};

    for (uint32_t c = t->nodes.data[box->node].first_child; c;
         c = t->nodes.data[c].next_sibling)
        if (d->counts[side][c])
            *vec_add(&children) =
                (struct child){d->counts[side][c],
                               strings_get(t->names, t->nodes.data[c].name), c};
    if (children.len > 1)
        qsort(children.data, children.len, sizeof(*children.data),
              heaviest_first);
    for (size_t i = 0; i < children.len; i++) {
        struct box next = {children.data[i].node, box->depth + 1, left, 0};

        next.width = share(d, side, next.node) * (WIDTH - 2 * MARGIN);
        left += next.width;
        if (next.width < narrowest)
            g->left_out++;
        else
            *vec_add(&g->boxes) = next;
    }
    vec_release(&children);
}

/* The boxes that are laid out are the list of those to go on with. */
static void lay_out(struct drawing *d, size_t side)
{
    struct box all = {0, 0, MARGIN, WIDTH - 2 * MARGIN};
    struct graph *g = &d->graphs[side];

    if (d->tree->nodes.len)
        lay_out_children(d, side, &all);
    for (size_t i = 0; i < g->boxes.len; i++) {
        struct box box = g->boxes.data[i];

        if (box.depth > g->deepest)
            g->deepest = box.depth;
        lay_out_children(d, side, &box);
    }
}

/* ---- drawing ---- */

/* The page's colours of kinds of code (colours.js). */
static const char *kind_colour(uint8_t kind)
{
    static const char *const colours[CODE_KINDS] = {
        [CODE_UNKNOWN] = "#d1d1d1", [CODE_NATIVE] = "#b6d1ec",
        [CODE_MANAGED] = "#b6eccd", [CODE_SCRIPT] = "#ece3b6",
        [CODE_KERNEL] = "#ecc8b6",
    };

    return colours[kind];
}

/* The page has the same colours. */
static const char *const change_colours[] = {"#d8e9fd", "#d1d1d1", "#f08e4c"};
static const char *const change_marks[] = {"\xE2\x96\xBC ", "",
                                           "\xE2\x96\xB2 "};

static int sign_of(const struct drawing *d, uint32_t node)
{
    const struct folded_tree *t = d->tree;
    uint32_t unit = node < t->units.len ? t->units.data[node] : 0;

    return d->signs && unit ? d->signs[unit - 1] : 0;
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

/* The number of bytes of a text that fit into `room` columns with an ellipsis.
 */
static size_t fitting(const char *text, size_t room)
{
    size_t n = strlen(text);

    if (text_width(text, n) <= room)
        return n;
    if (n > 4 * room) /* no character has more bytes */
        n = 4 * room;
    do
        do
            n--;
        while (n && ((unsigned char)text[n] & 0xC0) == 0x80);
    while (n && (text[n - 1] == ' ' || text_width(text, n) > room - 1));
    return n;
}

/* A name that does not fit even when shortened loses its end; one so long that
 * this takes time is left out: the title has it. */
static void put_label(struct drawing *d, const struct box *box, double top,
                      const char *name)
{
    const struct folded_node *node = &d->tree->nodes.data[box->node];
    size_t room = box->width > LETTER ? (size_t)(box->width - 4) / LETTER : 0;
    const char *mark = change_marks[1 + sign_of(d, box->node)];
    const char *label = name;
    size_t n, used = *mark ? 2 : 0;

    if (room < used + 2 || strnlen(name, LONGEST_LABEL) == LONGEST_LABEL)
        return;
    room -= used;
    if (node->function)
        label = shorten(name, room, &d->scratch);
    n = fitting(label, room);
    if (!n)
        return;
    out_str(d->out, "<text");
    put_at(d, "x", box->left + 3);
    put_at(d, "y", top + ROW - 5);
    out_char(d->out, '>');
    out_str(d->out, mark);
    xml_text(d->out, arena_strndup(&d->scratch, label, n));
    out_str(d->out, label[n] ? "\xE2\x80\xA6</text>" : "</text>");
}

static void put_title(struct drawing *d, size_t side, uint32_t id)
{
    const struct folded_node *node = &d->tree->nodes.data[id];

    out_str(d->out, "<title>");
    xml_text(d->out, strings_get(d->tree->names, node->name));
    if (node->inlined)
        out_str(d->out, " (inlined)");
    out_str(d->out, ": ");
    if (d->sides == 1) {
        put_share(d, side, id);
    } else {
        put_share(d, 0, id);
        out_str(d->out, " before, ");
        put_share(d, 1, id);
        out_str(d->out, " after, ");
        out_real(d->out, 100 * (share(d, 1, id) - share(d, 0, id)), 1, true);
        out_str(d->out, " points");
    }
    out_str(d->out, "</title>");
}

static void put_box(struct drawing *d, size_t side, const struct box *box)
{
    const struct folded_node *node = &d->tree->nodes.data[box->node];
    double top = d->graphs[side].top - box->depth * (double)ROW;

    out_str(d->out, "<g role=\"listitem\">");
    put_title(d, side, box->node);
    out_str(d->out, "<rect");
    put_at(d, "x", box->left);
    put_at(d, "y", top);
    put_at(d, "width", box->width);
    out_fmt(d->out, " height=\"%d\" fill=\"%s\"%s/>", ROW - 1,
            d->sides == 1 ? kind_colour(node->kind)
                          : change_colours[1 + sign_of(d, box->node)],
            node->inlined ? " class=\"i\"" : "");
    put_label(d, box, top, strings_get(d->tree->names, node->name));
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

static double put_colour(struct drawing *d, double x, double y,
                         const char *colour, const char *mark, const char *text)
{
    out_str(d->out, "<rect");
    put_at(d, "x", x);
    put_at(d, "y", y - 10);
    out_fmt(d->out, " width=\"12\" height=\"12\" fill=\"%s\"/><text", colour);
    put_at(d, "x", x + 17);
    put_at(d, "y", y);
    out_fmt(d->out, ">%s%s</text>\n", mark, text);
    return x + 90;
}

/* The meaning of the colours. */
static void put_legend(struct drawing *d, double y)
{
    const struct graph *g = &d->graphs[0];
    bool there[CODE_KINDS] = {false};
    double x = MARGIN;

    if (d->sides > 1) {
        x = put_colour(d, x, y, change_colours[2], change_marks[2], "more");
        x = put_colour(d, x, y, change_colours[0], change_marks[0], "less");
        put_colour(d, x, y, change_colours[1], "",
                   "no certain change of the function itself");
        return;
    }
    for (size_t i = 0; i < g->boxes.len; i++)
        there[d->tree->nodes.data[g->boxes.data[i].node].kind] = true;
    for (int i = CODE_UNKNOWN + 1; i < CODE_KINDS; i++)
        if (there[i])
            x = put_colour(d, x, y, kind_colour((uint8_t)i), "",
                           code_kind_name((enum code_kind)i));
}

static void put_foot(struct drawing *d, double y)
{
    struct out *text = out_memory();
    size_t left_out = d->graphs[0].left_out + d->graphs[1].left_out;

    out_grouped(text, left_out);
    out_str(text, left_out == 1 ? " box" : " boxes");
    out_str(text, " narrower than half a pixel left out");
    if (left_out)
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
                    "g rect{stroke:#fff;stroke-width:.5}"
                    "rect.i{stroke:#666;stroke-dasharray:3 2}"
                    "</style>\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

/* A node's children have larger ids. */
static void count_below(struct drawing *d)
{
    const struct folded_tree *t = d->tree;

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
}

static void put_graph(struct drawing *d, size_t side)
{
    static const char *const names[SIDES] = {"BEFORE", "AFTER"};
    const struct graph *g = &d->graphs[side];

    if (d->sides > 1)
        put_line(d, g->top - g->deepest * (double)ROW - 6, names[side]);
    out_str(d->out, "<g role=\"list\">\n");
    for (size_t i = 0; i < g->boxes.len; i++)
        put_box(d, side, &g->boxes.data[i]);
    out_str(d->out, "</g>\n");
}

static void draw(struct drawing *d, const char *title, const char *what,
                 bool interactive)
{
    unsigned height = HEAD;

    count_below(d);
    for (size_t side = 0; side < d->sides; side++) {
        lay_out(d, side);
        height += d->sides > 1 ? SIDE_HEAD : 0;
        height += d->graphs[side].deepest * ROW;
        d->graphs[side].top = height;
    }
    height += FOOT;
    put_begin(d, title, what, height);
    put_line(d, 18, title);
    put_line(d, 36, what);
    put_legend(d, 54);
    for (size_t side = 0; side < d->sides; side++)
        put_graph(d, side);
    put_foot(d, height - 8);
    if (interactive) { /* which has no "]]>" */
        out_str(d->out, "<script><![CDATA[\n");
        out_bytes(d->out, page_svg, page_svg_size);
        out_str(d->out, "]]></script>\n");
    }
    out_str(d->out, "</svg>\n");
    for (size_t side = 0; side < SIDES; side++) {
        free(d->counts[side]);
        vec_release(&d->graphs[side].boxes);
    }
    arena_release(&d->scratch);
}

/* Without the end of the line. */
static const char *what_of(const struct profile *p, const struct selection *sel,
                           struct arena *arena)
{
    struct out *text = out_memory();
    const char *copy;
    size_t n;

    header_what(p, sel, false, 0, text);
    copy = out_text(text, &n);
    copy = arena_strndup(arena, copy, n ? n - 1 : 0);
    out_close(text, NULL);
    return copy;
}

static void write(const struct subject *s, struct out *out)
{
    struct folded_tree tree = folded_tree_of(s);
    struct drawing d = {.tree = &tree, .out = out, .sides = 1};
    struct arena arena = {0};

    draw(&d, "Flame graph", what_of(s->p, s->sel, &arena),
         s->options->interactive);
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
    if (first)
        out_plain(out, profile_file(first->p));
    if (runs > 1)
        out_fmt(out, " and %zu more", runs - 1);
    out_str(out, ", ");
    if (first)
        out_weight_unit(out, first->p, samples);
}

static void write_two_sides(const struct subject *s, struct out *out)
{
    struct folded_tree tree = folded_tree_of(s);
    struct drawing d = {.tree = &tree, .out = out, .sides = SIDES};
    struct out *what = out_memory(), *title = out_memory();

    d.signs = mem_new(s->diff->pairs->names.len, sizeof(*d.signs));
    for (size_t i = 0; i < s->diff->len; i++) {
        const struct diff_row *row = &s->diff->rows[i];

        if (diff_is_real(row))
            d.signs[row->function] =
                row->verdict == DIFF_SLOWER || row->verdict == DIFF_NEW ? 1
                                                                        : -1;
    }
    put_side(s, false, "before:", what);
    put_side(s, true, " \xC2\xB7 after:", what);
    diff_print_summary(s->diff, title);
    draw(&d, out_text(title, NULL), out_text(what, NULL),
         s->options->interactive);
    free(d.signs);
    out_close(title, NULL);
    out_close(what, NULL);
    folded_tree_release(&tree);
}

static const struct report flame_diff_report = {
    .for_file = true,
    .name = "flame --diff",
    .about = ABOUT_CHANGES,
    .write = {[FORMAT_TEXT] = write_two_sides},
};

const struct report flame_report = {
    .for_file = true,
    .name = "flame",
    .help = "a flame graph as an image for documents (SVG)",
    .takes = TAKES_FOLDED | TAKES_SIDES | TAKES_STACKS | TAKES_FLAME,
    .write = {[FORMAT_TEXT] = write},
    .two_sides = &flame_diff_report,
};
