#include "engine/analysis/rank.h"
#include "engine/model/waits.h"

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
};

TEST(known_names)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_msg(only_waits(rows[i].name) == rows[i].waits, "%s",
                      rows[i].name);
}

/* Both keep their order. */
TEST(waiting_rows_come_last)
{
    struct rank_row rows[] = {
        {.name = "System.Threading.Thread.Sleep(int32)"},
        {.name = "b"},
        {.name = "System.Threading.Monitor.Wait"},
        {.name = "a"},
        {.name = "c"},
    };
    static const char *const expected[] = {
        "b", "a", "c", "System.Threading.Thread.Sleep(int32)",
        "System.Threading.Monitor.Wait"};
    struct ranking r = {.rows = rows, .len = 5}, none = {.len = 0};

    ck_assert_uint_eq(waits_last(&r), 3);
    for (size_t i = 0; i < 5; i++)
        ck_assert_str_eq(rows[i].name, expected[i]);
    ck_assert_uint_eq(waits_last(&none), 0);
}
