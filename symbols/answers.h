/*
 * answers - what a source says of all locations of one subject, until it is
 * written into the profile.
 *
 *     struct answers a = {.p = p, .about = *about};
 *     answers_ask(&a, source, state, DEMANGLE_SHORT); // by any thread
 *     answers_give(&a, p);                            // in order
 *     answers_release(&a);
 *
 * Nothing of the profile is touched while sources are asked.
 */
#ifndef TOPFN_ANSWERS_H
#define TOPFN_ANSWERS_H

#include "engine/base/arena.h"
#include "symbols/name_source.h"
#include "symbols/names/demangle.h"

/* What was said of one location. */
struct said {
    uint64_t start; /* of the last frame's code; 0: not known */
    uint32_t location;
    uint32_t frames; /* how many */
    uint32_t method; /* index in `methods`, and 1; 0: none */
    uint8_t cause;   /* enum name_cause */
};

/* Where names of a module came from. */
struct credit {
    uint32_t module;
    uint32_t origin; /* id of `strings` */
};

/* All locations of one subject, and what was said of them. */
struct answers {
    const struct profile *p;
    struct asked_about about;
    struct said *said;     /* by address; NULL: the source knows nothing */
    enum name_cause cause; /* why it knows nothing */
    /* Function and file are ids of `strings`. */
    VEC(struct frame) frames;
    VEC(struct code_method) methods; /* their text in `strings` */
    struct map method_ids;           /* address -> index */
    VEC(struct credit) credits;
    struct map credited; /* modules */
    uint32_t maker;      /* of the subject, an id of `strings`; 0: not told */
    struct strings *strings;
    struct arena scratch;
};

/* `state` is what source->begin gave. */
void answers_ask(struct answers *a, const struct name_source *source,
                 void *state, enum demangle_style style);
void answers_give(const struct answers *a, struct profile *p);
void answers_release(struct answers *a);

#endif
