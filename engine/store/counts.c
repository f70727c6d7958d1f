#include "engine/store/counts.h"

#include <string.h>

#include "engine/analysis/rank.h"
#include "engine/analysis/trust.h"
#include "engine/base/arena.h"
#include "engine/store/rows.h"
#include "engine/store/tree.h"

/* Not sampled where `inclusive` is 0. */
struct function_count {
    uint64_t exclusive, inclusive;
};

struct store_counts {
    struct selection *sel;
    struct function_count *functions; /* by function */
    size_t function_count;
    struct ranking *modules;
    struct calltree *calls;
    struct store_tree tree; /* of them */
};

static void add_name(struct rows *rows, size_t id, const char *name)
{
    rows_u64(rows, id);
    rows_text(rows, name, strlen(name));
}

/* Names live until the rows are closed. */
static void add_cause(struct rows *rows, size_t id, struct arena *names,
                      const char *prefix, const char *cause, uint64_t samples)
{
    size_t size = strlen(prefix) + strlen(cause) + 1;
    char *name = arena_new(names, char, size);

    strcat(strcpy(name, prefix), cause);
    add_name(rows, id, name);
    rows_u64(rows, samples);
}

/* What is not named and which stacks are truncated, by cause: numbered from
 * `id` on. */
static void add_causes(struct rows *rows, size_t id,
                       const struct selection *sel, struct arena *names)
{
    for (unsigned i = CAUSE_NONE + 1; i < CAUSE_KINDS; i++)
        add_cause(rows, id++, names, "unresolved_",
                  name_cause_name((enum name_cause)i), sel->by_cause[i]);
    for (unsigned i = STACK_END_ROOT + 1; i < STACK_ENDS; i++)
        add_cause(rows, id++, names, "truncated_",
                  stack_end_word((enum stack_end)i), sel->by_end[i]);
}

static int write_coverage(const struct store_fill *f,
                          const struct selection *sel)
{
    struct trust trust = {0};
    const struct {
        const char *name;
        const uint64_t *samples;
    } all[] = {
        {"samples", &sel->samples},
        {"idle_samples", &sel->idle},
        {"stacks_full", &sel->by_class[STACK_FULL]},
        {"stacks_user_only", &sel->by_class[STACK_USER]},
        {"stacks_kernel_only", &sel->by_class[STACK_KERNEL]},
        {"stacks_none", &sel->by_class[STACK_NONE]},
        {"stacks_complete", &trust.complete},
        {"stacks_truncated", &trust.truncated},
        {"stacks_unknown", &trust.unknown},
        {"unresolved", &sel->unresolved},
    };
    const size_t count = sizeof(all) / sizeof(*all);
    struct arena names = {0};
    struct rows rows;
    int result;

    trust_stacks(&trust, sel);
    rows_open(&rows, f, "coverage", 3, ROWS_GIVEN);
    for (size_t i = 0; i < count; i++) {
        add_name(&rows, i, all[i].name);
        rows_u64(&rows, *all[i].samples);
    }
    add_causes(&rows, count, sel, &names);
    result = rows_close(&rows);
    arena_release(&names);
    return result;
}

/* In order of functions, as they are stored: no name is looked at. */
static void count_functions(struct store_counts *c, const struct profile *p)
{
    struct aggregate groups = {0};

    aggregate_count(&groups, p, c->sel, RANK_FUNCTION);
    c->functions = mem_new(p->functions.len, sizeof(*c->functions));
    for (size_t i = 0; i < groups.first.len; i++) {
        uint32_t frame = groups.first.data[i].frame;

        c->functions[p->frames.data[frame].function] =
            (struct function_count){groups.exclusive[i], groups.inclusive[i]};
    }
    c->function_count = p->functions.len;
    aggregate_release(&groups);
}

static int write_functions(const struct store_fill *f,
                           const struct store_counts *c)
{
    struct rows rows;

    rows_open(&rows, f, "function_counts", 3, ROWS_GIVEN);
    for (size_t i = 0; i < c->function_count; i++) {
        const struct function_count *row = &c->functions[i];

        if (!row->inclusive)
            continue;
        rows_u64(&rows, i);
        rows_u64(&rows, row->exclusive);
        rows_u64(&rows, row->inclusive);
    }
    return rows_close(&rows);
}

static int write_modules(const struct store_fill *f, const struct ranking *r)
{
    struct rows rows;

    rows_open(&rows, f, "module_counts", 4, ROWS_GIVEN);
    for (size_t i = 0; i < r->len; i++) {
        add_name(&rows, i, r->rows[i].name);
        rows_u64(&rows, r->rows[i].exclusive);
        rows_u64(&rows, r->rows[i].inclusive);
    }
    return rows_close(&rows);
}

struct store_counts *store_counts_new(const struct profile *p)
{
    struct store_counts *c = mem_new(1, sizeof(*c));

    c->sel = selection_new(p, NULL);
    count_functions(c, p);
    c->modules = ranking_new(p, c->sel, RANK_MODULE, SORT_EXCLUSIVE);
    c->calls = calltree_new(p, c->sel, CALLTREE_TOP_DOWN, 0);
    selection_keep_totals(c->sel);
    preorder_forget(p->order);
    store_tree_init(&c->tree, c->calls);
    return c;
}

void store_counts_free(struct store_counts *c)
{
    store_tree_release(&c->tree);
    free(c->functions);
    ranking_free(c->modules);
    calltree_free(c->calls);
    selection_free(c->sel);
    free(c);
}

const char *const store_counted[] = {
    "sample_groups", "packed_groups",   "coverage",   "function_counts",
    "module_counts", "call_tree_nodes", "call_edges", NULL,
};

static int write_counted(const struct store_fill *f,
                         const struct store_counts *c)
{
    int result = write_coverage(f, c->sel);

    if (!result)
        result = write_functions(f, c);
    if (!result)
        result = write_modules(f, c->modules);
    return result ? result : store_tree_write(&c->tree, f);
}

struct work {
    struct store_counts *counts;
    const struct store_fill *fill;
    int result;
};

enum { WORK_WRITE, WORK_CALLS, WORKS };

static void do_work(void *context, size_t task, unsigned worker)
{
    struct work *w = context;

    (void)worker;
    if (task == WORK_CALLS)
        store_tree_count_calls(&w->counts->tree,
                               w->counts->function_count);
    else
        w->result = write_counted(w->fill, w->counts);
}

int store_counts_write(struct store_counts *c, const struct store_fill *f,
                       struct threads *pool)
{
    struct work w = {.counts = c, .fill = f};

    threads_run(pool, WORKS, do_work, &w);
    return w.result ? w.result : store_tree_write_calls(&c->tree, f);
}
