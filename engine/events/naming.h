/*
 * naming - names of events for readers that count them (event_naming.h).
 */
#ifndef TOPFN_EVENTS_NAMING_H
#define TOPFN_EVENTS_NAMING_H

#include "engine/attribution/event_naming.h"

struct event_naming *event_naming_new(void);
void event_naming_free(struct event_naming *naming);

#endif
