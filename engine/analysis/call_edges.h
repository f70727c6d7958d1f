/*
 * call_edges - who called functions, and what they called.
 *
 *     struct function_calls calls[2];
 *     call_edges_count(p, sel, functions, 2, calls);
 *     for (size_t i = 0; i < calls[0].callers.len; i++)
 *         use(calls[0].callers.data[i]);
 *     call_edges_release(calls, 2);
 *
 * A sample counts once for a caller and a callee, however often one calls the
 * other on its stack: a recursive function is among its own callers, and the
 * counts of callers may add up to more than the function has.
 */
#ifndef TOPFN_CALL_EDGES_H
#define TOPFN_CALL_EDGES_H

#include "engine/analysis/filter.h"

struct call_count {
    uint32_t function; /* NO_ID: nobody called it; it called nobody */
    uint64_t samples;
};

/* Most samples first, then by name. */
typedef VEC(struct call_count) call_count_list;

struct function_calls {
    call_count_list callers, callees;
};

/* Counts the calls of these functions (ids, none twice). Returns how many
 * frames it looked at: those of every distinct stack that leads to samples,
 * once. */
size_t call_edges_count(const struct profile *p, const struct selection *sel,
                        const uint32_t *functions, size_t n,
                        struct function_calls *calls);
void call_edges_release(struct function_calls *calls, size_t count);

#endif
