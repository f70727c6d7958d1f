#include "engine/format/etl/hooks.h"

#include <stddef.h>
#include <stdio.h>

/* Kind, name in counts, use, and what it says of the life of its thing. */
#define HOOKS(ROW)                                                             \
    ROW(0x0000, "EventTrace/Header", USE_COUNT, 0)                             \
    ROW(0x0005, "EventTrace/Extension", USE_GROUP_MASKS, 0)                    \
    ROW(0x0008, "EventTrace/RundownComplete", USE_COUNT, 0)                    \
    ROW(0x0020, "EventTrace/EndExtension", USE_COUNT, 0)                       \
    ROW(0x0050, "EventTrace/PartitionInfo", USE_COUNT, 0)                      \
    ROW(0x010A, "DiskIo/Read", USE_COUNT, 0)                                   \
    ROW(0x010B, "DiskIo/Write", USE_COUNT, 0)                                  \
    ROW(0x010C, "DiskIo/ReadInit", USE_COUNT, 0)                               \
    ROW(0x010D, "DiskIo/WriteInit", USE_COUNT, 0)                              \
    ROW(0x0220, "PageFault/HardFault", USE_COUNT, 0)                           \
    ROW(0x0301, "Process/Start", USE_PROCESS, SEEN_BEGIN)                      \
    ROW(0x0302, "Process/End", USE_PROCESS, SEEN_END)                          \
    ROW(0x0303, "Process/DCStart", USE_PROCESS, SEEN_AT_START)                 \
    ROW(0x0304, "Process/DCEnd", USE_PROCESS, SEEN_AT_STOP)                    \
    ROW(0x030A, "Image/Load", USE_IMAGE, SEEN_BEGIN)                           \
    ROW(0x030B, "Process/Terminate", USE_COUNT, 0)                             \
    ROW(0x0327, "Process/Defunct", USE_DEFUNCT, SEEN_END)                      \
    ROW(0x0501, "Thread/Start", USE_THREAD, SEEN_BEGIN)                        \
    ROW(0x0502, "Thread/End", USE_THREAD, SEEN_END)                            \
    ROW(0x0503, "Thread/DCStart", USE_THREAD, SEEN_AT_START)                   \
    ROW(0x0504, "Thread/DCEnd", USE_THREAD, SEEN_AT_STOP)                      \
    ROW(0x0524, "Thread/CSwitch", USE_COUNT, 0)                                \
    ROW(0x0532, "Thread/ReadyThread", USE_COUNT, 0)                            \
    ROW(0x0548, "Thread/SetName", USE_THREAD_NAME, 0)                          \
    ROW(0x0B0A, "SystemConfig/0x0a", USE_CPU_CONFIG, 0)                        \
    ROW(0x0F2E, "PerfInfo/SampleProf", USE_SAMPLE, 0)                          \
    ROW(0x0F2F, "PerfInfo/PmcProf", USE_COUNTER, 0)                            \
    ROW(0x0F32, "PerfInfo/ISR-MSI", USE_COUNT, 0)                              \
    ROW(0x0F33, "PerfInfo/SysCallEnter", USE_COUNT, 0)                         \
    ROW(0x0F34, "PerfInfo/SysCallExit", USE_COUNT, 0)                          \
    ROW(0x0F42, "PerfInfo/ThreadedDPC", USE_COUNT, 0)                          \
    ROW(0x0F43, "PerfInfo/ISR", USE_COUNT, 0)                                  \
    ROW(0x0F44, "PerfInfo/DPC", USE_COUNT, 0)                                  \
    ROW(0x0F45, "PerfInfo/TimerDPC", USE_COUNT, 0)                             \
    ROW(0x0F48, "PerfInfo/SetInterval", USE_INTERVAL, 0)                       \
    ROW(0x0F49, "PerfInfo/CollectionStart", USE_INTERVAL_AT_START, 0)          \
    ROW(0x0F4A, "PerfInfo/CollectionEnd", USE_INTERVAL, 0)                     \
    ROW(0x1402, "Image/Unload", USE_IMAGE, SEEN_END)                           \
    ROW(0x1403, "Image/DCStart", USE_IMAGE, SEEN_AT_START)                     \
    ROW(0x1404, "Image/DCEnd", USE_IMAGE, SEEN_AT_STOP)                        \
    ROW(0x1421, "Image/KernelBase", USE_COUNT, 0)                              \
    ROW(0x1422, "Image/HypercallPage", USE_HYPERCALL_PAGE, 0)                  \
    ROW(0x1820, "StackWalk/Stack", USE_STACK, 0)                               \
    ROW(0x1822, "StackWalk/KeyCreate", USE_DEFINITION, 0)                      \
    ROW(0x1823, "StackWalk/KeyDelete", USE_DEFINITION, 0)                      \
    ROW(0x1824, "StackWalk/KeyRundown", USE_DEFINITION, 0)                     \
    ROW(0x1825, "StackWalk/KeyKernel", USE_KERNEL_KEY, 0)                      \
    ROW(0x1826, "StackWalk/KeyUser", USE_USER_KEY, 0)

#define AS_ROW(hook, name, use, life) {hook, name, use, life},
#define AS_USE(hook, name, use, life) [hook] = (use),

static const struct etl_hook rows[] = {HOOKS(AS_ROW)};

const uint8_t etl_hook_uses[ETL_HOOK_ROWS_END] = {HOOKS(AS_USE)};

const struct etl_hook *etl_hook_find(uint16_t hook)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (rows[i].hook == hook)
            return &rows[i];
    return NULL;
}

/* Names of groups of kernel events, as profilers of Windows print them. */
static const char *const groups[] = {
    "EventTrace", "DiskIo",     "PageFault",  "Process",     "FileIo",
    "Thread",     "TcpIp",      "Job",        "UdpIp",       "Registry",
    "DbgPrint",   "SystemConfig", "Spare",    "WNF",         "Pool",
    "PerfInfo",   "Heap",       "Object",     "Power",       "ModBound",
    "Image",      "DPC",        "Cc",         "CritSec",     "StackWalk",
    "UMS",        "ALPC",       "SplitIo",    "ThreadPool",  "Hypervisor",
    "HypervisorX",
};

void etl_hook_name(uint16_t hook, char name[ETL_NAME_SIZE])
{
    const struct etl_hook *known = etl_hook_find(hook);
    unsigned group = hook >> 8;

    if (known)
        snprintf(name, ETL_NAME_SIZE, "%s", known->name);
    else if (group < sizeof(groups) / sizeof(groups[0]))
        snprintf(name, ETL_NAME_SIZE, "%s/0x%02x", groups[group], hook & 0xFF);
    else
        snprintf(name, ETL_NAME_SIZE, "group 0x%02x/0x%02x", group,
                 hook & 0xFF);
}
