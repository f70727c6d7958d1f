#include "engine/diff/diff.h"

#include <math.h>
#include <string.h>

#include "engine/analysis/filter.h"
#include "engine/diff/hints.h"
#include "engine/diff/odd_runs.h"
#include "engine/model/waits.h"

/* The words of diff, and the units of its values. */

const char *diff_verdict_name(enum diff_verdict verdict)
{
    static const char *const names[DIFF_VERDICTS] = {
        [DIFF_SLOWER] = "slower",       [DIFF_FASTER] = "faster",
        [DIFF_NEW] = "new",             [DIFF_GONE] = "gone",
        [DIFF_UNCHANGED] = "unchanged", [DIFF_CANNOT_TELL] = "inconclusive",
    };

    return names[verdict];
}

const char *diff_verdict_word(enum diff_verdict verdict)
{
    if (verdict == DIFF_SLOWER || verdict == DIFF_FASTER)
        return verdict == DIFF_SLOWER ? "more" : "less";
    return diff_verdict_name(verdict);
}

const char *diff_counted(const struct diff *d)
{
    return profile_unit_text(d->inputs[0].p, 0);
}

const char *diff_measure_name(const struct diff *d)
{
    static const char *const names[DIFF_NORMALIZATIONS] = {
        [DIFF_OTHERS] = "share", [DIFF_TOTAL] = "share",
        [DIFF_SAMPLES] = NULL,   [DIFF_WALL] = "time",
        [DIFF_CPU] = "time",     [DIFF_NONE] = NULL,
    };
    const char *name = names[d->options.normalize];

    return name ? name : diff_counted(d);
}

bool diff_measures_waits(const struct diff *d)
{
    for (size_t i = 0; i < d->input_count; i++)
        if (measures_wall_clock(d->inputs[i].p))
            return true;
    return false;
}

const char *diff_normalize_name(enum diff_normalize normalize)
{
    static const char *const names[DIFF_NORMALIZATIONS] = {
        [DIFF_OTHERS] = "others",   [DIFF_TOTAL] = "total",
        [DIFF_SAMPLES] = "samples", [DIFF_WALL] = "wall",
        [DIFF_CPU] = "cpu",         [DIFF_NONE] = "none",
    };

    return names[normalize];
}

const char *diff_unit_name(const struct diff *d, enum diff_normalize normalize)
{
    static const char *const names[DIFF_NORMALIZATIONS] = {
        [DIFF_OTHERS] = "%",  [DIFF_TOTAL] = "%", [DIFF_SAMPLES] = NULL,
        [DIFF_WALL] = "ms/s", [DIFF_CPU] = "ms",  [DIFF_NONE] = NULL,
    };

    return names[normalize] ? names[normalize] : diff_counted(d);
}

/* All samples together. */

static void count_total(struct diff *timed, const struct diff *d)
{
    struct diff_places *places = mem_new(d->input_count, sizeof(*places));
    struct diff_exposed *exposed = mem_new(d->input_count, sizeof(*exposed));
    struct diff_side_of of = {.inputs = d->inputs,
                              .places = places,
                              .exposed = exposed,
                              .count = d->input_count};

    for (size_t i = 0; i < d->input_count; i++) {
        diff_places_of_none(&places[i], &d->inputs[i]);
        exposed[i].exposure = d->total_in == DIFF_CPU
                                  ? diff_total_per_ms(&d->inputs[i])
                                  : diff_exposure(&d->inputs[i], d->total_in, 1);
    }
    for (int side = 0; side < 2; side++) {
        of.after = side;
        diff_side_count(&timed->sides[side], &of);
        timed->whole[side] =
            (double)timed->sides[side].total / timed->sides[side].exposure;
    }
    for (size_t i = 0; i < d->input_count; i++)
        diff_places_release(&places[i]);
    free(places);
    free(exposed);
}

/* Shares say nothing of how much time there is to share: that is the CPU time
 * of a run. */
static void add_in_time(struct diff *d)
{
    struct diff timed = {.options = d->options, .total_in = d->total_in};

    count_total(&timed, d);
    if (diff_is_single(&timed))
        timed.sides[0].spread = timed.sides[1].spread =
            d->options.spread * d->options.spread;
    diff_dispersion_settle(timed.sides, 0);
    diff_judge_total(&timed, 0, &d->total);
    diff_side_release(&timed.sides[0]);
    diff_side_release(&timed.sides[1]);
}

/* Bytes and objects are what they are; samples without times are as many as
 * the recording was long. */
static bool counts_amounts(const struct diff *d)
{
    for (size_t i = 0; i < d->input_count; i++)
        if (profile_counts_samples(d->inputs[i].p))
            return false;
    return true;
}

static void diff_add_total(struct diff *d, uint32_t unit)
{
    d->total_in = d->options.normalize;
    d->has_total = true;
    if (!diff_is_share(d->total_in)) {
        diff_judge_total(d, unit, &d->total);
        return;
    }
    d->total_in = d->knows_time ? DIFF_CPU : DIFF_NONE;
    d->has_total = d->total_in == DIFF_CPU || counts_amounts(d);
    if (d->has_total)
        add_in_time(d);
}

/* The bound of the interval that is nearer to no change, 0 if it holds 0. */
static double at_least(const struct diff_row *row)
{
    if (row->low <= 0 && row->high >= 0)
        return 0;
    return fmin(fabs(row->low), fabs(row->high));
}

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
    if (c->d->blocks && c->d->options.by == RANK_FUNCTION &&
        !c->d->options.paths && !c->d->options.inclusive)
        of.blocks = &c->d->blocks[after];
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

/* One exposure for each input, by its factor. */
static struct diff_exposed *expose(const struct diff *d,
                                   const struct diff_factor *factors)
{
    struct diff_exposed *exposed = mem_new(d->input_count, sizeof(*exposed));
    double reference = diff_reference(d->inputs, d->input_count);

    for (size_t i = 0; i < d->input_count; i++) {
        exposed[i].exposure =
            factors[i].value *
            diff_exposure(&d->inputs[i], d->options.normalize, reference);
        exposed[i].variance = factors[i].variance;
    }
    return exposed;
}

static size_t count_sides(struct diff *d, const struct diff_factor *factors)
{
    struct diff_places *places = mem_new(d->input_count, sizeof(*places));
    struct diff_exposed *exposed = expose(d, factors);
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

/* Real and large changes first: real ones by what they are at least, the
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

/* All but the total and the order of its rows; returns the number of units. */
static size_t compare(struct diff *d, const struct diff_factor *factors)
{
    size_t units;

    d->groups.by = d->options.by;
    units = count_sides(d, factors);
    if (diff_is_single(d))
        d->sides[0].spread = d->sides[1].spread =
            d->options.spread * d->options.spread;
    diff_dispersion_settle(d->sides, units);
    borrow_grain(d, units);
    add_rows(d, units);
    diff_judge(d);
    return units;
}

/* A diff of the same pairs, which stay the other's. */
static struct diff *like(const struct diff_input *inputs, size_t count,
                         const struct diff_options *options,
                         struct diff_pairs *pairs)
{
    struct diff *d = mem_new(1, sizeof(*d));

    d->options = *options;
    d->inputs = inputs;
    d->input_count = count;
    d->pairs = pairs;
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

/* By unit: functions that may have changed, when measured by these factors. One
 * in twenty of those that did not is left out with them: the sum of the rest
 * is hardly less sure for that, and a change that is missed would shift it. */
static bool *find_changed(const struct diff_counts *counts,
                          const struct diff_options *options,
                          struct diff_pairs *pairs,
                          struct diff_blocks *blocks,
                          const struct diff_factor *factors)
{
    struct diff *d = like(counts->inputs, counts->count, options, pairs);
    bool *changed = mem_new(counts->units, sizeof(*changed));

    d->options.by = RANK_FUNCTION;
    d->options.inclusive = d->options.paths = false;
    d->blocks = blocks;
    compare(d, factors);
    for (size_t i = 0; i < d->len; i++)
        changed[d->rows[i].unit] = d->rows[i].p <= d->options.q;
    release(d);
    return changed;
}

/* Counts the functions that both sides have, and tells if they are too few to
 * measure by. */
struct diff_common {
    size_t functions;
    bool too_few;
};

/* By the others: first by those whose shares hardly differ from each other,
 * then by those that the round before did not find changed. By the total where
 * both sides have too little in common: then `options` have that unit. */
static struct diff_factor *choose_factors(struct diff_options *options,
                                          const struct diff_counts *counts,
                                          struct diff_pairs *pairs,
                                          struct diff_blocks *blocks,
                                          struct diff_common *common)
{
    struct diff_factor *factors = mem_new(counts->count, sizeof(*factors));
    size_t left;
    bool *last;

    *common = (struct diff_common){0, false};
    if (options->normalize == DIFF_OTHERS)
        common->too_few =
            !diff_others_find(factors, counts, NULL, &common->functions);
    if (options->normalize != DIFF_OTHERS || common->too_few) {
        if (common->too_few)
            options->normalize = DIFF_TOTAL;
        for (size_t i = 0; i < counts->count; i++)
            factors[i] = (struct diff_factor){1, 0};
        return factors;
    }
    last = mem_new(counts->units, sizeof(*last));
    diff_others_outside(counts, last);
    if (!diff_others_find(factors, counts, last, &left))
        diff_others_find(factors, counts, NULL, &left);
    for (int i = 0; i < OTHERS_ROUNDS; i++) {
        bool *changed = find_changed(counts, options, pairs, blocks, factors);
        bool same = !memcmp(last, changed, counts->units);

        free(last);
        last = changed;
        /* The same functions give the same factors. */
        if (same)
            break;
        if (!diff_others_find(factors, counts, changed, &left)) {
            diff_others_find(factors, counts, NULL, &left);
            break;
        }
    }
    free(last);
    return factors;
}

/* Without the odd runs, if there are any. Their pairs are made anew, as these
 * are numbered by input. */
static struct diff_counts *leave_out_odd(struct diff *d,
                                         struct diff_counts *counts)
{
    double *distance = mem_new(d->input_count, sizeof(*distance));
    bool *odd = diff_odd_runs(counts, distance);
    size_t kept = 0;

    if (odd) {
        d->kept = mem_new(d->input_count, sizeof(*d->kept));
        for (size_t i = 0; i < d->input_count; i++) {
            if (odd[i])
                *vec_add(&d->odd) =
                    (struct diff_odd){&d->inputs[i], distance[i]};
            else
                d->kept[kept++] = d->inputs[i];
        }
        diff_counts_free(counts);
        diff_pairs_free(d->pairs);
        d->inputs = d->kept;
        d->input_count = kept;
        d->pairs = diff_pairs_new(d->inputs, kept, d->options.renames,
                                  d->options.rename_count, d->options.threads);
        counts = diff_counts_new(d->pairs, d->inputs, kept);
    }
    free(odd);
    free(distance);
    return counts;
}

static void sort_rows(struct diff *d)
{
    if (d->len)
        qsort(d->rows, d->len, sizeof(*d->rows), by_weight);
}

/* Programs of .NET compile at run time, and their sampler waits for a place
 * where a thread can stop: with 3 % equal programs failed `gate --single` in 10
 * of 100 pairs, with 10 % in 3 (tests/bench/verdict). */
static const double spread_of_threads = 0.1;

struct diff *diff_new(const struct diff_input *inputs, size_t count,
                      const struct diff_options *options)
{
    struct diff *d = mem_new(1, sizeof(*d));
    struct diff_counts *counts;
    struct diff_blocks blocks[2] = {{0}};
    struct diff_common common;
    struct diff_factor *factors;
    size_t units;

    d->options = *options;
    d->inputs = inputs;
    d->input_count = count;
    if (diff_measures_waits(d))
        d->options.spread = fmax(d->options.spread, spread_of_threads);
    d->pairs = diff_pairs_new(inputs, count, options->renames,
                              options->rename_count, options->threads);
    counts = leave_out_odd(d, diff_counts_new(d->pairs, inputs, count));
    d->blocks = blocks;
    factors = choose_factors(&d->options, counts, d->pairs, blocks, &common);
    d->common = common.functions;
    d->too_few = common.too_few;
    units = compare(d, factors);
    d->blocks = NULL;
    diff_blocks_release(&blocks[0]);
    diff_blocks_release(&blocks[1]);
    diff_find_time(d);
    diff_add_total(d, (uint32_t)units);
    sort_rows(d);
    diff_hints_find(d);
    if (options->modules) {
        d->modules = like(d->inputs, d->input_count, &d->options, d->pairs);
        d->modules->options.by = RANK_MODULE;
        d->modules->options.paths = d->modules->options.modules = false;
        d->modules->too_few = d->too_few;
        d->modules->has_total = d->has_total;
        d->modules->total_in = d->total_in;
        d->modules->total = d->total;
        d->modules->knows_time = d->knows_time;
        memcpy(d->modules->count_means, d->count_means,
               sizeof(d->count_means));
        compare(d->modules, factors);
        sort_rows(d->modules);
    }
    free(factors);
    diff_counts_free(counts);
    return d;
}

void diff_free(struct diff *d)
{
    if (!d)
        return;
    if (d->modules)
        release(d->modules);
    diff_pairs_free(d->pairs);
    free(d->kept);
    vec_release(&d->odd);
    release(d);
}
