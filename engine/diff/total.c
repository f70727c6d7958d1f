#include <math.h>

#include "engine/analysis/filter.h"
#include "engine/diff/dispersion.h"
#include "engine/diff/judge.h"
#include "engine/model/profile.h"

/* All samples together. */

static bool knows_time(const struct profile *p)
{
    return p->trace.interval_ns > 0 || profile_counts_time(p);
}

static bool all_know_time(const struct diff *d)
{
    for (size_t i = 0; i < d->input_count; i++)
        if (!knows_time(d->inputs[i].p))
            return false;
    return true;
}

static bool all_know_length(const struct diff *d)
{
    for (size_t i = 0; i < d->input_count; i++)
        if (selection_duration(d->inputs[i].p, d->inputs[i].sel) <= 0)
            return false;
    return true;
}

static void count(struct diff *timed, const struct diff *d)
{
    struct diff_places *places = mem_new(d->input_count, sizeof(*places));
    struct diff_exposed *exposed = mem_new(d->input_count, sizeof(*exposed));
    struct diff_side_of of = {.inputs = d->inputs,
                              .places = places,
                              .exposed = exposed,
                              .count = d->input_count};

    for (size_t i = 0; i < d->input_count; i++) {
        diff_places_of_none(&places[i], &d->inputs[i]);
        exposed[i].exposure = diff_exposure(&d->inputs[i], d->total_in, 1);
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

/* Shares say nothing of how much time there is to share. That is by second
 * where all recordings have a length, else by run. */
static void add_in_time(struct diff *d)
{
    struct diff timed = {.options = d->options, .total_in = d->total_in};

    count(&timed, d);
    diff_dispersion_settle(timed.sides, 0);
    diff_judge_total(&timed, 0, &d->total);
    diff_side_release(&timed.sides[0]);
    diff_side_release(&timed.sides[1]);
}

void diff_add_total(struct diff *d, uint32_t unit)
{
    d->total_in = d->options.normalize;
    d->has_total = !diff_is_share(d->total_in) || all_know_time(d);
    if (!diff_is_share(d->total_in)) {
        diff_judge_total(d, unit, &d->total);
    } else if (d->has_total) {
        d->total_in = all_know_length(d) ? DIFF_WALL : DIFF_CPU;
        add_in_time(d);
    }
}
