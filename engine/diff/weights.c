#include "engine/diff/weights.h"

/* Samples from which a unit's own weights say as much as all others'. */
enum { KNOWN = 20 };

struct weighing {
    const struct diff_side_of *of;
    const uint64_t *counts;
    double total;    /* of them, over samples */
    double *squares; /* by unit: Q */
    double *samples; /* by unit: their number, whatever they weigh */
    double all_squares;
    double common; /* inequality */
};

/* Adds to the units what their stacks have; where samples below a stack
 * count for its units, that is passed on to its caller. */
static void add_stacks(const struct diff_places *places, double *by_stack,
                       double *sums)
{
    const struct profile *p = places->p;

    for (size_t i = diff_places_keys(places);
         i-- > diff_places_first(places);) {
        const uint32_t *units;
        size_t n;

        if (!(by_stack[i] > 0))
            continue;
        units = diff_places_at(places, i, &n);
        for (size_t j = 0; j < n; j++)
            sums[units[j]] += by_stack[i];
        if (places->below)
            by_stack[p->stacks.data[i].parent] += by_stack[i];
    }
}

static void add_input(struct weighing *w, size_t i)
{
    const struct diff_input *input = &w->of->inputs[i];
    const struct profile *p = input->p;
    size_t keys = diff_places_keys(&w->of->places[i]);
    double *squares = mem_new(keys, sizeof(*squares));
    double *samples = mem_new(keys, sizeof(*samples));

    for (size_t row = 0; row < p->samples.len; row++) {
        double weight = (double)sample_weight(p, row);
        double times = p->trace.adds_up ? weight : 1, each = weight / times;
        uint32_t key = diff_places_key(&w->of->places[i], row);

        if (!selection_has(p, input->sel, row))
            continue;
        samples[key] += times;
        squares[key] += times * each * each;
        w->all_squares += times * each * each;
    }
    add_stacks(&w->of->places[i], squares, w->squares);
    add_stacks(&w->of->places[i], samples, w->samples);
    free(squares);
    free(samples);
}

/* How unequal weights are within a unit: n Q / W^2, 1 when all are equal. */
static double inequality(const struct weighing *w, size_t unit)
{
    double count = (double)w->counts[unit];

    return w->samples[unit] * w->squares[unit] / (count * count);
}

static double common_inequality(const struct weighing *w)
{
    double sum = 0, samples = 0;

    for (size_t i = 0; i < w->of->units; i++) {
        if (w->samples[i] < KNOWN)
            continue;
        sum += w->samples[i] * inequality(w, i);
        samples += w->samples[i];
    }
    return samples > 0 ? sum / samples : 1;
}

/* Q / W of a unit with samples, made from the mixed inequality. */
static double own_grain(const struct weighing *w, size_t unit)
{
    double n = w->samples[unit];
    double mixed =
        (n * inequality(w, unit) + KNOWN * w->common) / (n + KNOWN);

    return mixed * (double)w->counts[unit] / n;
}

/* A share varies by its own samples and by all others: Q of a unit and R of
 * the rest make a variance of Q (1 - s)^2 + R s^2, for counts. */
static void weigh_unit(const struct weighing *w, struct diff_weights *to,
                       size_t unit)
{
    double count = (double)w->counts[unit], rest = w->total - count;
    double own = count > 0 ? own_grain(w, unit) : to->mean_grain;
    double other =
        rest > 0 ? (w->all_squares - w->squares[unit]) / rest : own;
    double share = w->of->shares && w->total > 0 ? count / w->total : 0;

    to->worth[unit] = count / own;
    to->grain[unit] = own + share * (other - own);
}

static bool has_weights(const struct diff_side_of *of)
{
    for (size_t i = 0; i < of->count; i++) {
        const struct diff_input *input = &of->inputs[i];

        if (input->after == of->after && input->p->samples.weight)
            return true;
    }
    return false;
}

static void weigh_all(struct weighing *w, struct diff_weights *to)
{
    w->squares = mem_new(w->of->units, sizeof(*w->squares));
    w->samples = mem_new(w->of->units, sizeof(*w->samples));
    for (size_t i = 0; i < w->of->count; i++)
        if (w->of->inputs[i].after == w->of->after)
            add_input(w, i);
    if (w->total > 0)
        to->mean_grain = w->all_squares / w->total;
    w->common = common_inequality(w);
    for (size_t i = 0; i < w->of->units; i++)
        weigh_unit(w, to, i);
    free(w->squares);
    free(w->samples);
}

static void weigh_alike(const struct weighing *w, struct diff_weights *to)
{
    for (size_t i = 0; i < w->of->units; i++) {
        to->worth[i] = (double)w->counts[i];
        to->grain[i] = 1;
    }
}

void diff_weights_find(struct diff_weights *to, const struct diff_side_of *of,
                       const uint64_t *counts, uint64_t total)
{
    struct weighing w = {.of = of, .counts = counts, .total = (double)total};

    to->worth = mem_new(of->units + 1, sizeof(*to->worth));
    to->grain = mem_new(of->units + 1, sizeof(*to->grain));
    to->mean_grain = 1;
    if (has_weights(of))
        weigh_all(&w, to);
    else
        weigh_alike(&w, to);
    to->worth[of->units] = (double)total / to->mean_grain;
    to->grain[of->units] = to->mean_grain;
}

void diff_weights_release(struct diff_weights *w)
{
    free(w->worth);
    free(w->grain);
}
