/*
 * weight - weights of samples as reports print them (model/metric.h).
 *
 *     out_weight(out, p, sel->samples);            // "5.75 s", "146 MB", "1.5"
 *     json_weight(&json, "samples", p, n);         // 5750000000, 1.5
 *     return value_weight(p, row->exclusive);      // a cell, as both
 *
 * Text for people scales bytes and times; JSON and CSV have the exact number of
 * the metric's unit.
 */
#ifndef TOPFN_REPORT_WEIGHT_H
#define TOPFN_REPORT_WEIGHT_H

#include "engine/diff/diff.h"
#include "engine/model/profile.h"
#include "report/table/table.h"

struct value value_weight(const struct profile *p, uint64_t weight);

void out_weight(struct out *out, const struct profile *p, uint64_t weight);

/* The same with the unit's word, where the number does not say it: "1,140
 * samples", "5.75 s". */
void out_weight_unit(struct out *out, const struct profile *p,
                     uint64_t weight);

void json_weight(struct json *json, const char *key, const struct profile *p,
                 uint64_t weight);

/* A value of a diff, or a difference of two: scaled where it counts bytes or
 * times. */
struct value value_diff(const struct diff *d, double value, bool sign);

/* The same in text, with two decimals; `unit`: and its unit. */
void out_diff(struct out *out, const struct diff *d, double value, bool sign,
              bool unit);

/* For formats that have whole numbers only: the unit of which there is no
 * fraction ("nanoseconds", "0.001 samples"), to be freed, and a weight in it. */
char *whole_unit(const struct profile *p);
uint64_t whole_weight(const struct profile *p, uint64_t weight);

#endif
