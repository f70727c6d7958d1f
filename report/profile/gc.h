/*
 * gc - garbage collections of .NET, and what they cost.
 *
 *     struct collection_sums sums = collection_sums(p, sel);
 *     print_collections(&sums, out);
 *
 *     84 garbage collections (76 gen 0, 8 gen 1), 183.04 ms paused (5.9 %),
 *     longest 9.31 ms
 *
 * A share is that of the time of one process.
 */
#ifndef TOPFN_REPORT_GC_H
#define TOPFN_REPORT_GC_H

#include "report/report.h"

enum { GENERATIONS_TOLD = 3 };

/* Sums of the collections in the selected processes and time. */
struct collection_sums {
    uint64_t count, by_generation[GENERATIONS_TOLD];
    uint64_t paused, longest; /* ns */
    uint64_t span;            /* ns of the recording; 0: of several processes */
};

struct collection_sums collection_sums(const struct profile *p,
                                       const struct selection *sel);

void print_collections(const struct collection_sums *sums, struct out *out);

/* "1,149 methods compiled in 312.4 ms", and with `tiers` how many of each;
 * nothing where the recording does not tell. */
void print_compiling(const struct profile *p, bool tiers, struct out *out);

/* The rows are p->collections as the selection's filter takes them. */
extern const struct report gc_report;

#endif
