/*
 * choice - which events of a log are its samples.
 *
 *     struct etl_choice choice = {0};           CPU samples
 *     if (!etl_choice_make(&choice, "cswitch"))
 *         refuse();
 *     if (etl_choice_takes_hook(&choice, hook))
 *         ...
 *
 * A name is a short one ("allocation", "pmc:CacheMisses"), or an event's as
 * counts have it ("Image/Load", "Microsoft-Windows-DotNETRuntime/10"). The name
 * decides the weight of an event: most count once. (format.md, section 5.8)
 */
#ifndef TOPFN_ETL_CHOICE_H
#define TOPFN_ETL_CHOICE_H

#include "engine/base/out.h"
#include "engine/format/etl/event.h"
#include "engine/model/metric.h"

enum etl_weighing {
    WEIGH_ONE,
    WEIGH_TICK,    /* bytes of an allocation tick */
    WEIGH_HEAP,    /* bytes of an allocation from a heap */
    WEIGH_RESERVE, /* bytes of address space */
    WEIGH_FAULT,   /* nanoseconds until the page was there */
    WEIGH_HAPPENING, /* no weight: what a switch or a wakeup tells of threads
                        (attribution/thread_time.h) */
};

enum { ANY_SOURCE = UINT32_MAX };

struct etl_choice {
    const char *name; /* as asked for; NULL: CPU samples */
    enum metric_id metric;
    enum etl_weighing weighing;
    uint32_t source; /* of a counter; ANY_SOURCE: all */
    bool with_cpu;   /* CPU samples as well */
    bool provider;   /* of events by `guid` and `id`, not by hook */
    bool classic;    /* `id` is an opcode */
    uint8_t guid[16];
    uint16_t id;
    uint8_t *hooks; /* a bit each; NULL: none */
    /* The name of a TraceLogging event, as providers often have one id for all:
     * "Name", or "Name!Type", which is called "Name" or "NameType". NULL: any
     * of the id. */
    const char *event;
    /* Several names between line feeds are several choices: of what events are
     * called, providers may share it. */
    struct etl_choice *next; /* NULL: the last */
    char *text;              /* what `event` points into; or NULL */
};

/* False: no event could be called so. Release afterwards, either way. */
bool etl_choice_make(struct etl_choice *choice, const char *name);
void etl_choice_release(struct etl_choice *choice);

static inline bool etl_choice_takes_hook(const struct etl_choice *choice,
                                         uint16_t hook)
{
    for (; choice; choice = choice->next)
        if (choice->hooks && choice->hooks[hook / 8] >> hook % 8 & 1)
            return true;
    return false;
}

/* True if events of the provider may be among them. */
bool etl_choice_takes_provider(const struct etl_choice *choice,
                               const uint8_t guid[16]);

/* The same for an event of a provider, perhaps with a schema, or a classic
 * one. */
bool etl_choice_takes_event(const struct etl_choice *choice,
                            const uint8_t guid[16], uint16_t id, bool classic,
                            struct bytes tracelogging);

/* The weight of a chosen event, 1 at least. `frequency`: ticks of the
 * log's clock per second. */
uint64_t etl_choice_weight(const struct etl_choice *choice,
                           const struct etl_event *e, uint64_t frequency);

struct etl_counts;

/* The short names of what was met, separated by ", ". */
void etl_choice_list(struct etl_counts *const *counts, size_t n,
                     struct out *out);

/* Those that are not chosen, with their counts, as the fact FACT_ALSO
 * (model/trace.h) has them. */
void etl_choice_list_others(const struct etl_choice *choice,
                            struct etl_counts *const *counts, size_t n,
                            struct out *out);

/* "CacheMisses", or NULL: what Windows calls a source of samples. */
const char *etl_source_name(uint32_t source);

#endif
