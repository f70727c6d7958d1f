/*
 * thread_time - divides the life of each thread into running, ready, blocked
 * and unknown, to the nanosecond.
 *
 * Readers of recordings with context switches call thread_time_states; where it
 * names states, they add a row to seen->samples for each happening, in any
 * order, instead of the samples themselves:
 *
 *     struct observed_sample row = {... the thread and its stack ...};
 *     row.period = thread_happening(HAPPENED_SWITCH_TO, WAIT_BLOCKED, next);
 *
 * thread_time_divide then puts rows in their place that weigh nanoseconds and
 * have a wait in their flags (model/thread_states.h):
 *
 *   - running time belongs to the samples between two switches, each from the
 *     one before it on, the last one up to the switch; where none was taken, to
 *     the stack of the switch-out that ends it;
 *   - ready and blocked time belong to the stack at the switch-out. Windows
 *     writes that stack with the switch-in;
 *   - unknown is the time before a thread's first happening, and the time from
 *     a switch-out to a proof that the thread ran again without a switch-in.
 *
 * A thread that was there already lives from the recording's start, and one
 * that did not end to its end. Threads without any happening are left out, and
 * so are the idle threads (id 0).
 */
#ifndef TOPFN_THREAD_TIME_H
#define TOPFN_THREAD_TIME_H

#include "engine/attribution/observations.h"
#include "engine/model/thread_states.h"

/* `other` is the id of another thread, 0: none. */
enum thread_happening {
    HAPPENED_SAMPLE,      /* the thread runs */
    HAPPENED_SWITCH_TO,   /* the thread goes out, `other` comes in */
    HAPPENED_SWITCH_FROM, /* the thread comes in, `other` goes out */
    HAPPENED_WAKEUP,      /* the thread wakes `other` */
    HAPPENED_INTERRUPT,   /* an interrupt of the thread wakes `other` */
    /* Waits that a runtime tells: what the thread does before and behind them
     * is unknown. They count where the recording has no switches. An end is
     * that of the wait of its kind. */
    HAPPENED_WAIT_BEGIN,
    HAPPENED_WAIT_END,
};

/* `wait`: what the thread that goes out waits for. */
static inline uint64_t thread_happening(enum thread_happening kind,
                                        unsigned wait, uint32_t other)
{
    return (uint64_t)other << 32 | (uint64_t)wait << 8 | (uint64_t)kind;
}

/* The states that a word of --event means ("thread-time", "blocked"), as in
 * seen->thread_states; 0: it means other events. */
uint8_t thread_time_states(const char *event);

/* Call when all rows are in and the duration is known, before attribute().
 * ERR_NOT_FOUND: there is no switch among them. */
enum err_code thread_time_divide(struct observations *seen, const char *name,
                                 struct err *err);

#endif
