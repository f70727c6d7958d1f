#include <string.h>

#include "engine/analysis/filter.h"
#include "engine/analysis/waiting.h"
#include "engine/model/thread_states.h"
#include "engine/model/waits.h"

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static const struct {
    const char *name;
    bool waits;
} rows[] = {
    {"System.Threading.Monitor.Wait(class System.Object,int32)", true},
    {"System.Threading.Monitor.Wait", true},
    {"System.Threading.ManualResetEventSlim.Wait(int32)", true},
    {"System.Threading.Thread.Sleep(int32)", true},
    {"System.Threading.WaitHandle.WaitOneNoCheck(int32,bool)", true},
    {"System.Threading.SemaphoreSlim.Wait(int32)", true},
    {"System.Threading.LowLevelLifoSemaphore.WaitNative(int32)", true},
    {"System.Threading.LowLevelSpinWaiter.Wait(int32,int32,bool)", true},
    {"System.Threading.Thread.<PollGC>g__PollGCWorker|67_0()", true},
    {"System.IO.StdInReader.ReadKey(bool&)", true},
    {"Interop+Sys.WaitForSocketEvents(int,int)", true},
    {"System.Threading.WaitSubsystem+ThreadWaitInfo.Wait(int32)", true},
    {"System.Threading.WaitSubsystem+ThreadWaitInfo.WaitFor(int32)", false},
    {"System.Threading.Monitor.Wai()", false},
    {"System.Threading.Monitor.Waiting()", false},
    {"system.threading.monitor.wait()", false},
    {"Shop.Threading.Monitor.Wait()", false},
    {"Shop.Waiter.Serve(System.Threading.Thread.Sleep)", false},
    {"System.Threading.WaitSubsystem", false},
    {"(", false},
    {"System.Threading.WaitSubsystem.Wait()", true},
    {"System.Threading.WaitSubsystem.Wai()", false},
    {"System.Threading.WaitSubsystemWait()", false},
    {"System.Threading.WaitHandle.Wait", true},
    {"System.Threading.WaitHandle.Wai", false},
    {"", false},
    {"java.lang.Object.wait0(long)", true},
    {"jdk.internal.misc.Unsafe.park(boolean, long)", true},
    {"java.util.concurrent.locks.LockSupport.park(Object)", false},
};

TEST(known_names)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_msg(only_waits(rows[i].name) == rows[i].waits, "%s",
                      rows[i].name);
}

/* Frames that every wait or wakeup has go, and the code that an interrupt
 * interrupted. A first frame stays. */
TEST(stacks_with_wakers_are_folded)
{
    static const struct {
        const char *stack, *folded;
    } folds[] = {
        {"k!read;k!schedule;w!woken by a;a!write;k!try_to_wake_up",
         "read;woken by a;write"},
        {"k!nap;k!__schedule;w!woken by an interrupt;k!do_syscall_64;"
         "k!asm_sysvec_apic_timer_interrupt;k!hrtimer_wakeup",
         "nap;woken by an interrupt;asm_sysvec_apic_timer_interrupt;"
         "hrtimer_wakeup"},
        {"k!nap;w!woken by an interrupt;k!tick", "nap;woken by an interrupt;tick"},
        {"k!schedule;k!__schedule", "schedule"},
    };
    struct builder *b = builder_new("a.data");
    uint32_t t = builder_thread(b, 1, "a", 1);
    struct profile *p;

    for (size_t i = 0; i < COUNT(folds); i++)
        builder_sample(b, t, SAMPLE_HAS_STACK | WAIT_LOCK << SAMPLE_WAIT_SHIFT,
                       folds[i].stack);
    profile_set_metric(builder_profile(b), METRIC_WAKER_TIME);
    p = builder_finish(b);
    waiting_fold(p);
    for (size_t i = 0; i < COUNT(folds); i++) {
        const char *text = folds[i].folded + strlen(folds[i].folded);

        for (uint32_t s = p->samples.stack[i]; s; s = p->stacks.data[s].parent) {
            uint32_t f = profile_innermost(p, p->stacks.data[s].location);
            const char *name =
                strings_get(p->strings, p->functions.data[f].name);

            text -= strlen(name);
            ck_assert(text >= folds[i].folded);
            ck_assert(!strncmp(text, name, strlen(name)));
            text -= text > folds[i].folded;
        }
        ck_assert_ptr_eq(text, folds[i].folded);
    }
    profile_free(p);
}

/* Marks samples of a thread that waits by name, of one with the same stack all
 * the time, and none of a thread that moves, runs managed code or was hardly
 * sampled. */
TEST(waiting_samples)
{
    static const char work[] = "a!main;a!Work", park[] = "a!main;a!Watch";
    static const char sleep[] = "a!main;a!System.Threading.Thread.Sleep";
    static const uint16_t outside = SAMPLE_EXTERNAL | SAMPLE_HAS_STACK,
                          inside = SAMPLE_MANAGED | SAMPLE_HAS_STACK;
    struct builder *b = builder_new("a.nettrace");
    uint32_t parked = builder_thread(b, 1, "a", 1);
    uint32_t moving = builder_thread(b, 1, "a", 2);
    uint32_t busy = builder_thread(b, 1, "a", 3);
    uint32_t few = builder_thread(b, 1, "a", 4);
    struct filter filter = {.waits = WAITS_LEFT_OUT};
    struct selection *sel;
    struct profile *p;

    for (int i = 0; i < 30; i++) {
        builder_sample(b, parked, outside, park);
        builder_sample(b, moving, outside, i ? sleep : work);
        builder_sample(b, busy, inside, work);
        if (i < 5)
            builder_sample(b, few, outside, park);
    }
    profile_set_metric(builder_profile(b), METRIC_THREAD_SAMPLES);
    p = builder_finish(b);
    waiting_mark(p);
    ck_assert_uint_eq(p->parked_threads, 1);
    sel = selection_new(p, &filter);
    ck_assert_uint_eq(sel->thread_counts[parked], 0);
    ck_assert_uint_eq(sel->thread_counts[moving], 1);
    ck_assert_uint_eq(sel->thread_counts[busy], 30);
    ck_assert_uint_eq(sel->thread_counts[few], 5);
    ck_assert_uint_eq(sel->waiting, 59);
    selection_free(sel);
    filter.waits = WAITS_ALONE;
    sel = selection_new(p, &filter);
    ck_assert_uint_eq(sel->samples, 59);
    selection_free(sel);
    profile_free(p);
}
