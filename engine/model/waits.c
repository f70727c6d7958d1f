#include "engine/model/waits.h"

#include <string.h>

/* Names without arguments, by what they wait for; the one * stands for
 * anything. The runtime moves its waits from version to version, so names of
 * old ones stay. */
static const char *const waiting[] = {
    /* another thread */
    "System.Threading.Monitor.Wait",
    "System.Threading.Monitor.ObjWait",
    "System.Threading.Monitor.Enter_Slowpath",
    "System.Threading.Monitor.ReliableEnter",
    "System.Threading.Monitor.ReliableEnterTimeout",
    "System.Threading.Lock.EnterSlow",
    "System.Threading.Lock.TryEnterSlow",
    "System.Threading.Condition.Wait",
    "System.Threading.ManualResetEventSlim.Wait",
    "System.Threading.SemaphoreSlim.Wait",
    "System.Threading.SemaphoreSlim.WaitCore",
    "System.Threading.SemaphoreSlim.WaitUntilCountOrTimeout",
    "System.Threading.CountdownEvent.Wait",
    "System.Threading.Barrier.SignalAndWait",
    "System.Threading.WaitHandle.Wait*",
    "System.Threading.WaitHandle.InternalWaitOne",
    "System.Threading.WaitSubsystem*.Wait",
    "System.Threading.Thread.Join*",
    "System.Threading.LowLevelMonitor.Wait*",
    "System.Threading.LowLevelLock.WaitAndAcquire",
    "System.Threading.LowLevelSpinWaiter.Wait",
    "System.Threading.LowLevelLifoSemaphore.Wait*",
    "System.Threading.Tasks.Task.Wait",
    "System.Threading.Tasks.Task.WaitAll*",
    "System.Threading.Tasks.Task.WaitAny*",
    "System.Threading.Tasks.Task.InternalWait*",
    "System.Threading.Tasks.Task.SpinThenBlockingWait",
    "System.GC.WaitForPendingFinalizers",
    "System.GC._WaitForPendingFinalizers",
    "Interop+Sys.LowLevelMonitor_Wait",
    "Interop+Sys.LowLevelMonitor_TimedWait",
    "Interop+Kernel32.WaitForSingleObject*",
    "Interop+Kernel32.WaitForMultipleObjectsEx",
    "Interop+Kernel32.SleepConditionVariableCS",
    /* time */
    "System.Threading.Thread.Sleep*",
    "System.Threading.Thread.SpinWait*",
    "System.Threading.Thread.Yield*",
    "System.Threading.Thread.UninterruptibleSleep0",
    "System.Threading.SpinWait.SpinOnce*",
    "Interop+Kernel32.Sleep",
    /* the runtime, which suspended the thread */
    "System.Threading.Thread.PollGC*",
    "System.Threading.Thread.<PollGC>*",
    /* input, and other processes */
    "System.IO.StdInReader.ReadKey",
    "System.IO.StdInReader.ReadStdin",
    "System.ConsolePal.Read",
    "System.ConsolePal.ReadKey",
    "System.Console.ReadKey",
    "Interop+Sys.ReadStdin",
    "Interop+Kernel32.ReadConsole*",
    "Interop+Sys.WaitForSocketEvents",
    "Interop+Sys.Poll",
    "Interop+Sys.Select",
    "Interop+Sys.WaitPid*",
    "System.Net.Sockets.Socket.Poll",
    "System.Net.Sockets.Socket.Select",
    "System.Net.Sockets.SocketPal.Poll",
    "System.Net.Sockets.SocketPal.Select",
    "System.Net.Sockets.SocketAsyncEngine.EventLoop",
    "Interop+Kernel32.GetQueuedCompletionStatus*",
    "System.Diagnostics.Process.WaitForExit*",
    "System.Diagnostics.ProcessWaitState.WaitForExit",
    /* Java */
    "java.lang.Object.wait*",
    "java.lang.Thread.sleep*",
    "java.lang.VirtualThread.park*",
    "jdk.internal.misc.Unsafe.park",
    "sun.misc.Unsafe.park",
    "java.lang.ref.Reference.waitForReferencePendingList",
    "java.lang.ProcessImpl.waitForProcessExit*",
    "java.lang.ProcessHandleImpl.waitForProcessExit0",
    "java.net.PlainSocketImpl.socketAccept",
    "java.net.SocketInputStream.socketRead0",
    "sun.nio.ch.Net.accept",
    "sun.nio.ch.Net.poll",
    "sun.nio.ch.EPoll.wait",
    "sun.nio.ch.EPollArrayWrapper.epollWait",
    "sun.nio.ch.KQueue.poll",
    "sun.nio.ch.WEPoll.wait",
};

/* The functions of Linux come first, then those of Windows. */
static const char *const switching[] = {
    "__schedule",
    "schedule",
    "schedule_timeout*",
    "schedule_hrtimeout*",
    "schedule_preempt_disabled",
    "schedule_idle",
    "io_schedule*",
    "preempt_schedule*",
    "__cond_resched",
    "__traceiter_sched_switch",
    "SwapContext*",
    "KiSwapContext*",
    "KiSwapThread",
    "KiCommitThreadWait",
    "KeWaitForSingleObject",
    "KeWaitForMultipleObjects",
};

static const char *const waking[] = {
    "try_to_wake_up",
    "ttwu_do_activate",
    "ttwu_queue_wakelist",
    "wake_up_process",
    "wake_up_state",
    "default_wake_function",
    "wake_up_new_task",
    "KiReadyThread",
    "KiDeferredReadyThread",
};

/* The functions of Linux on x86 and ARM come first, then those of Windows. */
static const char *const entries[] = {
    "asm_sysvec_*",
    "asm_common_interrupt",
    "apic_timer_interrupt",
    "ret_from_intr",
    "el*_irq",
    "KiDpcInterrupt*",
    "KiInterruptDispatch*",
    "KiRetireDpcList",
};

bool measures_wall_clock(const struct profile *p)
{
    return profile_metric(p)->wall_clock;
}

/* Case matters, as it does in the languages these methods are written in. */
static bool matches(const char *pattern, const char *name, size_t n)
{
    size_t same = 0, after;

    while (same < n && pattern[same] == name[same] && pattern[same] != '*')
        same++;
    if (pattern[same] != '*')
        return same == n && !pattern[same];
    after = strlen(pattern + same + 1);
    return n >= same + after &&
           !strncmp(pattern + same + 1, name + n - after, after);
}

static bool is_one_of(const char *name, const char *const *patterns,
                      size_t count)
{
    size_t n = strcspn(name, "(");

    for (size_t i = 0; i < count; i++)
        if (matches(patterns[i], name, n))
            return true;
    return false;
}

bool only_waits(const char *name)
{
    return is_one_of(name, waiting, sizeof(waiting) / sizeof(*waiting));
}

bool only_switches(const char *name)
{
    return is_one_of(name, switching, sizeof(switching) / sizeof(*switching));
}

bool only_wakes(const char *name)
{
    return is_one_of(name, waking, sizeof(waking) / sizeof(*waking));
}

bool enters_interrupt(const char *name)
{
    return is_one_of(name, entries, sizeof(entries) / sizeof(*entries));
}
