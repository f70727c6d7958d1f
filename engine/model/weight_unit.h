/*
 * weight_unit - in which unit the weights of a profile are.
 *
 *     if (profile_counts_time(p))
 *         ns = profile_nanoseconds(p, weight);
 *
 * The unit is the word that the input has for it, and weights are its numbers:
 * nothing is converted when a file is read or exported. Numbers with a fraction
 * are whole numbers of so many decimals (struct recorded_metric). Two profiles
 * are compared or merged in the finer unit of both.
 */
#ifndef TOPFN_WEIGHT_UNIT_H
#define TOPFN_WEIGHT_UNIT_H

#include "engine/base/out.h"
#include "engine/model/profile.h"

/* Decimals that a reader keeps at most. */
enum { WEIGHT_DECIMALS_MOST = 9 };

/* Nanoseconds in a unit of time, "milliseconds" or "ms"; 0: it is none. */
uint64_t unit_nanoseconds(const char *unit);

/* The length of a fraction that a unit begins with, and how many decimals that
 * makes: 6 and 3 of "0.001 samples". 0: there is none. */
size_t unit_fraction(const char *unit, uint32_t *decimals);

/* The metric with its unit where the metric alone does not tell that:
 * "alloc_space, bytes", "samples, 0.001 samples". */
void out_metric(struct out *out, const struct profile *p);
void profile_set_metric_text(struct profile *p, const char *text);

/* The word of the unit, as the input says it; "samples" if it says none. */
const char *profile_unit(const struct profile *p);

/* What `n` weights are, for a person: "sample", "samples", "byte", "cycles",
 * "alloc_objects"; "units" where the input's word is no plain text. */
const char *profile_unit_text(const struct profile *p, uint64_t n);

bool profile_counts_time(const struct profile *p);
bool profile_counts_bytes(const struct profile *p);
bool profile_counts_samples(const struct profile *p);

/* How long a weight is; 0 if the unit is no time, UINT64_MAX if it is more. */
uint64_t profile_nanoseconds(const struct profile *p, uint64_t weight);

/* 1000 for three decimals. */
uint64_t power_of_ten(uint32_t decimals);

/* Whether two profiles count the same, perhaps in different units of time. */
bool profile_same_metric(const struct profile *a, const struct profile *b);

/* What of the metric tells a profile from another that counts something else:
 * its word, or the unit where both have the same word. */
const char *profile_metric_beside(const struct profile *p,
                                  const struct profile *other);

/* A unit in which the weights of several profiles are whole numbers. */
struct weight_scale {
    const char *unit;
    uint32_t decimals;
};

/* The coarsest one of profiles with the same metric. */
struct weight_scale weight_scale_of(const struct profile *const *profiles,
                                    size_t count);

/* A weight of the profile in that unit; WEIGHTS_MOST if it is more. */
uint64_t weight_in(const struct profile *p, const struct weight_scale *to,
                   uint64_t weight);

/* Converts all weights. Call before samples are selected. */
void profile_scale_weights(struct profile *p, const struct weight_scale *to);

/* Converts those of all profiles to one unit, unless metrics differ. */
void profiles_in_one_unit(struct profile *const *profiles, size_t count);

#endif
