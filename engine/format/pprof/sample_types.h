/*
 * sample_types - what a file of several kinds of values counts.
 *
 *     struct sample_types t = {.period_type = cpu};
 *     *vec_add(&t.list) = (struct sample_type){.type = samples, .unit = count};
 *     code = sample_types_choose(&t, &named, options->event, name, err);
 *     use(t.chosen);
 *     sample_types_release(&t);
 *
 * For pprof and OTLP, whose files have "samples" beside "cpu", or "alloc_space"
 * beside "alloc_objects": one of them is read. format.md, section 2, has the
 * rule.
 */
#ifndef TOPFN_SAMPLE_TYPES_H
#define TOPFN_SAMPLE_TYPES_H

#include "engine/attribution/named_code.h"

struct sample_type {
    uint32_t type, unit; /* strings of the profile */
    bool used;           /* a value of it is not 0 */
};

struct sample_types {
    VEC(struct sample_type) list;
    uint32_t default_type, period_type; /* strings; "": the file has none */
    size_t chosen;
};

/* Chooses the type that is called `event`, or the one that the file or custom
 * prefers if that is NULL, and states the metric of the profile. Fails if there
 * is none. */
enum err_code sample_types_choose(struct sample_types *t, struct named_code *n,
                                  const char *event, const char *name,
                                  struct err *err);
void sample_types_release(struct sample_types *t);

#endif
