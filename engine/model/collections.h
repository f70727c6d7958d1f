/*
 * collections - garbage collections of .NET and Java, one by one.
 *
 *     for (size_t i = 0; i < p->collections.len; i++)
 *         show(p->collections.data[i].start, p->collections.data[i].paused);
 *
 * In order of process and time. Numbers are those of the runtime's own events
 * (attribution/clr-events.md, section 8; format/jfr/format.md, section 7).
 */
#ifndef TOPFN_COLLECTIONS_H
#define TOPFN_COLLECTIONS_H

#include <stdint.h>

/* In place of a number that the recording does not tell. */
#define COLLECTION_UNKNOWN UINT64_MAX

/* Java does not count generations: the kind tells what was collected. */
#define COLLECTION_NO_GENERATION UINT8_MAX

struct collection {
    int64_t start;        /* ns */
    uint32_t process;     /* id */
    uint32_t number;      /* .NET counts its collections from 1, Java from 0 */
    uint8_t generation;   /* the oldest one that is collected */
    uint8_t kind, reason; /* see below */
    uint64_t lasted;      /* ns to its end */
    uint64_t paused;      /* ns for which the threads stood still for it */
    uint64_t longest;     /* of these pauses; a background one has several */
    uint64_t before, after; /* bytes of the heap */
    uint64_t promoted;      /* bytes that survived into an older generation */
};

/* "blocking", "background", "foreground" (during a background one), or Java's
 * collector, "G1New"; "" for a number that is not known. */
const char *collection_kind(unsigned kind);

/* "AllocSmall", "Induced", as the runtime calls them; "" likewise. */
const char *collection_reason(unsigned reason);

/* The number of this name; UINT8_MAX: it is not known. */
uint8_t collection_kind_named(const char *name);
uint8_t collection_reason_named(const char *name);

#endif
