#include <math.h>

#include "engine/diff/diff.h"
#include "engine/model/waits.h"

/* Samples of running threads, and the time from each of them to the next
 * sample of its thread. A sampler of .NET pauses the program for each sample,
 * as long as that takes: no interval is stated that would hold. */
struct running {
    double samples, ms;
};

static struct running running_of(const struct diff_input *input)
{
    const struct profile *p = input->p;
    const struct samples *s = &p->samples;
    const struct filter *f = &input->sel->filter;
    struct running r = {0, 0};
    int64_t *next = mem_new(p->threads.len, sizeof(*next)); /* by thread */
    bool *seen = mem_new(p->threads.len, sizeof(*seen));
    double gaps = 0;

    for (size_t i = s->len; i-- > 0;) {
        uint32_t thread = s->thread[i];
        bool runs = !(s->flags[i] & SAMPLE_WAITS);
        int64_t end = f->has_time && seen[thread] && next[thread] > f->to
                          ? f->to
                          : next[thread];

        if (runs && selection_has(p, input->sel, i)) {
            r.samples += (double)sample_weight(p, i);
            gaps += seen[thread];
            r.ms += seen[thread] ? (double)(end - s->time[i]) / 1e6 : 0;
        }
        seen[thread] = true;
        next[thread] = s->time[i];
    }
    /* The last sample of a thread stands for as much as the others. */
    r.ms *= gaps > 0 ? r.samples / gaps : 0;
    free(next);
    free(seen);
    return r;
}

/* True if samples are of threads that run or wait, and weigh the same. */
static bool counts_threads(const struct profile *p)
{
    return measures_wall_clock(p) && !profile_counts_time(p);
}

/* Counts that make a millisecond; 1 when that is not known. */
static double counts_per_ms(const struct diff_input *input)
{
    const struct profile *p = input->p;
    struct running r;

    if (profile_counts_time(p))
        return 1e6 * (double)power_of_ten(p->trace.metric.decimals) /
               (double)unit_nanoseconds(profile_unit(p));
    if (!counts_threads(p))
        return p->trace.interval_ns > 0 ? 1e6 / (double)p->trace.interval_ns
                                        : 1;
    r = running_of(input);
    return r.ms > 0 ? r.samples / r.ms : 1;
}

double diff_total_per_ms(const struct diff_input *input)
{
    struct running r;

    if (!counts_threads(input->p))
        return counts_per_ms(input);
    r = running_of(input);
    return r.ms > 0 ? (double)input->sel->samples / r.ms : 1;
}

double diff_exposure(const struct diff_input *input,
                     enum diff_normalize normalize, double reference)
{
    double samples = (double)input->sel->samples;
    double span = (double)selection_duration(input->p, input->sel);
    double one = (double)power_of_ten(input->p->trace.metric.decimals);

    switch (normalize) {
    case DIFF_OTHERS:
    case DIFF_TOTAL:
        return samples / 100;
    case DIFF_SAMPLES:
        return samples / reference * one;
    case DIFF_WALL:
        return counts_per_ms(input) * (span > 0 ? span / 1e9 : 1);
    case DIFF_CPU:
        return counts_per_ms(input);
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

static bool knows_time(const struct diff_input *input)
{
    return profile_knows_time(input->p) ||
           (counts_threads(input->p) && running_of(input).ms > 0);
}

void diff_find_time(struct diff *d)
{
    double sum[2] = {0, 0}, samples[2] = {0, 0};

    d->knows_time = true;
    for (size_t i = 0; i < d->input_count; i++)
        d->knows_time &= knows_time(&d->inputs[i]);
    for (size_t i = 0; i < d->input_count; i++) {
        bool after = d->inputs[i].after;
        double n = (double)d->inputs[i].sel->samples;

        samples[after] += n;
        sum[after] +=
            n / diff_exposure(&d->inputs[i],
                              d->knows_time ? DIFF_CPU : DIFF_NONE, 1);
    }
    for (int i = 0; i < 2; i++)
        d->count_means[i] = samples[i] > 0 ? sum[i] / samples[i] : 0;
}
