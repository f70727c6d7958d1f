#include <math.h>

#include "engine/diff/diff.h"
#include "engine/model/profile.h"

/* The words of diff, and the units of its values. */

const char *diff_verdict_name(enum diff_verdict verdict)
{
    static const char *const names[DIFF_VERDICTS] = {
        [DIFF_SLOWER] = "slower",       [DIFF_FASTER] = "faster",
        [DIFF_NEW] = "new",             [DIFF_GONE] = "gone",
        [DIFF_UNCHANGED] = "unchanged", [DIFF_CANNOT_TELL] = "cannot tell",
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

/* Counts that make a millisecond; 1 when the interval is not known. */
static double counts_per_ms(const struct profile *p)
{
    if (profile_counts_time(p))
        return 1e6 * (double)power_of_ten(p->trace.metric.decimals) /
               (double)unit_nanoseconds(profile_unit(p));
    return p->trace.interval_ns > 0 ? 1e6 / (double)p->trace.interval_ns : 1;
}

double diff_exposure(const struct diff_input *input,
                     enum diff_normalize normalize, double reference)
{
    double samples = (double)input->sel->samples;
    double per_ms = counts_per_ms(input->p);
    double span = (double)selection_duration(input->p, input->sel);
    double one = (double)power_of_ten(input->p->trace.metric.decimals);

    switch (normalize) {
    case DIFF_OTHERS:
    case DIFF_TOTAL:
        return samples / 100;
    case DIFF_SAMPLES:
        return samples / reference * one;
    case DIFF_WALL:
        return per_ms * (span > 0 ? span / 1e9 : 1);
    case DIFF_CPU:
        return per_ms;
    default:
        return one;
    }
}

double diff_reference(const struct diff_input *inputs, size_t count)
{
    double samples[2] = {0, 0}, runs[2] = {0, 0};

    for (size_t i = 0; i < count; i++) {
        samples[inputs[i].after] += (double)inputs[i].sel->samples;
        runs[inputs[i].after]++;
    }
    return fmax(fmin(samples[0] / runs[0], samples[1] / runs[1]), 1);
}
