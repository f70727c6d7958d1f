/* Of the Windows kernel. */
#include "engine/events/enums.h"

/* clang-format off: tables */
static const struct event_name process_flags[] = {
    {0x0, "None"},      {0x1, "PackageFullName"}, {0x2, "Wow64"},
    {0x4, "Protected"}, {0x8, "Packaged"},
};

static const struct event_name io_priority[] = {
    {0x0, "Notset"}, {0x1, "Verylow"}, {0x2, "Low"}, {0x3, "Normal"},
    {0x4, "High"}, {0x5, "Critical"}, {0x6, "Reserved0"}, {0x7, "Reserved1"},
    {0x8, "Max"},
};

static const struct event_name irp_flags[] = {
    {0x0, "None"}, {0x1, "Nocache"}, {0x2, "PagingIo"},
    {0x4, "SynchronousApi"}, {0x8, "AssociatedIrp"}, {0x10, "BufferedIO"},
    {0x20, "DeallocateBuffer"}, {0x40, "InputOperation"}, {0x80, "Create"},
    {0x100, "Read"}, {0x200, "Write"}, {0x400, "Close"},
    {0x800, "DeferIOCompletion"}, {0x1000, "ObQueryName"},
    {0x2000, "HoldDeviceQueue"}, {0xe0000, "PriorityMask"},
};

static const struct event_name page_kind[] = {
    {0x0, "ProcessPrivate"}, {0x1, "File"}, {0x2, "PageFileMapped"},
    {0x3, "PageTable"}, {0x4, "PagedPool"}, {0x5, "NonPagedPool"},
    {0x6, "SystemPTE"}, {0x7, "SessionPrivate"}, {0x8, "MetaFile"},
    {0x9, "AwePage"}, {0xa, "DriverLockPage"}, {0xb, "KernelStack"},
    {0xc, "WSMetaData"}, {0xd, "LargePage"},
};

static const struct event_name page_list[] = {
    {0x0, "Zero"}, {0x1, "Free"}, {0x2, "Standby"}, {0x3, "Modified"},
    {0x4, "ModifiedNoWrite"}, {0x5, "Bad"}, {0x6, "Active"},
    {0x7, "Transition"},
};

static const struct event_name adjust_reason[] = {
    {0x0, "None"}, {0x1, "Unwait"}, {0x2, "Boost"},
};

static const struct event_name ready_thread_flags[] = {
    {0x1, "ReadiedFromDPC"},
    {0x2, "KernelSwappedOut"},
    {0x4, "ProcessSwappedOut"},
    {0x8, "DirectSwitchAttempt"},
};

static const struct event_name virtual_alloc_flags[] = {
    {0x1000, "MEM_COMMIT"}, {0x2000, "MEM_RESERVE"}, {0x4000, "MEM_DECOMMIT"},
    {0x8000, "MEM_RELEASE"},
};

static const struct event_name thread_wait_reason[] = {
    {0, "Executive"}, {1, "FreePage"}, {2, "PageIn"}, {3, "SystemAllocation"},
    {4, "ExecutionDelay"}, {5, "Suspended"}, {6, "UserRequest"},
    {7, "WrExecutive"}, {8, "WrFreePage"}, {9, "WrPageIn"},
    {10, "WrSystemAllocation"}, {11, "WrExecutionDelay"},
    {12, "WrSuspended"}, {13, "WrUserRequest"}, {14, "EventPair"},
    {15, "Queue"}, {16, "LpcReceive"}, {17, "LpcReply"},
    {18, "VirtualMemory"}, {19, "PageOut"}, {20, "Rendezvous"},
    {21, "KeyedEvent"}, {22, "Terminated"}, {23, "ProcessInSwap"},
    {24, "CpuRateControl"}, {25, "CalloutStack"}, {26, "Kernel"},
    {27, "Resource"}, {28, "PushLock"}, {29, "Mutex"}, {30, "QuantumEnd"},
    {31, "DispatchInt"}, {32, "Preempted"}, {33, "YieldExecution"},
    {34, "FastMutex"}, {35, "GuardedMutex"}, {36, "Rundown"},
    {37, "AlertByThreadId"}, {38, "DeferredPreempt"},
};

static const struct event_name thread_state[] = {
    {0, "Initialized"}, {1, "Ready"}, {2, "Running"}, {3, "Standby"},
    {4, "Terminated"}, {5, "Wait"}, {6, "Transition"}, {7, "DeferredReady"},
};

static const struct event_name thread_wait_mode[] = {
    {0, "NonSwap"}, {1, "Swappable"},
};

static const struct event_name file_share[] = {
    {0, "None"}, {1, "Read"}, {2, "Write"}, {4, "Delete"},
};
/* clang-format on */

const struct event_names kernel_enums[] = {
    NAMES(process_flags, "ProcessFlags", true),
    NAMES(io_priority, "IOPriority", false),
    NAMES(irp_flags, "IrpFlags", true),
    NAMES(page_kind, "PageKind", false),
    NAMES(page_list, "PageList", false),
    NAMES(adjust_reason, "AdjustReason", false),
    NAMES(ready_thread_flags, "ReadyThreadFlags", true),
    NAMES(virtual_alloc_flags, "VirtualAllocFlags", true),
    NAMES(thread_wait_reason, "ThreadWaitReason", false),
    NAMES(thread_state, "ThreadState", false),
    NAMES(thread_wait_mode, "ThreadWaitMode", false),
    NAMES(file_share, "FileShare", true),
};

const size_t kernel_enums_count = sizeof(kernel_enums) / sizeof(kernel_enums[0]);
