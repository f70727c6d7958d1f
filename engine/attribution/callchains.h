/*
 * callchains - distinct runs of code addresses, as the recorder wrote them.
 *
 * A chain is one part of a stack: `count` addresses of `width` bytes each,
 * innermost first. Equal runs have one id, so what follows works per
 * distinct run, not per sample. The addresses stay where they were read:
 * in the mapped file, or, when that memory does not last, in a copy.
 *
 * A run of more than STACK_PART_DEEPEST addresses keeps its innermost ones, in
 * every format, so that later code may count on short stacks. All of its
 * addresses tell it from others, so that `cut` counts distinct runs.
 *
 * All but the innermost address of a run are where calls return to, unless the
 * recorder knows better: what a signal interrupted stands where it stopped.
 *
 * Runs are compared by a 96-bit fingerprint, not byte by byte: ten million
 * distinct runs meet by accident with probability 1e-15.
 */
#ifndef TOPFN_CALLCHAINS_H
#define TOPFN_CALLCHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/arena.h"
#include "engine/base/map.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"
#include "engine/model/profile.h"

struct callchain {
    const uint8_t *frames;
    uint32_t count;
    uint32_t width;       /* 4 or 8 */
    const uint8_t *exact; /* by frame: no call returns there; NULL: that is
                             so of none but the innermost */
};

struct callchain_print {
    uint64_t hash;
    uint32_t check;
};

struct callchains {
    VEC(struct callchain) list; /* by id; id 0 is the empty run */
    struct map ids;
    struct arena copies;
    uint64_t cut; /* of these, deeper than STACK_PART_DEEPEST */
};

void callchains_init(struct callchains *runs);
void callchains_release(struct callchains *runs);

/* Any thread may compute fingerprints. */
struct callchain_print callchain_fingerprint(const struct callchain *run);

/* `lasting`: the frames outlive `runs`; otherwise a new run is copied. */
uint32_t callchains_add(struct callchains *runs, const struct callchain *run,
                        struct callchain_print print, bool lasting);

/* A run that is new as the caller knows, who finds it again himself: of a
 * deep one, its innermost frames. */
uint32_t callchains_append(struct callchains *runs, struct callchain run,
                           bool lasting);

/* A run of one address. */
uint32_t callchains_add_address(struct callchains *runs, uint64_t address);

static inline uint64_t callchain_frame(const struct callchain *run, uint32_t i)
{
    return load_ptr(run->frames + (size_t)i * run->width, run->width);
}

#endif
