/*
 * startup - the frames above Main that start a program or a thread.
 *
 *     uint8_t *classes = startup_classes(p);
 *     enum startup_phase phase = STARTUP_SYSTEM;
 *     for (each frame from the outermost on)
 *         phase = startup_next(phase, classes[function]);
 *     if (startup_has_ended(phase))
 *         which of them to fold is known: startup_folds
 *
 * They are the same on every stack: the system's thread start and the C
 * runtime, then the hosts and the runtime of .NET, then what .NET runs threads
 * by. By a table, contiguous from the outermost frame on. The system's part is
 * folded where a function with a name follows, the runtime's only where managed
 * code does: a collector's thread never leaves the runtime, which is then what
 * took the time. Nothing is folded if code without a name follows, or the
 * kernel's.
 */
#ifndef TOPFN_STARTUP_H
#define TOPFN_STARTUP_H

#include "engine/model/profile.h"

enum startup_class {
    STARTUP_OF_SYSTEM,
    STARTUP_OF_RUNTIME,
    STARTUP_OF_RUNTIME_UNNAMED,
    STARTUP_OF_MANAGED,
    STARTUP_OTHER_MANAGED, /* with a name */
    STARTUP_OTHER_NAMED,
    STARTUP_OTHER /* without a name, or the kernel's */
};

enum startup_phase {
    STARTUP_SYSTEM, /* the beginning: nothing yet, or the system's */
    STARTUP_RUNTIME,
    STARTUP_RUNTIME_UNNAMED, /* its first frame has no name */
    STARTUP_MANAGED,
    STARTUP_ENDED_NONE,   /* nothing is folded */
    STARTUP_ENDED_SYSTEM, /* the system's part is */
    STARTUP_ENDED_ALL
};

enum startup_class startup_class_of(const struct profile *p, uint32_t function);

/* The classes of all functions; to be freed. */
uint8_t *startup_classes(const struct profile *p);

enum startup_phase startup_next(enum startup_phase phase,
                                enum startup_class frame);

static inline bool startup_has_ended(enum startup_phase phase)
{
    return phase >= STARTUP_ENDED_NONE;
}

/* True if a frame is folded: `phase` is that after it, `end` the one in which
 * its stack's start-up ended. */
bool startup_folds(enum startup_phase phase, enum startup_phase end);

#endif
