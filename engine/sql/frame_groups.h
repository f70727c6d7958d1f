/*
 * frame_groups - frames counted by function, and given as rows in an order.
 *
 *     frame_groups_init(&groups, texts);
 *     frame_groups_count(&groups, function);               // for each
 *     frame_groups_sort(&groups, order, orders, false);
 *     for (; frame_groups_more(&groups); frame_groups_next(&groups))
 *         row(frame_groups_function(&groups));
 *
 * What asks for nothing but columns of functions needs no sort of all frames,
 * as event_groups.h does it for events.
 */
#ifndef TOPFN_QUERY_FRAME_GROUPS_H
#define TOPFN_QUERY_FRAME_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/vec.h"
#include "engine/sql/frame_columns.h"
#include "engine/sql/frame_plan.h"

struct function_count {
    uint32_t function;
    uint64_t frames;
};

/* All zero at first. */
struct frame_groups {
    struct frame_texts *texts;
    VEC(struct function_count) counts; /* by function, then by order */
    size_t at;
};

void frame_groups_init(struct frame_groups *g, struct frame_texts *texts);

static inline void frame_groups_count(struct frame_groups *g, uint32_t function)
{
    g->counts.data[function].frames++;
}

/* Goes to the first row; `order` has columns of functions. `distinct`: one row
 * of every function will do. */
void frame_groups_sort(struct frame_groups *g, const struct frame_term *order,
                       size_t orders, bool distinct);

bool frame_groups_more(const struct frame_groups *g);
uint32_t frame_groups_function(const struct frame_groups *g);
void frame_groups_next(struct frame_groups *g);

void frame_groups_release(struct frame_groups *g);

#endif
