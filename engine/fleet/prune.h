/*
 * prune - recordings are taken out of a fleet, or become sums of a day.
 *
 *     size_t runs;
 *     if (!fleet_prune(fleet, &question, false, &runs, &err))
 *         printf("%zu\n", runs);
 *
 * Of a cluster, those whose samples lie on the server that is asked. They are
 * gone for readers before their samples are; a prune that ends in the middle
 * leaves samples that nobody reads. What they had in common with others stays.
 *
 * `daily`: those of a day, host and set of labels, of one system, format,
 * metric and interval, become one, without slices of time. It holds the hashes
 * of what it stands for, so that these are there already for who sends them
 * again. Broken off, each sample still counts once; the next prune goes on.
 * Of several at a time on one server the last to finish a day finds it done;
 * the replicas of a server are asked one at a time.
 */
#ifndef TOPFN_FLEET_PRUNE_H
#define TOPFN_FLEET_PRUNE_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/fleet/question.h"

/* Those that the question chooses. `runs`: how many they were. */
enum err_code fleet_prune(struct fleet *f, const struct fleet_question *q,
                          bool daily, size_t *runs, struct err *err);

#endif
