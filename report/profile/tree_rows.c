#include "report/profile/tree_rows.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/out.h"
#include "engine/model/labels.h"

/* ---- labels ---- */

/* "orders.exe (3644)", "thread 3708", "Fibonacci.Of ×16" */
static const char *numbered(struct tree_rows *r, const char *text,
                            const char *before, uint32_t number,
                            const char *after)
{
    size_t size =
        strlen(text) + strlen(before) + strlen(after) + sizeof("4294967295");
    char *label = arena_new(&r->arena, char, size);

    snprintf(label, size, "%s%s%u%s", text, before, (unsigned)number, after);
    return label;
}

const char *tree_process_label(struct tree_rows *r, uint32_t process)
{
    uint32_t pid = r->p->processes.data[process].pid;

    if (pid == NO_PID)
        return process_label(r->p, process);
    return numbered(r, process_label(r->p, process), " (", pid, ")");
}

const char *tree_thread_label(struct tree_rows *r, uint32_t thread)
{
    const struct thread *t = &r->p->threads.data[thread];

    if (!t->name)
        return numbered(r, "thread", " ", t->tid, "");
    return numbered(r, strings_get(r->p->strings, t->name), " (", t->tid, ")");
}

/* A run of one function, as a node has it: how long it is says something of
 * functions only that have names. */
static const char *run_label(struct tree_rows *r,
                             const struct calltree_node *node)
{
    const char *label = function_label(r->p, node->function, &r->arena);

    return node->depth > 1 &&
                   r->p->functions.data[node->function].cause == CAUSE_NONE
               ? numbered(r, label, " ×", node->depth, "")
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
        row->label = tree_process_label(r, node->function);
        break;
    case CALLTREE_THREAD:
        row->label = tree_thread_label(r, node->function);
        break;
    default:
        row->label = "[start-up]";
    }
}

/* ---- lines ---- */

static const char *joined(struct tree_rows *r, const char *a, const char *b)
{
    size_t size = strlen(a) + strlen(b) + 1;
    char *text;

    if (out_columns(a) >= r->indent)
        return a;
    text = arena_new(&r->arena, char, size);
    snprintf(text, size, "%s%s", a, b);
    return text;
}

/* A row waiting for its turn; only what is drawn above it is known yet. */
struct pending {
    uint32_t node, parent, depth;
    uint32_t branches; /* of others */
    uint64_t others;
    const char *above;
    bool only, last;
};

struct queue {
    VEC(struct pending) stack;
};

/* ---- what is shown ---- */

/* Counts the branch as left out, or says that it is to be shown. */
static bool visible(struct tree_rows *r, uint32_t node, uint32_t at_depth)
{
    uint64_t samples = r->tree->nodes[node].inclusive;
    struct tree_cut *cut = samples < r->least                ? &r->small
                           : r->depth && at_depth > r->depth ? &r->deep
                                                             : NULL;

    if (!cut)
        return true;
    cut->branches++;
    cut->samples += samples;
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

/* Children, in order; with them a row for those left out. */
static void add_children(struct tree_rows *r, struct queue *q, uint32_t node,
                         const struct pending *child)
{
    size_t first = q->stack.len;
    struct pending others = *child;
    struct pending *only;

    for (uint32_t i = r->tree->nodes[node].first_child; i;
         i = r->tree->nodes[i].next_sibling) {
        if (visible(r, i, child->depth)) {
            *vec_add(&q->stack) = *child;
            q->stack.data[q->stack.len - 1].node = i;
        } else {
            others.others += r->tree->nodes[i].inclusive;
            others.branches++;
        }
    }
    if (q->stack.len == first)
        return;
    only = q->stack.len == first + 1 ? &q->stack.data[first] : NULL;
    if (only)
        only->only = true;
    if (others.branches && r->others) {
        others.node = NO_ID;
        *vec_add(&q->stack) = others;
        if (q->stack.data[first].only) {
            q->stack.data[first + 1] = q->stack.data[first];
            q->stack.data[first] = others;
        }
    }
    if (!q->stack.data[q->stack.len - 1].only)
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

static struct tree_row row_of(struct tree_rows *r, const struct pending *at)
{
    struct tree_row row = {.node = at->node,
                           .parent = at->parent,
                           .depth = at->depth,
                           .others = at->others,
                           .draw = at->above};

    if (!at->only)
        row.draw = joined(r, at->above, at->last ? "└─ " : "├─ ");
    if (at->node != NO_ID)
        set_label(r, &row, &r->tree->nodes[at->node]);
    else
        row.label = numbered(r, "", "[", at->branches,
                             at->branches == 1 ? " other]" : " others]");
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
    struct pending top = {.parent = NO_ID, .depth = 1, .above = ""};
    struct queue q = {0};

    push_children(r, &q, 0, &top);
    while (q.stack.len) {
        struct pending at = q.stack.data[--q.stack.len];
        struct pending child = {.parent = (uint32_t)r->rows.len,
                                .depth = at.depth + 1,
                                .above = at.above};

        *vec_add(&r->rows) = row_of(r, &at);
        if (at.node == NO_ID)
            continue;
        if (!at.only)
            child.above = joined(r, at.above, at.last ? "   " : "│  ");
        push_children(r, &q, at.node, &child);
    }
    vec_release(&q.stack);
}

void tree_rows_release(struct tree_rows *r)
{
    vec_release(&r->rows);
    arena_release(&r->arena);
}
