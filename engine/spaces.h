/*
 * spaces - what lay where, when: images, methods and symbol areas of every
 * process and of kernel space.
 *
 * Lives of images and methods are worked out from all facts of the trace:
 * what was seen at its end only was there since its process began, unless
 * something else held the memory before.
 */
#ifndef TOPFN_SPACES_H
#define TOPFN_SPACES_H

#include "engine/facts.h"
#include "engine/lives.h"
#include "engine/rangemap.h"

/* One process, or kernel space. */
struct space {
    struct rangemap images;  /* value: index of the image fact */
    struct rangemap areas;   /* the same, of what has symbols */
    struct rangemap methods; /* value: index of the method fact */
};

struct spaces {
    struct facts *facts;
    struct profile *profile;
    struct lives *lives;
    struct space kernel;
    struct space *list; /* by process id */
    size_t count;
    struct map managed_modules; /* (runtime's id, pid) -> module */
    struct rangemap *symbols;   /* by set; value: index of the symbol fact */
};

/* Every process must be known to `lives` by now, or through a fact. Fills the
 * profile's mappings. */
void spaces_build(struct spaces *s, struct facts *facts,
                  struct lives *lives);
void spaces_release(struct spaces *s);

/* When a process began; kernel space was always there. */
int64_t spaces_process_start(const struct spaces *s, uint32_t process);

#endif
