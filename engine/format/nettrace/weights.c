/*
 * The weights of `dotnet-trace report`: every event that it takes for a point
 * of a thread weighs the time to the thread's next point, so the last one
 * weighs nothing. Points are
 *
 *   - thread samples;
 *   - allocation ticks and sampled allocations (runtime, ids 10, 20, 32);
 *   - events of the task scheduler (ids 7, 8, 10, 11, 12);
 *   - every event of a provider whose id is a hash of its name, as those of
 *     an EventSource are: all but the few that had an id before that rule.
 *     Id 0xFFFE describes events and is none; of what the Linux recorder
 *     writes ("Universal.") only its CPU samples are.
 *
 * That tool puts a row of its own below the stack of every event of the last
 * sort; here its time is that of the function that wrote it.
 *
 * Weights are microseconds. A weight is the difference of two rounded times
 * and not a rounded difference: no error adds up however many there are.
 * (engine/attribution/clr-events.md, section 6)
 */
#include <string.h>

#include "engine/format/nettrace/nettrace.h"

static const char sampler[] = "Microsoft-DotNETCore-SampleProfiler";
static const char tasks[] = "System.Threading.Tasks.TplEventSource";
static const char universal[] = "Universal.";
static const char runtime[] = "Microsoft-Windows-DotNETRuntime";

/* Points of the providers whose id is no hash. */
static const struct {
    const char *provider;
    uint32_t id;
} points[] = {
    {sampler, 0}, {runtime, 10}, {runtime, 20}, {runtime, 32}, {tasks, 7},
    {tasks, 8},   {tasks, 10},   {tasks, 11},   {tasks, 12},
};

static bool has_hashed_id(const char *provider)
{
    static const char *const others[] = {
        sampler,
        tasks,
        runtime,
        "Microsoft-Windows-DotNETRuntimePrivate",
        "Microsoft-Windows-DotNETRuntimeRundown",
        "Microsoft-Windows-DotNETRuntimeStress",
        "System.Diagnostics.Eventing.FrameworkEventSource",
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (!strcmp(provider, others[i]))
            return false;
    return *provider;
}

bool nt_is_point(const struct nt_recording *rec, const struct nt_kind *kind)
{
    enum { MANIFEST = 0xFFFE };
    const char *provider = strings_get(rec->strings, kind->provider);

    if (!strncmp(provider, universal, sizeof(universal) - 1))
        return kind->source == NT_CPU_SAMPLE;
    if (has_hashed_id(provider))
        return kind->event_id != MANIFEST;
    for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
        if (kind->event_id == points[i].id &&
            !strcmp(provider, points[i].provider))
            return true;
    return false;
}

/* Rounded down, before time 0 too. */
static int64_t microseconds(int64_t ns)
{
    return ns / 1000 - (ns % 1000 < 0);
}

static uint64_t weight(const struct nt_sample *from, const struct nt_sample *to)
{
    return (uint64_t)microseconds(to->time) -
           (uint64_t)microseconds(from->time);
}

void nt_weigh(struct nt_recording *rec)
{
    struct nt_sample *samples = rec->samples.data;
    size_t threads = rec->seen->thread_keys.len;
    size_t *last = mem_new(threads, sizeof(*last)); /* + 1; 0: none yet */

    for (size_t i = 0; i < rec->samples.len; i++) {
        size_t *at = &last[samples[i].thread_key];

        samples[i].weight = 0;
        if (*at)
            samples[*at - 1].weight = weight(&samples[*at - 1], &samples[i]);
        *at = i + 1;
    }
    free(last);
}
