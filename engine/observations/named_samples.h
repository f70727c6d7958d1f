/*
 * named_samples - weights of named_code.h as those of a profile.
 *
 * Samples go where they stay as they come. When all are known, their weights
 * are divided, so that each is one of a profile's.
 */
#ifndef TOPFN_NAMED_SAMPLES_H
#define TOPFN_NAMED_SAMPLES_H

#include "engine/observations/named_code.h"

/* All samples were told: for named_code_end. */
void named_samples_end(struct named_code *n, enum named_unit unit);

#endif
