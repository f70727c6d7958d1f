/*
 * call_graph - stacks for a profile that counts by function and by call.
 *
 * Such a profile tells what each function costs itself, and what each of its
 * calls costs with all that was called below. It has no stacks: which of a
 * function's callers led to which of its callees nobody recorded. The graph is
 * taken apart into stacks whose sums are those of the file:
 *
 * - Each function's own cost, by line, is exact.
 * - Each call's cost is exact, and so is the inclusive cost of each function,
 *   where functions do not call each other in a circle.
 * - What a function costs is shared among its callers as their calls' costs
 *   are: an estimate, as gprof makes it. Shares below 1/16384 of all are not
 *   divided further, but given to one callee after the other, so that there are
 *   never many more stacks than calls.
 *
 * Functions that call each other in a circle are taken together: what they cost
 * and call is shared among the calls into the circle, and a stack goes through
 * it by the shortest way. Calls of a function to itself are left out.
 */
#ifndef TOPFN_CALL_GRAPH_H
#define TOPFN_CALL_GRAPH_H

#include "engine/attribution/named_code.h"

/* The cost of a line of a function, or of the calls there to another one. */
struct line_cost {
    uint32_t function;   /* of the graph */
    uint32_t callee;     /* another; NO_ID: the function's own cost */
    uint32_t file, line; /* file: a string of the profile */
    uint64_t cost;
};

struct call_graph {
    VEC(struct named_frame) functions; /* whose line is 0 */
    VEC(struct line_cost) costs;       /* in any order */
};

/* The costs that call_graph_stacks could not give as the file does. */
struct graph_flaws {
    bool circles;      /* functions call each other in one */
    uint64_t lowered;  /* cost of calls beyond what was called costs */
    uint64_t overflow; /* costs that were left out, as sums are too large */
    uint64_t lone;     /* costs that have no callers, for want of room */
};

/* Turns the graph into samples of a thread and adds to the flaws. `size` is
 * that of the file, which bounds the work. The costs are used up. */
void call_graph_stacks(struct call_graph *g, struct named_code *code,
                       uint32_t thread, uint64_t size,
                       struct graph_flaws *flaws);

void call_graph_release(struct call_graph *g);

#endif
