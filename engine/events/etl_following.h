/*
 * etl_following - a log that is still being written, through a pipe.
 *
 *     s->following = etl_following_new(&s->recording);
 *     while (!etl_following_is_ready(s->following, time, open) &&
 *            etl_following_step(trace))
 *         ;
 *
 * Buffers come whole, those of one CPU in order of time, those of several in
 * any order. An event can be given when every CPU has come further; one that
 * is idle is not waited for longer than WAITING_A_CPU buffers of each take, of
 * which the earliest is given then. What an event names, schemas and threads,
 * is known as far as the log has come.
 */
#ifndef TOPFN_EVENTS_ETL_FOLLOWING_H
#define TOPFN_EVENTS_ETL_FOLLOWING_H

#include "engine/events/etl_walk.h"

enum { WAITING_A_CPU = 4 };

struct etl_following *etl_following_new(const struct etl_recording *r);
void etl_following_free(struct etl_following *f);

/* Waits for the first buffer, which says what the log is. */
void etl_following_begin(struct event_trace *t);

/* Waits for the next buffer and adds it to the recording. False at the end of
 * the log. */
bool etl_following_step(struct event_trace *t);

/* Whether no earlier event is to be expected; `open` buffers wait. */
bool etl_following_is_ready(const struct etl_following *f, uint64_t time,
                            size_t open);

/* etl_events.c: what a record tells of others. */
void etl_survey_record(void *context, struct etl_event *e,
                       const struct etl_buffer *b);

#endif
