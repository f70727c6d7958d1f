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

/* Evaluates the rule's expression; it begins with `first` on its stack if
 * `has_first`. */
bool frame_expression(const struct frame_state *state,
                      const struct frame_rule *rule, uint64_t first,
                      bool has_first, uint64_t *value);

#endif
