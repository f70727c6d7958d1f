/*
 * il_map_match - IL maps of the methods that were sampled.
 *
 *     match_il_maps(seen, names.method_ids); // all samples are attributed
 *
 * A trace maps a hundred thousand bodies of methods and samples a few
 * hundred: the maps of those are found by the runtime's ids, or by where the
 * body begins, decoded and given to the profile. Ids and memory are reused:
 * of several maps the one that was written closest to the description of the
 * method is taken.
 */
#ifndef TOPFN_IL_MAP_MATCH_H
#define TOPFN_IL_MAP_MATCH_H

#include "engine/attribution/observations.h"

/* `method_ids`: by method fact, the profile's method or NO_ID. */
void match_il_maps(struct observations *seen, const uint32_t *method_ids);

#endif
