#include "engine/model/collections.h"

#include <stddef.h>
#include <string.h>

/* Databases hold the numbers. */
static const char *const kinds[] = {
    "blocking",
    "background",
    "foreground",
    /* collectors of Java */
    "G1New",
    "G1Old",
    "G1Full",
    "DefNew",
    "ParNew",
    "ParallelScavenge",
    "SerialOld",
    "ParallelOld",
    "ConcurrentMarkSweep",
    "Z",
    "ZGC Minor",
    "ZGC Major",
    "Shenandoah",
};

static const char *const reasons[] = {
    "AllocSmall",
    "Induced",
    "LowMemory",
    "Empty",
    "AllocLarge",
    "OutOfSpaceSOH",
    "OutOfSpaceLOH",
    "InducedNotForced",
    "Internal",
    "InducedLowMemory",
    "InducedCompacting",
    "LowMemoryHost",
    "PMFullGC",
    "LowMemoryHostBlocking",
    /* of Java */
    "System.gc()",
    "Allocation Failure",
    "GCLocker Initiated GC",
    "Heap Inspection Initiated GC",
    "Heap Dump Initiated GC",
    "Metadata GC Threshold",
    "Metadata GC Clear Soft References",
    "Ergonomics",
    "G1 Evacuation Pause",
    "G1 Humongous Allocation",
    "G1 Compaction Pause",
    "G1 Periodic Collection",
    "G1 Preventive Collection",
    "Last ditch collection",
    "Diagnostic Command",
    "Concurrent GC",
    "Upgrade To Full GC",
    "Timer",
    "Warmup",
    "Allocation Rate",
    "Allocation Stall",
    "High Usage",
    "Proactive",
    "CodeCache GC Threshold",
    "CodeCache GC Aggressive",
};

enum {
    KINDS = sizeof(kinds) / sizeof(*kinds),
    REASONS = sizeof(reasons) / sizeof(*reasons),
};

static uint8_t number_of(const char *name, const char *const *names, size_t n)
{
    uint8_t i = 0;

    while (i < n && strcmp(names[i], name) != 0)
        i++;
    return i < n ? i : UINT8_MAX;
}

const char *collection_kind(unsigned kind)
{
    return kind < KINDS ? kinds[kind] : "";
}

const char *collection_reason(unsigned reason)
{
    return reason < REASONS ? reasons[reason] : "";
}

uint8_t collection_kind_named(const char *name)
{
    return number_of(name, kinds, KINDS);
}

uint8_t collection_reason_named(const char *name)
{
    return number_of(name, reasons, REASONS);
}
