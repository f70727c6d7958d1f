/*
 * event_choice - which events the options ask for.
 */
#ifndef TOPFN_EVENT_CHOICE_H
#define TOPFN_EVENT_CHOICE_H

#include "cli/options/options.h"
#include "engine/events/events.h"

typedef VEC(const char *) event_text_list;

struct event_choice {
    struct event_options options; /* refers to the lists */
    struct event_texts described; /* --providers */
    event_text_list providers, events, columns;
    VEC(char *) owned;
    VEC(uint32_t) pids, tids;
};

/* False when a file of providers cannot be read or a process is not there. */
bool event_choice_make(struct event_choice *choice, struct event_trace *trace,
                       const struct options *options, struct err *err);
void event_choice_release(struct event_choice *choice);

#endif
