#include "engine/model/collections.h"

#include <stddef.h>

const char *collection_kind(unsigned kind)
{
    static const char *const names[] = {"blocking", "background", "foreground"};

    return kind < sizeof(names) / sizeof(*names) ? names[kind] : "";
}

const char *collection_reason(unsigned reason)
{
    static const char *const names[] = {
        "AllocSmall",        "Induced",
        "LowMemory",         "Empty",
        "AllocLarge",        "OutOfSpaceSOH",
        "OutOfSpaceLOH",     "InducedNotForced",
        "Internal",          "InducedLowMemory",
        "InducedCompacting", "LowMemoryHost",
        "PMFullGC",          "LowMemoryHostBlocking",
    };

    return reason < sizeof(names) / sizeof(*names) ? names[reason] : "";
}
