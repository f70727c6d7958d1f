/*
 * event_groups - events counted by kind, and given as rows in an order.
 *
 *     event_groups_count(&groups, event->kind);            // for each
 *     event_groups_sort(&groups, order, orders, false);
 *     for (; (kind = event_groups_kind(&groups)); event_groups_next(&groups))
 *         row(kind);
 *
 * What asks for nothing but columns of kinds needs no sort of all events: the
 * kinds are sorted, and each is given as often as it was counted.
 */
#ifndef TOPFN_QUERY_EVENT_GROUPS_H
#define TOPFN_QUERY_EVENT_GROUPS_H

#include "engine/base/vec.h"
#include "engine/sql/event_plan.h"

struct kind_count {
    const struct event_kind *kind;
    uint64_t events;
};

/* All zero at first. */
struct event_groups {
    VEC(struct kind_count) counts; /* by the kind's index, then by order */
    size_t at;
};

void event_groups_count(struct event_groups *g, const struct event_kind *kind);

/* Goes to the first row. `distinct`: one row of every kind will do. */
void event_groups_sort(struct event_groups *g, const struct event_order *order,
                       size_t orders, bool distinct);

/* Of the row; NULL behind the last. */
const struct event_kind *event_groups_kind(const struct event_groups *g);
void event_groups_next(struct event_groups *g);

void event_groups_release(struct event_groups *g);

#endif
