/*
 * clr_pair - IL maps of the methods that were sampled.
 *
 *     clr_pair_maps(facts, names.method_ids); // all samples are attributed
 *
 * A trace maps a hundred thousand bodies of methods and samples a few
 * hundred: the maps of those are found by the runtime's ids, or by where the
 * body begins, decoded and given to the profile. Ids and memory are reused:
 * of several maps the one that was written closest to the description of the
 * method is taken.
 */
#ifndef TOPFN_CLR_PAIR_H
#define TOPFN_CLR_PAIR_H

#include "engine/facts.h"

/* `method_ids`: by method fact, the profile's method or NO_ID. */
void clr_pair_maps(struct facts *facts, const uint32_t *method_ids);

#endif
