/*
 * events_of_bytes - the events of a trace that a test has in memory.
 */
#ifndef TESTS_SUPPORT_EVENTS_OF_BYTES_H
#define TESTS_SUPPORT_EVENTS_OF_BYTES_H

#include "engine/events/events.h"

/* NULL: err says why. The bytes must stay; `name` is for messages. */
struct event_trace *events_of_bytes(const char *name, const void *data,
                                    size_t size, struct err *err);

#endif
