/*
 * expression - DWARF expressions over the registers and the stack memory of a
 * sample: where a frame is, or what it saved.
 *
 *     struct frame_state state = {.memory = copied, .memory_at = stack};
 *     if (frame_memory(&state, address, &value)) ...
 */
#ifndef TOPFN_PERFDATA_EXPRESSION_H
#define TOPFN_PERFDATA_EXPRESSION_H

#include "engine/attribution/frame_rules.h"
#include "engine/base/reader.h"

struct frame_state {
    uint64_t registers[FRAME_REGISTERS];
    uint64_t known; /* a bit each */
    struct bytes memory;
    uint64_t memory_at; /* its address */
};

/* Eight bytes. False: they were not copied. */
bool frame_memory(const struct frame_state *state, uint64_t address,
                  uint64_t *value);

/* Evaluates the rule's expression; it begins with `first` on its stack, or with
 * nothing (NULL). It may take that many `steps`, of which it counts down those
 * that it took. */
bool frame_expression(const struct frame_state *state,
                      const struct frame_rule *rule, const uint64_t *first,
                      unsigned *steps, uint64_t *value);

#endif
