/*
 * address_spaces - what lay where, when: images, methods and symbol areas of
 * every process and of kernel space.
 *
 * Lives of images and methods are worked out from all facts of the trace:
 * what was seen at its end only was there since its process began, unless
 * something else held the memory before.
 */
#ifndef TOPFN_ADDRESS_SPACES_H
#define TOPFN_ADDRESS_SPACES_H

#include "engine/attribution/lifetimes.h"
#include "engine/attribution/observations.h"
#include "engine/attribution/rangemap.h"

/* One process, or kernel space. */
struct address_space {
    struct rangemap images;  /* value: index of the image fact */
    struct rangemap areas;   /* the same, of what has symbols */
    struct rangemap methods; /* value: index of the method fact */
};

struct address_spaces {
    struct observations *seen;
    struct profile *profile;
    struct lifetimes *lives;
    /* By fact: whose it is, NO_ID of the kernel's, until spaces are built. */
    uint32_t *image_processes, *method_processes;
    struct address_space kernel;
    struct address_space **list; /* by process id; NULL: nothing lay there */
    size_t count;
    struct map managed_modules; /* (runtime's id, pid) -> module */
    struct rangemap *symbols;   /* by set; value: index of the symbol fact */
};

/* Every process must be known to `lives` by now, or through a fact; all are
 * afterwards. */
void address_spaces_init(struct address_spaces *s, struct observations *seen,
                         struct lifetimes *lives);

/* Fills them, and the profile's mappings and the makers of its modules:
 * once, by any thread. */
void address_spaces_build(struct address_spaces *s);

void address_spaces_release(struct address_spaces *s);

/* The memory of a process, also of one in which nothing lay. */
const struct address_space *address_spaces_of(const struct address_spaces *s,
                                              uint32_t process);

/* When a process began; kernel space was always there. */
int64_t address_spaces_process_start(const struct address_spaces *s,
                                     uint32_t process);

/* The symbols that a trace gives itself, by set; a range's value is the index
 * of its fact. A set belongs to a mapped file, and so to every process that
 * maps it. The plainest of several names for one range (fork, __fork,
 * __libc_fork) is kept; the shortest of symbols that overlap is meant. */
struct rangemap *trace_symbols_new(const struct observations *seen);
void trace_symbols_free(struct rangemap *sets, const struct observations *seen);

#endif
