/*
 * listing_fields - fields of an event as they are here against those that a
 * listing of another decoder prints (test_listings).
 *
 *     struct listing_fields ours = listing_fields_of(event);
 *     struct listing_count count = {0};
 *     listing_compare(&count, "GC/Start", "Count=1; Reason=AllocSm...; ",
 *                     &ours);
 *     listing_fields_release(&ours);
 *
 * The listing groups digits, shortens long texts, writes dates as yy/mm/dd and
 * flags with commas; all that counts as equal. A table explains the other
 * differences: the other decoder computes fields that are not in the payload,
 * gives fields of later versions a default, and so on.
 */
#ifndef TOPFN_TESTS_LISTING_FIELDS_H
#define TOPFN_TESTS_LISTING_FIELDS_H

#include "engine/events/events.h"

struct listing_fields {
    char *text; /* "name=value\n", each */
};

struct listing_count {
    unsigned fields, same, explained, different;
    char first[200]; /* difference without an explanation */
};

struct listing_fields listing_fields_of(const struct event *event);
void listing_fields_release(struct listing_fields *fields);

/* `listed`: "a=b; c=d; ", or as XML `a="b" c="d"`. */
void listing_compare(struct listing_count *count, const char *event,
                     const char *listed, const struct listing_fields *ours);

/* A number that the event has by itself; EVENT_UNKNOWN is -1 there. */
void listing_number(struct listing_count *count, const char *event,
                    const char *name, const char *listed, uint32_t ours);

#endif
