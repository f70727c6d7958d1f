#include "engine/diff/diff.h"

#include <math.h>
#include <string.h>

#include "engine/diff/dispersion.h"
#include "engine/diff/judge.h"
#include "engine/diff/others.h"

/* The bound of the interval that is nearer to no change, 0 if it holds 0. */
static double at_least(const struct diff_row *row)
{
    if (row->low <= 0 && row->high >= 0)
        return 0;
    return fmin(fabs(row->low), fabs(row->high));
}

/* What the threads share while counting. */
struct counting {
    struct diff *d;
    struct diff_places *places;
    struct diff_side_of of;
};

static void place_functions(void *context, size_t input, unsigned worker)
{
    const struct counting *c = context;

    (void)worker;
    diff_places_of_functions(&c->places[input], &c->d->inputs[input],
                             c->d->pairs->unit_of[input],
                             c->d->options.inclusive);
}

/* Paths and groups are numbered one input after the other. */
static void place_in_order(struct diff *d, struct diff_places *places)
{
    size_t *order = diff_inputs_order(d->inputs, d->input_count);

    for (size_t i = 0; i < d->input_count; i++) {
        size_t at = order[i];

        if (d->options.by != RANK_FUNCTION)
            diff_places_of_groups(&places[at], &d->inputs[at], d->pairs,
                                  d->pairs->unit_of[at], &d->groups,
                                  d->options.inclusive);
        else
            diff_places_of_paths(&places[at], &d->inputs[at],
                                 d->pairs->unit_of[at], &d->paths,
                                 d->options.inclusive);
    }
    free(order);
}

static void count_side(void *context, size_t after, unsigned worker)
{
    const struct counting *c = context;
    struct diff_side_of of = c->of;
    struct diff_side *side = &c->d->sides[after];

    (void)worker;
    of.after = after != 0;
    diff_side_count(side, &of);
    if (!(side->exposure > 0))
        side->exposure = 1;
}

static void place_and_count(struct counting *c)
{
    struct threads *pool = c->d->pairs->pool;

    if (c->d->options.by != RANK_FUNCTION || c->d->options.paths)
        place_in_order(c->d, c->places);
    else
        threads_run(pool, c->d->input_count, place_functions, c);
    c->of.units = c->d->options.by != RANK_FUNCTION ? c->d->groups.list.len
                  : c->d->options.paths             ? c->d->paths.list.len
                                                    : c->d->pairs->names.len;
    threads_run(pool, 2, count_side, c);
}

/* By the others, or by the total where both sides have too little in
 * common. */
static void choose_factors(struct diff *d, struct diff_factor *factors)
{
    if (d->options.normalize == DIFF_OTHERS) {
        d->too_few = !diff_others_find(factors, d->pairs, d->inputs,
                                       d->input_count, &d->common);
        if (!d->too_few)
            return;
        d->options.normalize = DIFF_TOTAL;
    }
    for (size_t i = 0; i < d->input_count; i++)
        factors[i] = (struct diff_factor){1, 0};
}

static struct diff_exposed *expose(struct diff *d)
{
    struct diff_factor *factors = mem_new(d->input_count, sizeof(*factors));
    struct diff_exposed *exposed = mem_new(d->input_count, sizeof(*exposed));
    double reference = diff_reference(d->inputs, d->input_count);

    choose_factors(d, factors);
    for (size_t i = 0; i < d->input_count; i++) {
        exposed[i].exposure =
            factors[i].value *
            diff_exposure(&d->inputs[i], d->options.normalize, reference);
        exposed[i].variance = factors[i].variance;
    }
    free(factors);
    return exposed;
}

static size_t count_sides(struct diff *d)
{
    struct diff_places *places = mem_new(d->input_count, sizeof(*places));
    struct diff_exposed *exposed = expose(d);
    struct counting c = {.d = d, .places = places};

    c.of = (struct diff_side_of){.inputs = d->inputs,
                                 .places = places,
                                 .exposed = exposed,
                                 .count = d->input_count,
                                 .shares = diff_is_share(d->options.normalize)};
    place_and_count(&c);
    for (size_t i = 0; i < d->input_count; i++)
        diff_places_release(&places[i]);
    free(places);
    free(exposed);
    return c.of.units;
}

/* A unit that a side has no sample of would have samples like the other's. */
static void borrow_grain(struct diff *d, size_t units)
{
    double *a = d->sides[0].weights.grain, *b = d->sides[1].weights.grain;

    for (size_t i = 0; i < units; i++) {
        bool before = d->sides[0].counts[i], after = d->sides[1].counts[i];

        if (after && !before)
            a[i] = b[i];
        if (before && !after)
            b[i] = a[i];
    }
}

static void name_group(const struct diff *d, struct diff_row *row)
{
    const struct diff_group *g = &d->groups.list.data[row->unit];

    row->function = NO_ID;
    row->name = g->name;
    row->label = g->label;
    row->module = g->module;
}

static void name_row(const struct diff *d, struct diff_row *row)
{
    const struct diff_name *n;

    if (d->options.by != RANK_FUNCTION) {
        name_group(d, row);
        return;
    }
    row->function = d->options.paths ? d->paths.list.data[row->unit].function
                                     : row->unit;
    n = &d->pairs->names.data[row->function];
    row->name = n->name;
    row->label = n->label;
    row->module = n->module;
    row->rule = n->rule;
    if (n->half_named && (!row->samples[0] || !row->samples[1]))
        row->rule = DIFF_NAMELESS;
}

static void add_rows(struct diff *d, size_t units)
{
    d->rows = mem_new(units, sizeof(*d->rows));
    for (uint32_t u = 0; u < units; u++) {
        if (!d->sides[0].counts[u] && !d->sides[1].counts[u])
            continue;
        diff_row_fill(d, &d->rows[d->len], u);
        name_row(d, &d->rows[d->len++]);
    }
}

/* To six decimals, as JSON has them: the last bits of a sum are not the same
 * with every compiler, and must not decide the order. */
static double rounded(double x)
{
    return round(fabs(x) * 1e6);
}

/* What is real and large first: real changes by what they are at least, the
 * others by their verdict and estimate. */
static int by_weight(const void *x, const void *y)
{
    const struct diff_row *a = x, *b = y;
    bool real = diff_is_real(a);
    double s = rounded(real ? at_least(a) : a->change);
    double t = rounded(real ? at_least(b) : b->change);
    int order;

    if (real != diff_is_real(b))
        return real ? -1 : 1;
    if (!real && a->verdict != b->verdict)
        return a->verdict < b->verdict ? -1 : 1;
    if (s != t)
        return s > t ? -1 : 1;
    if (rounded(a->change) != rounded(b->change))
        return fabs(a->change) > fabs(b->change) ? -1 : 1;
    order = strcmp(a->name, b->name);
    if (!order)
        order = strcmp(a->module, b->module);
    return order ? order : (a->unit > b->unit) - (a->unit < b->unit);
}

static struct diff *compare(const struct diff_input *inputs, size_t count,
                            const struct diff_options *options,
                            struct diff_pairs *pairs, bool with_total)
{
    struct diff *d = mem_new(1, sizeof(*d));
    size_t units;

    d->options = *options;
    d->inputs = inputs;
    d->input_count = count;
    d->pairs = pairs;
    d->groups.by = options->by;
    units = count_sides(d);
    diff_dispersion_settle(d->sides, units);
    borrow_grain(d, units);
    add_rows(d, units);
    diff_judge(d);
    if (with_total)
        diff_add_total(d, (uint32_t)units);
    if (d->len)
        qsort(d->rows, d->len, sizeof(*d->rows), by_weight);
    return d;
}

struct diff *diff_new(const struct diff_input *inputs, size_t count,
                      const struct diff_options *options)
{
    struct diff_pairs *pairs =
        diff_pairs_new(inputs, count, options->renames, options->rename_count,
                       options->threads);
    struct diff *d = compare(inputs, count, options, pairs, true);

    if (options->modules) {
        struct diff_options modules = *options;

        modules.by = RANK_MODULE;
        modules.paths = modules.modules = false;
        d->modules = compare(inputs, count, &modules, pairs, false);
    }
    return d;
}

static void release(struct diff *d)
{
    diff_side_release(&d->sides[0]);
    diff_side_release(&d->sides[1]);
    diff_paths_release(&d->paths);
    diff_groups_release(&d->groups);
    free(d->rows);
    free(d);
}

void diff_free(struct diff *d)
{
    if (!d)
        return;
    if (d->modules)
        release(d->modules);
    diff_pairs_free(d->pairs);
    release(d);
}
