/*
 * What event types are called in counts: "PerfInfo/SampleProf" for the ones
 * everybody meets, "Process/0x27" for the rest, "provider/id" for manifest
 * events, "class#opcode" for classic ones.
 */
#include <stdio.h>
#include <string.h>

#include "engine/format/etl/etl.h"
#include "engine/format/etl/guids.h"
#include "engine/format/etl/hooks.h"
#include "engine/format/etl/names.h"

static const char *const groups[] = {
    "EventTrace", "DiskIo",     "PageFault",  "Process",     "FileIo",
    "Thread",     "TcpIp",      "Job",        "UdpIp",       "Registry",
    "DbgPrint",   "SystemConfig", "Spare",    "WNF",         "Pool",
    "PerfInfo",   "Heap",       "Object",     "Power",       "ModBound",
    "Image",      "DPC",        "Cc",         "CritSec",     "StackWalk",
    "UMS",        "ALPC",       "SplitIo",    "ThreadPool",  "Hypervisor",
    "HypervisorX",
};

void etl_counts_init(struct etl_counts *counts)
{
    *counts = (struct etl_counts){0};
    counts->hooks = mem_new(ETL_HOOKS, sizeof(*counts->hooks));
}

void etl_counts_release(struct etl_counts *counts)
{
    free(counts->hooks);
    map_release(&counts->providers);
    vec_release(&counts->entries);
}

void etl_hook_name(uint16_t hook, char name[ETL_NAME_SIZE])
{
    const struct etl_hook *known = etl_hook_find(hook);
    unsigned group = hook >> 8;

    if (known)
        snprintf(name, ETL_NAME_SIZE, "%s", known->name);
    else if (group < sizeof(groups) / sizeof(groups[0]))
        snprintf(name, ETL_NAME_SIZE, "%s/0x%02x", groups[group], hook & 0xFF);
    else
        snprintf(name, ETL_NAME_SIZE, "group 0x%02x/0x%02x", group, hook & 0xFF);
}

static void provider_name(const struct etl_provider_count *entry,
                          char name[ETL_NAME_SIZE])
{
    const char *known = etl_provider_name(entry->guid);
    const uint8_t *g = entry->guid;
    char guid[40];

    snprintf(guid, sizeof(guid),
             "%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x", load_u32(g),
             load_u16(g + 4), load_u16(g + 6), g[8], g[9], g[10], g[11],
             g[12], g[13], g[14], g[15]);
    snprintf(name, ETL_NAME_SIZE, "%s%c%u", known ? known : guid,
             entry->classic ? '#' : '/', entry->id);
}

struct named_count {
    char name[ETL_NAME_SIZE];
    uint64_t count;
};

static int compare_named(const void *a, const void *b)
{
    const struct named_count *x = a, *y = b;

    return strcmp(x->name, y->name);
}

static uint64_t hook_total(struct etl_counts *const *counts, size_t n,
                           size_t hook)
{
    uint64_t total = 0;

    for (size_t i = 0; i < n; i++)
        total += counts[i]->hooks[hook];
    return total;
}

/* Workers met events in any order: sorting by name makes the result theirs
 * no more. */
void etl_counts_report(struct etl_counts *const *counts, size_t n,
                       struct profile *p)
{
    VEC(struct named_count) all = {0};
    uint64_t total, stacks = 0;

    for (size_t hook = 0; hook < ETL_HOOKS; hook++) {
        total = hook_total(counts, n, hook);
        if (!total)
            continue;
        etl_hook_name((uint16_t)hook, vec_add(&all)->name);
        all.data[all.len - 1].count = total;
    }
    for (size_t i = 0; i < n; i++) {
        p->quality.malformed += counts[i]->malformed;
        p->trace.idle_not_kept += counts[i]->idle_not_kept;
        stacks += counts[i]->event_stacks;
        for (size_t j = 0; j < counts[i]->entries.len; j++) {
            provider_name(&counts[i]->entries.data[j], vec_add(&all)->name);
            all.data[all.len - 1].count = counts[i]->entries.data[j].count;
        }
    }
    if (all.len)
        qsort(all.data, all.len, sizeof(*all.data), compare_named);
    for (size_t i = 0; i < all.len; i++)
        profile_count_event(p, all.data[i].name, all.data[i].count);
    p->quality.event_stacks += stacks;
    vec_release(&all);
}
