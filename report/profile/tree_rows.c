#include "report/profile/tree_rows.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/out.h"
#include "engine/model/labels.h"

/* ---- labels ---- */

const char *tree_thread_label(struct tree_rows *r, uint32_t thread)
{
    const struct thread *t = &r->p->threads.data[thread];

    if (!is_thread_id(r->p->processes.data[t->process].pid, t->tid))
        return t->name ? strings_get(r->p->strings, t->name)
                       : "thread [unknown]";
    if (!t->name)
        return arena_fmt(&r->arena, "thread %u", (unsigned)t->tid);
    return arena_fmt(&r->arena, "%s (%u)", strings_get(r->p->strings, t->name),
                     (unsigned)t->tid);
}

/* Recursion is one node, as long as its longest run. So are the frames of one
 * module without symbols: "… 7 frames in ntdll.dll". */
static const char *run_label(struct tree_rows *r,
                             const struct calltree_node *node)
{
    const char *label = function_label(r->p, node->function, &r->arena);

    if (node->depth < 2)
        return label;
    if (!strcmp(label, NAME_NO_SYMBOLS))
        return arena_fmt(&r->arena, "… %u frames in %s", (unsigned)node->depth,
                         function_module(r->p, node->function));
    return r->p->functions.data[node->function].cause == CAUSE_NONE
               ? arena_fmt(&r->arena, "%s ×%u", label, (unsigned)node->depth)
               : label;
}

static void set_label(struct tree_rows *r, struct tree_row *row,
                      const struct calltree_node *node)
{
    switch ((enum calltree_kind)node->kind) {
    case CALLTREE_CODE:
        row->name = function_name(r->p, node->function, &r->arena);
        row->label = run_label(r, node);
        break;
    case CALLTREE_PROCESS:
        row->label = process_title(r->p, node->function, &r->arena);
        break;
    case CALLTREE_THREAD:
        row->label = tree_thread_label(r, node->function);
        break;
    default:
        row->label = "[start-up]";
    }
}

/* ---- lines ---- */

/* The line that goes on below a row, or does not, and those left of it. */
struct tree_line {
    const struct tree_line *left;
    bool goes_on;
};

/* Drawn in three, two or one column a level. */
static const char *const units[][4] = {
    [1] = {"│", " ", "├", "└"},
    [2] = {"│ ", "  ", "├ ", "└ "},
    [3] = {"│  ", "   ", "├─ ", "└─ "},
};

enum { ON = 0, OFF = 1, BRANCH = 2, LAST = 3, UNIT_SIZE = 8 };

/* At most `most` levels are drawn, the innermost ones. */
static const char *draw(struct tree_rows *r, const struct tree_row *row,
                        size_t step, size_t most)
{
    size_t levels = row->levels, shown = levels < most ? levels : most;
    const struct tree_line *line = row->line;
    char *text = arena_new(&r->arena, char, shown * UNIT_SIZE + UNIT_SIZE);
    char *at = text + shown * UNIT_SIZE, *end = at;

    if (!levels)
        return "";
    *at = '\0';
    if (step == 1)
        *--at = ' ';
    for (size_t i = 0; i < shown; i++) {
        const char *unit = units[step][row->mark];

        if (i || !row->mark) {
            unit = units[step][line->goes_on ? ON : OFF];
            line = line->left;
        }
        if (levels > most && i + 1 == shown)
            unit = "…";
        at -= strlen(unit);
        memcpy(at, unit, strlen(unit));
    }
    memmove(text, at, (size_t)(end - at) + 1);
    return text;
}

/* A row waiting for its turn; only what is drawn above it is known yet. */
struct pending {
    uint32_t node, parent, depth;
    uint32_t branches; /* of others */
    uint64_t others;
    const struct tree_line *line;
    uint32_t levels; /* of lines */
    bool deep;       /* some of the others are too deep, not too small */
    bool only, last;
};

struct queue {
    VEC(struct pending) stack;
};

/* ---- what is shown ---- */

/* Counts the branch as left out, or says that it is to be shown. */
static bool is_visible(struct tree_rows *r, uint32_t node,
                       struct pending *others)
{
    uint64_t samples = r->tree->nodes[node].inclusive;
    bool deep = r->depth && others->depth > r->depth;
    struct tree_cut *cut = samples < r->least ? &r->small : &r->deep;

    if (samples >= r->least && !deep)
        return true;
    cut->branches++;
    cut->samples += samples;
    others->others += samples;
    others->branches++;
    others->deep |= samples >= r->least;
    return false;
}

static void reverse(struct pending *rows, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        struct pending swap = rows[i];

        rows[i] = rows[n - 1 - i];
        rows[n - 1 - i] = swap;
    }
}

/* Children, the largest first. A row for those left out is the last, if they
 * have as many samples as a row needs. */
static void add_children(struct tree_rows *r, struct queue *q, uint32_t node,
                         const struct pending *child)
{
    size_t first = q->stack.len;
    struct pending others = *child;

    for (uint32_t i = r->tree->nodes[node].first_child; i;
         i = r->tree->nodes[i].next_sibling) {
        if (!is_visible(r, i, &others))
            continue;
        *vec_add(&q->stack) = *child;
        q->stack.data[q->stack.len - 1].node = i;
    }
    if (q->stack.len == first)
        return;
    if (r->others && others.others >= r->least) {
        others.node = NO_ID;
        *vec_add(&q->stack) = others;
    }
    q->stack.data[first].only = q->stack.len == first + 1;
    q->stack.data[q->stack.len - 1].last = true;
}

/* They go on the stack last first, so that the first comes off next. */
static void push_children(struct tree_rows *r, struct queue *q, uint32_t node,
                          const struct pending *child)
{
    size_t first = q->stack.len;

    add_children(r, q, node, child);
    if (q->stack.len > first)
        reverse(q->stack.data + first, q->stack.len - first);
}

/* "… 2 more below 0.5 %" */
static const char *others_label(struct tree_rows *r, const struct pending *at)
{
    struct out *out = out_memory();

    out_fmt(out, "… %u more", (unsigned)at->branches);
    if (!at->deep) {
        out_str(out, " below ");
        out_decimal(out, r->min, 2, false);
        out_str(out, " %");
    }
    return out_close_to(out, &r->arena);
}

static struct tree_row row_of(struct tree_rows *r, const struct pending *at)
{
    struct tree_row row = {.node = at->node,
                           .parent = at->parent,
                           .depth = at->depth,
                           .others = at->others,
                           .line = at->line,
                           .levels = at->levels + !at->only,
                           .mark = at->only   ? 0
                                   : at->last ? LAST
                                              : BRANCH};

    if (at->node != NO_ID)
        set_label(r, &row, &r->tree->nodes[at->node]);
    else
        row.label = others_label(r, at);
    return row;
}

uint64_t tree_rows_least(uint32_t min, uint64_t samples)
{
    uint64_t least = (samples / 10000) * min +
                     (samples % 10000 * min + 9999) / 10000;

    return least ? least : 1;
}

void tree_rows_collect(struct tree_rows *r)
{
    struct pending top = {.parent = NO_ID, .depth = 1};
    struct queue q = {0};
    size_t deepest;
    size_t step;

    push_children(r, &q, 0, &top);
    while (q.stack.len) {
        struct pending at = q.stack.data[--q.stack.len];
        struct pending child = {.parent = (uint32_t)r->rows.len,
                                .depth = at.depth + 1,
                                .line = at.line,
                                .levels = at.levels};

        *vec_add(&r->rows) = row_of(r, &at);
        if (at.node == NO_ID)
            continue;
        if (!at.only) {
            struct tree_line *line = arena_new(&r->arena, struct tree_line, 1);

            *line = (struct tree_line){at.line, !at.last};
            child.line = line;
            child.levels++;
        }
        push_children(r, &q, at.node, &child);
    }
    vec_release(&q.stack);
    /* So that the deepest rows keep all their lines within `indent` columns. */
    deepest = 0;
    step = 3;
    for (size_t i = 0; i < r->rows.len; i++)
        if (r->rows.data[i].levels > deepest)
            deepest = r->rows.data[i].levels;
    while (step > 1 && step * deepest > r->indent)
        step--;
    for (size_t i = 0; i < r->rows.len; i++)
        r->rows.data[i].draw =
            draw(r, &r->rows.data[i], step, r->indent > 1 ? r->indent - 1 : 1);
}

void tree_rows_release(struct tree_rows *r)
{
    vec_release(&r->rows);
    arena_release(&r->arena);
}
