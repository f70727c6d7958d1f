#include "engine/events/enums.h"

#include <assert.h>
#include <string.h>

static const struct event_names *find(const struct event_names *list,
                                      size_t count, const char *name, size_t n)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i].name) == n && !memcmp(list[i].name, name, n))
            return &list[i];
    return NULL;
}

const struct event_names *enum_named(const char *name, size_t n)
{
    const struct event_names *found = find(clr_enums, clr_enums_count, name, n);

    if (!found)
        found = find(kernel_enums, kernel_enums_count, name, n);
    assert(found);
    return found;
}
