/*
 * prune - recordings are taken out of a fleet.
 *
 *     size_t runs;
 *     if (!fleet_prune(fleet, &question, &runs, &err))
 *         printf("%zu\n", runs);
 *
 * Of a cluster, those whose samples lie on the server that is asked. They are
 * gone for readers before their samples are; a prune that ends in the middle
 * leaves samples that nobody reads. What they had in common with others stays.
 */
#ifndef TOPFN_FLEET_PRUNE_H
#define TOPFN_FLEET_PRUNE_H

#include <stddef.h>

#include "engine/fleet/question.h"

/* Those that the question chooses. `runs`: how many they were. */
enum err_code fleet_prune(struct fleet *f, const struct fleet_question *q,
                          size_t *runs, struct err *err);

#endif
