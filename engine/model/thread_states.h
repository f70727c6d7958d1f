/*
 * thread_states - what a thread does with its time: it runs, is ready to run,
 * or is blocked, and the reason that the recorder tells.
 *
 * Samples of thread time (attribution/thread_time.h) have a wait in their flags
 * (SAMPLE_WAIT_BITS): a number of this table. Databases hold the numbers.
 *
 *     struct thread_wait wait = thread_wait_at(sample_wait(flags));
 *     if (wait.state == THREAD_BLOCKED)
 *         use(wait.name);
 */
#ifndef TOPFN_THREAD_STATES_H
#define TOPFN_THREAD_STATES_H

#include "engine/model/samples.h"

enum thread_state {
    THREAD_NO_STATE, /* samples of other metrics */
    THREAD_RUNNING,
    THREAD_READY,   /* could run, and had no processor */
    THREAD_BLOCKED, /* waited for something */
    THREAD_UNKNOWN, /* the recording does not tell */
    THREAD_STATES
};

enum {
    WAIT_NONE,
    WAIT_RUNNING,
    WAIT_NOT_SAMPLED, /* running between two switches, without a sample */
    WAIT_UNKNOWN,
    WAIT_WOKEN,     /* ready since it was woken */
    WAIT_PREEMPTED, /* ready since another thread took its processor */
    WAIT_BLOCKED,   /* for a reason that is not told */
    /* The reasons of Linux. */
    WAIT_INTERRUPTIBLE,
    WAIT_UNINTERRUPTIBLE,
    WAIT_STOPPED,
    WAIT_TRACED,
    WAIT_PARKED,
    WAIT_KERNEL_IDLE,
    WAIT_EXIT, /* the thread ends */
    /* .NET and the recorder of Visual Studio tell these. */
    WAIT_LOCK,
    WAIT_HANDLE,
    /* KWAIT_REASON of Windows begins here. */
    WAIT_WINDOWS,
};

struct thread_wait {
    const char *name; /* "blocked, UserRequest" */
    enum thread_state state;
};

/* `wait` is below thread_waits(). */
struct thread_wait thread_wait_at(unsigned wait);
unsigned thread_waits(void);

/* The wait of a KWAIT_REASON, or WAIT_BLOCKED. */
unsigned thread_wait_of_windows(uint8_t reason);

static inline unsigned sample_wait(uint32_t flags)
{
    return (flags & SAMPLE_WAIT_BITS) >> SAMPLE_WAIT_SHIFT;
}

/* True if samples are the time of threads. */
static inline bool samples_have_waits(const struct samples *samples)
{
    return samples->len && sample_wait(samples->flags[0]);
}

const char *thread_state_name(enum thread_state state); /* "running" */

#endif
