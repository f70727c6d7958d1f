#include "engine/model/thread_states.h"

#include <assert.h>

static const struct thread_wait waits[] = {
    [WAIT_NONE] = {"", THREAD_NO_STATE},
    [WAIT_RUNNING] = {"running", THREAD_RUNNING},
    [WAIT_NOT_SAMPLED] = {"running, not sampled", THREAD_RUNNING},
    [WAIT_UNKNOWN] = {"unknown", THREAD_UNKNOWN},
    [WAIT_WOKEN] = {"ready, woken", THREAD_READY},
    [WAIT_PREEMPTED] = {"ready, preempted", THREAD_READY},
    [WAIT_BLOCKED] = {"blocked", THREAD_BLOCKED},
    [WAIT_INTERRUPTIBLE] = {"blocked, interruptible sleep", THREAD_BLOCKED},
    [WAIT_UNINTERRUPTIBLE] = {"blocked, uninterruptible sleep", THREAD_BLOCKED},
    [WAIT_STOPPED] = {"blocked, stopped", THREAD_BLOCKED},
    [WAIT_TRACED] = {"blocked, traced", THREAD_BLOCKED},
    [WAIT_PARKED] = {"blocked, parked", THREAD_BLOCKED},
    [WAIT_KERNEL_IDLE] = {"blocked, idle kernel thread", THREAD_BLOCKED},
    [WAIT_EXIT] = {"blocked, exit", THREAD_BLOCKED},
    [WAIT_LOCK] = {"blocked, lock", THREAD_BLOCKED},
    [WAIT_HANDLE] = {"blocked, WaitHandle", THREAD_BLOCKED},
};

/* KWAIT_REASON */
static const char *const windows[] = {
    "blocked, Executive",
    "blocked, FreePage",
    "blocked, PageIn",
    "blocked, PoolAllocation",
    "blocked, DelayExecution",
    "blocked, Suspended",
    "blocked, UserRequest",
    "blocked, WrExecutive",
    "blocked, WrFreePage",
    "blocked, WrPageIn",
    "blocked, WrPoolAllocation",
    "blocked, WrDelayExecution",
    "blocked, WrSuspended",
    "blocked, WrUserRequest",
    "blocked, WrEventPair",
    "blocked, WrQueue",
    "blocked, WrLpcReceive",
    "blocked, WrLpcReply",
    "blocked, WrVirtualMemory",
    "blocked, WrPageOut",
    "blocked, WrRendezvous",
    "blocked, WrKeyedEvent",
    "blocked, WrTerminated",
    "blocked, WrProcessInSwap",
    "blocked, WrCpuRateControl",
    "blocked, WrCalloutStack",
    "blocked, WrKernel",
    "blocked, WrResource",
    "blocked, WrPushLock",
    "blocked, WrMutex",
    "blocked, WrQuantumEnd",
    "blocked, WrDispatchInt",
    "blocked, WrPreempted",
    "blocked, WrYieldExecution",
    "blocked, WrFastMutex",
    "blocked, WrGuardedMutex",
    "blocked, WrRundown",
    "blocked, WrAlertByThreadId",
    "blocked, WrDeferredPreempt",
};

enum { WINDOWS_WAITS = sizeof(windows) / sizeof(*windows) };
_Static_assert(sizeof(waits) / sizeof(*waits) == WAIT_WINDOWS,
               "the table ends where those of Windows begin");

unsigned thread_waits(void)
{
    return WAIT_WINDOWS + WINDOWS_WAITS;
}

struct thread_wait thread_wait_at(unsigned wait)
{
    assert(wait < thread_waits());
    if (wait < WAIT_WINDOWS)
        return waits[wait];
    return (struct thread_wait){windows[wait - WAIT_WINDOWS], THREAD_BLOCKED};
}

/* A thread that lost its processor is ready all the time. */
unsigned thread_wait_of_windows(uint8_t reason)
{
    enum { QUANTUM_END = 30, DISPATCH_INT, PREEMPTED, YIELD, DEFERRED = 38 };

    if ((reason >= QUANTUM_END && reason <= YIELD) || reason == DEFERRED)
        return WAIT_PREEMPTED;
    if (reason >= WINDOWS_WAITS)
        return WAIT_BLOCKED;
    return WAIT_WINDOWS + (unsigned)reason;
}

const char *thread_state_name(enum thread_state state)
{
    static const char *const names[THREAD_STATES] = {"", "running", "ready",
                                                     "blocked", "unknown"};

    return names[state];
}
