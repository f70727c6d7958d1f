/* How many events of each kind there were, by the names of raw events. */
#include <string.h>

#include "engine/format/etl/etl.h"
#include "engine/format/etl/hooks.h"

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
    arena_release(&counts->kept);
}

static const char *name_of_kind(struct event_naming *naming,
                                const struct etl_provider_count *kind)
{
    static const uint8_t nobody[16];

    return naming->name(naming,
                        &(struct kind_request){
                            .guid = kind->guid,
                            .name = kind->message                    ? "Message"
                                    : memcmp(kind->guid, nobody, 16) ? NULL
                                                                     : "Record",
                            .id = kind->id,
                            .version = kind->version,
                            .opcode = kind->opcode,
                            .classic = kind->classic,
                            .width = 8,
                            .tracelogging = kind->tracelogging,
                            .traits = kind->traits,
                        });
}

struct named_count {
    const char *name;
    uint64_t count;
};

static int compare_named(const void *a, const void *b)
{
    const struct named_count *x = a, *y = b;

    return strcmp(x->name, y->name);
}

/* Workers meet events in any order, so their counts are sorted by name. Counts
 * of one name are added up. */
void etl_counts_report(struct etl_counts *const *counts, size_t n,
                       struct observations *seen)
{
    struct profile *p = seen->profile;
    struct trace_info *t = &p->trace;
    VEC(struct named_count) all = {0};
    uint64_t total, stacks = 0;

    for (size_t hook = 0; hook < ETL_HOOKS; hook++) {
        struct kind_request kind = {.is_hook = true,
                                    .hook = (uint16_t)hook,
                                    .version = UINT8_MAX,
                                    .width = 8};

        total = 0;
        for (size_t i = 0; i < n; i++)
            total += counts[i]->hooks[hook];
        if (total)
            *vec_add(&all) = (struct named_count){
                seen->naming->name(seen->naming, &kind), total};
    }
    for (size_t i = 0; i < n; i++) {
        p->quality.malformed += counts[i]->malformed;
        p->trace.idle_not_kept += counts[i]->idle_not_kept;
        stacks += counts[i]->event_stacks;
        for (size_t j = 0; j < counts[i]->entries.len; j++) {
            const struct etl_provider_count *kind = &counts[i]->entries.data[j];

            *vec_add(&all) = (struct named_count){
                name_of_kind(seen->naming, kind), kind->count};
        }
    }
    if (all.len)
        qsort(all.data, all.len, sizeof(*all.data), compare_named);
    for (size_t i = 0; i < all.len; i++) {
        const char *name = all.data[i].name;

        if (!i || strcmp(name, all.data[i - 1].name) != 0)
            *vec_add(&t->event_counts) = (struct event_count){
                strings_add(p->strings, name, strlen(name)), 0};
        t->event_counts.data[t->event_counts.len - 1].count +=
            all.data[i].count;
        t->events += all.data[i].count;
    }
    p->quality.event_stacks += stacks;
    vec_release(&all);
}
