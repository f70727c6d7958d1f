#include "engine/format/callgrind/call_graph.h"

#include <stdlib.h>

#include "engine/base/arena.h"

/* A stack costs about as much memory as this many bytes of the file. */
enum { STACK_WORK = 64 };

/* Groups are the strongly connected components of the calls: most hold one
 * function. They are numbered as Tarjan's algorithm closes them, so that a
 * group's callees have lower numbers than it has. */
struct dividing {
    struct call_graph *g;
    struct named_code *code;
    struct graph_flaws *flaws;
    uint32_t thread, root_name;
    uint8_t end;     /* enum stack_end of all stacks */
    uint32_t *first; /* by function: the first of its costs; one more */
    uint32_t *group; /* by function */
    uint32_t groups;
    uint32_t *member;   /* functions, ordered by group */
    uint32_t *members;  /* by group: where its functions begin; one more */
    uint32_t *share;    /* costs that leave a group, and own ones, by group */
    uint32_t *shares;   /* by group: where those begin; one more */
    uint32_t *open;     /* by group: no share before this one is left */
    uint64_t *left;     /* by group: the sum of its shares */
    uint64_t *incoming; /* by group: the sum of calls into it */
    uint32_t *way;      /* by function of a circle: the call that led to it */
    uint32_t *way_from; /* by group: the function at which `way` begins */
    uint64_t small;     /* amounts from here on are divided in proportion */
    struct budget work;
    struct arena kept; /* the lists above */
};

/* An amount of cost that a stack of callers has in a function and below. */
struct context {
    uint32_t function;
    uint64_t amount;
    struct named_stack callers;
};

typedef VEC(struct context) contexts;

/* ---- costs by function ---- */

static int by_place(const void *x, const void *y)
{
    const struct line_cost *a = x, *b = y;

    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    if (a->callee != b->callee) /* its own come first */
        return a->callee + 1 < b->callee + 1 ? -1 : 1;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

/* Sorts the costs, adds up those of one place, and leaves out zeros. */
static void order_costs(struct dividing *d)
{
    struct call_graph *g = d->g;
    size_t kept = 0;

    vec_sort(&g->costs, by_place);
    for (size_t i = 0; i < g->costs.len; i++) {
        struct line_cost *c = &g->costs.data[i];
        struct line_cost *last = kept ? &g->costs.data[kept - 1] : NULL;

        if (c->callee == c->function || (!c->cost && c->callee == NO_ID))
            continue;
        if (!last || by_place(last, c) != 0)
            g->costs.data[kept++] = *c;
        else if (__builtin_add_overflow(last->cost, c->cost, &last->cost))
            last->cost = 0, d->flaws->overflow++;
    }
    g->costs.len = kept;
    d->first = arena_new(&d->kept, uint32_t, g->functions.len + 1);
    for (size_t i = 0; i < kept; i++)
        d->first[g->costs.data[i].function + 1]++;
    for (size_t f = 0; f < g->functions.len; f++)
        d->first[f + 1] += d->first[f];
}

/* ---- groups ---- */

struct visit {
    uint32_t function, next; /* the next of its costs to look at */
};

struct visiting {
    uint32_t *number, *lowest; /* by function; number 0: not visited */
    uint32_t count;
    VEC(uint32_t) waiting; /* functions whose group is not closed */
    VEC(struct visit) path;
};

static void enter(struct visiting *v, const struct dividing *d, uint32_t f)
{
    v->number[f] = v->lowest[f] = ++v->count;
    *vec_add(&v->waiting) = f;
    *vec_add(&v->path) = (struct visit){f, d->first[f]};
}

static void lower(uint32_t *to, uint32_t number)
{
    if (number < *to)
        *to = number;
}

/* Closes the group whose first function is `f`. */
static void close_group(struct dividing *d, struct visiting *v, uint32_t f)
{
    uint32_t one, size = 0;

    do {
        one = v->waiting.data[--v->waiting.len];
        d->group[one] = d->groups;
        size++;
    } while (one != f);
    d->groups++;
    d->flaws->circles |= size > 1;
}

static void visit_from(struct dividing *d, struct visiting *v, uint32_t start)
{
    enter(v, d, start);
    while (v->path.len) {
        struct visit *top = &v->path.data[v->path.len - 1];
        uint32_t f = top->function, callee;

        if (top->next < d->first[f + 1]) {
            callee = d->g->costs.data[top->next++].callee;
            if (callee == NO_ID)
                continue;
            if (!v->number[callee])
                enter(v, d, callee);
            else if (d->group[callee] == NO_ID)
                lower(&v->lowest[f], v->number[callee]);
            continue;
        }
        v->path.len--;
        if (v->lowest[f] == v->number[f])
            close_group(d, v, f);
        else
            lower(&v->lowest[v->path.data[v->path.len - 1].function],
                  v->lowest[f]);
    }
}

static void find_groups(struct dividing *d)
{
    size_t n = d->g->functions.len;
    struct visiting v = {.number = mem_new(n, sizeof(uint32_t)),
                         .lowest = mem_new(n, sizeof(uint32_t))};

    d->group = arena_new(&d->kept, uint32_t, n);
    for (size_t f = 0; f < n; f++)
        d->group[f] = NO_ID;
    for (uint32_t f = 0; f < n; f++)
        if (!v.number[f])
            visit_from(d, &v, f);
    free(v.number);
    free(v.lowest);
    vec_release(&v.waiting);
    vec_release(&v.path);
}

/* ---- shares ---- */

static bool leaves_group(const struct dividing *d, const struct line_cost *c)
{
    return c->callee == NO_ID || d->group[c->callee] != d->group[c->function];
}

/* Lists the numbers below `count` by their groups; those of NO_ID are left out.
 * Returns where each group begins, and one more. */
static uint32_t *list_by_group(struct dividing *d, const uint32_t *group,
                               size_t count, uint32_t **list)
{
    size_t groups = d->groups;
    uint32_t *first = arena_new(&d->kept, uint32_t, groups + 1);
    uint32_t *at = mem_new(groups + 1, sizeof(*at));

    *list = arena_new(&d->kept, uint32_t, count);
    for (size_t i = 0; i < count; i++)
        if (group[i] != NO_ID)
            first[group[i] + 1]++;
    for (size_t k = 0; k < groups; k++)
        at[k + 1] = first[k + 1] += first[k];
    for (uint32_t i = 0; i < count; i++)
        if (group[i] != NO_ID)
            (*list)[at[group[i]]++] = i;
    free(at);
    return first;
}

/* Lists what leaves each group, and what comes into it: the calls, and where
 * those of each group begin. */
static uint32_t *list_shares(struct dividing *d, uint32_t **calls)
{
    size_t n = d->g->costs.len;
    uint32_t *from = mem_new(n, sizeof(*from)), *into, *starts;

    into = mem_new(n, sizeof(*into));
    for (size_t i = 0; i < n; i++) {
        const struct line_cost *c = &d->g->costs.data[i];
        bool leaves = leaves_group(d, c);

        from[i] = leaves ? d->group[c->function] : NO_ID;
        into[i] = leaves && c->callee != NO_ID ? d->group[c->callee] : NO_ID;
    }
    d->shares = list_by_group(d, from, n, &d->share);
    starts = list_by_group(d, into, n, calls);
    free(from);
    free(into);
    return starts;
}

/* `amount` times `part` of `whole`, which is not 0 nor less than `part`. */
static uint64_t portion(uint64_t amount, uint64_t part, uint64_t whole)
{
    return (uint64_t)((unsigned __int128)amount * part / whole);
}

/* Calls into a group cost no more than what is in it: they are lowered in
 * proportion where the file says so. */
static void lower_calls(struct dividing *d, const uint32_t *calls, size_t count,
                        uint64_t capacity)
{
    uint64_t sum = 0, before = 0, given = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t *cost = &d->g->costs.data[calls[i]].cost;

        if (__builtin_add_overflow(sum, *cost, &sum)) {
            sum -= *cost;
            *cost = 0;
            d->flaws->overflow++;
        }
    }
    d->incoming[d->group[d->g->costs.data[*calls].callee]] =
        sum < capacity ? sum : capacity;
    if (sum <= capacity)
        return;
    d->flaws->lowered += sum - capacity;
    for (size_t i = 0; i < count; i++) {
        uint64_t *cost = &d->g->costs.data[calls[i]].cost, upto;

        before += *cost;
        upto = portion(capacity, before, sum);
        *cost = upto - given;
        given = upto;
    }
}

/* Adds up what each group costs: its callees come first. */
static void add_up(struct dividing *d)
{
    size_t groups = d->groups;
    uint32_t *calls, *starts = list_shares(d, &calls);

    d->left = arena_new(&d->kept, uint64_t, groups);
    d->incoming = arena_new(&d->kept, uint64_t, groups);
    d->open = arena_new(&d->kept, uint32_t, groups);
    for (size_t k = 0; k < groups; k++) {
        d->open[k] = d->shares[k];
        for (uint32_t i = d->shares[k]; i < d->shares[k + 1]; i++) {
            uint64_t *cost = &d->g->costs.data[d->share[i]].cost;

            if (__builtin_add_overflow(d->left[k], *cost, &d->left[k])) {
                d->left[k] -= *cost;
                *cost = 0;
                d->flaws->overflow++;
            }
        }
        if (starts[k] < starts[k + 1])
            lower_calls(d, calls + starts[k], starts[k + 1] - starts[k],
                        d->left[k]);
    }
}

/* ---- the way through a circle ---- */

/* Finds the shortest way from `entry` to each function of its group. */
static void find_ways(struct dividing *d, uint32_t entry)
{
    uint32_t group = d->group[entry], *queue;
    uint32_t size = d->members[group + 1] - d->members[group];
    size_t done = 0, len = 0;

    queue = mem_new(size, sizeof(*queue));
    for (uint32_t i = d->members[group]; i < d->members[group + 1]; i++)
        d->way[d->member[i]] = NO_ID;
    queue[len++] = entry;
    while (done < len) {
        uint32_t f = queue[done++];

        for (uint32_t i = d->first[f]; i < d->first[f + 1]; i++) {
            uint32_t callee = d->g->costs.data[i].callee;

            if (callee == NO_ID || d->group[callee] != group ||
                callee == entry || d->way[callee] != NO_ID)
                continue;
            d->way[callee] = i;
            queue[len++] = callee;
        }
    }
    d->way_from[group] = entry;
    free(queue);
}

static struct named_stack push_line(struct dividing *d, struct named_stack on,
                                    const struct line_cost *c)
{
    struct named_frame frame = d->g->functions.data[c->function];

    if (frame.name == d->root_name) /* it stands for the program */
        return on;
    frame.file = c->file;
    frame.line = c->line;
    return named_push(d->code, on, named_location(d->code, &frame));
}

/* The callers of a function of the group that the context is in. */
static struct named_stack callers_within(struct dividing *d,
                                         const struct context *in,
                                         uint32_t function)
{
    uint32_t group = d->group[function];
    struct named_stack stack = in->callers;
    VEC(uint32_t) calls = {0};

    if (function == in->function)
        return stack;
    if (d->way_from[group] != in->function) {
        if (!budget_take(&d->work, d->members[group + 1] - d->members[group]))
            return stack;
        find_ways(d, in->function);
    }
    for (uint32_t f = function; f != in->function;
         f = d->g->costs.data[d->way[f]].function)
        *vec_add(&calls) = d->way[f];
    if (budget_take(&d->work, calls.len * STACK_WORK))
        while (calls.len)
            stack =
                push_line(d, stack, &d->g->costs.data[calls.data[--calls.len]]);
    vec_release(&calls);
    return stack;
}

/* ---- amounts ---- */

static void put_sample(struct dividing *d, struct named_stack callers,
                       const struct line_cost *c, uint64_t amount)
{
    named_sample(d->code,
                 &(struct named_sample){.thread = d->thread,
                                        .stack = push_line(d, callers, c).whole,
                                        .weight = amount,
                                        .end = d->end});
}

/* Takes `amount` of a share in a context: a sample, or a context of its own. */
static void take_share(struct dividing *d, const struct context *in,
                       struct line_cost *c, uint64_t amount, contexts *list)
{
    struct named_stack callers = callers_within(d, in, c->function);

    c->cost -= amount;
    if (c->callee == NO_ID)
        put_sample(d, callers, c, amount);
    else
        *vec_add(list) =
            (struct context){c->callee, amount, push_line(d, callers, c)};
}

/* Divides an amount among all shares of its group, in proportion. False: that
 * is too much work. */
static bool divide(struct dividing *d, const struct context *in, uint32_t group,
                   contexts *list)
{
    uint32_t end = d->shares[group + 1];
    uint64_t before = 0, given = 0;

    if (!budget_take(&d->work, end - d->open[group]))
        return false;
    for (uint32_t i = d->open[group]; i < end; i++) {
        struct line_cost *c = &d->g->costs.data[d->share[i]];
        uint64_t upto;

        before += c->cost;
        upto = portion(in->amount, before, d->left[group]);
        if (upto > given)
            take_share(d, in, c, upto - given, list);
        given = upto;
    }
    return true;
}

/* Gives an amount to one share of its group after the other. */
static void use_up(struct dividing *d, const struct context *in, uint32_t group,
                   contexts *list)
{
    uint64_t amount = in->amount;

    while (amount && d->open[group] < d->shares[group + 1]) {
        struct line_cost *c = &d->g->costs.data[d->share[d->open[group]]];
        uint64_t part = c->cost < amount ? c->cost : amount;

        if (part)
            take_share(d, in, c, part, list);
        amount -= part;
        d->open[group] += !c->cost;
    }
}

static void spread(struct dividing *d, contexts *list)
{
    while (list->len && budget_take(&d->work, STACK_WORK)) {
        struct context in = list->data[--list->len];
        uint32_t group = d->group[in.function];

        if (in.amount < d->small || !divide(d, &in, group, list))
            use_up(d, &in, group, list);
        d->left[group] -= in.amount;
    }
}

/* The functions that nobody called for all that they cost. */
static void begin_at_roots(struct dividing *d, contexts *list)
{
    uint64_t all = 0;

    for (uint32_t k = d->groups; k-- > 0;) {
        uint64_t amount = d->left[k] - d->incoming[k];

        if (__builtin_add_overflow(all, amount, &all))
            all = UINT64_MAX;
        if (amount)
            *vec_add(list) = (struct context){
                .function = d->member[d->members[k]], .amount = amount};
    }
    d->small = all >> 14;
}

/* Costs that no context reached for want of room stand alone. */
static void put_rest(struct dividing *d)
{
    for (size_t i = 0; i < d->g->costs.len; i++) {
        struct line_cost *c = &d->g->costs.data[i];

        if (c->callee != NO_ID || !c->cost)
            continue;
        put_sample(d, (struct named_stack){0}, c, c->cost);
        d->flaws->lone++;
    }
}

void call_graph_stacks(struct call_graph *g, struct named_code *code,
                       uint32_t thread, uint64_t size,
                       struct graph_flaws *flaws)
{
    struct dividing d = {
        .g = g, .code = code, .flaws = flaws, .thread = thread};
    contexts list = {0};

    d.root_name = strings_add(code->profile->strings, "(root)", 6);
    d.work = budget_of(size, 2, 16 << 20);
    order_costs(&d);
    d.end = STACK_END_NO_STACK;
    for (size_t i = 0; i < g->costs.len; i++)
        if (g->costs.data[i].callee != NO_ID)
            d.end = STACK_END_UNKNOWN;
    find_groups(&d);
    d.members = list_by_group(&d, d.group, g->functions.len, &d.member);
    add_up(&d);
    d.way = arena_new(&d.kept, uint32_t, g->functions.len);
    d.way_from = arena_new(&d.kept, uint32_t, d.groups);
    for (uint32_t k = 0; k < d.groups; k++)
        d.way_from[k] = NO_ID;
    begin_at_roots(&d, &list);
    spread(&d, &list);
    put_rest(&d);
    vec_release(&list);
    arena_release(&d.kept);
}

void call_graph_release(struct call_graph *g)
{
    vec_release(&g->functions);
    vec_release(&g->costs);
}
