/*
 * Methods that .NET compiled while it was recorded, and how long that took.
 *
 *   145  Method/JittingStarted  u64 method, ...; the compiler begins
 *   141, 143  Method/Load       u64 method, ..., 32 u32 flags: code is there
 *
 * A thread compiles one body of a method at a time, so it took from a start to
 * the next load of the same method by the same thread. Loads of code that was
 * compiled before (flag 8 is off) are not counted. (clr-events.md, section 9)
 */
#include "engine/attribution/clr.h"

#include <stdlib.h>

enum { JITTING_STARTED = 145, LOAD = 141, LOAD_VERBOSE = 143 };

bool clr_is_jit_start(enum clr_provider provider, uint16_t id)
{
    return provider == CLR_RUNTIME && id == JITTING_STARTED;
}

void clr_jit_take(struct observations *seen, const struct clr_event *event,
                  const uint8_t *payload, size_t size)
{
    enum { FLAGS_AT = 32 };
    struct observed_jit step = {
        .time = event->time,
        .pid = event->pid,
        .thread = event->thread,
        .starts = event->id == JITTING_STARTED,
    };
    struct clr_code code;

    if (event->provider != CLR_RUNTIME || size < FLAGS_AT + 4 ||
        (event->id != JITTING_STARTED && event->id != LOAD &&
         event->id != LOAD_VERBOSE))
        return;
    step.method_id = load_u64(payload);
    code = clr_code_of(load_u32(payload + FLAGS_AT));
    if (!step.starts && (!code.compiled || code.cold))
        return;
    step.tier = code.tier;
    *vec_add(&seen->jits) = step;
}

static int compare_jits(const void *x, const void *y)
{
    const struct observed_jit *a = x, *b = y;

    if (a->pid != b->pid)
        return a->pid < b->pid ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (a->method_id != b->method_id)
        return a->method_id < b->method_id ? -1 : 1;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return b->starts - a->starts;
}

void clr_jit_state(struct observations *seen)
{
    const struct observed_jit *list = seen->jits.data;
    uint64_t methods = 0, timed = 0, ns = 0, by_tier[CODE_TIERS] = {0};
    struct profile *p = seen->profile;

    if (seen->jits.len)
        qsort(seen->jits.data, seen->jits.len, sizeof(*list), compare_jits);
    for (size_t i = 0; i < seen->jits.len; i++) {
        const struct observed_jit *step = &list[i];

        if (step->starts)
            continue;
        methods++;
        by_tier[step->tier]++;
        if (!i || !step[-1].starts || step[-1].pid != step->pid ||
            step[-1].thread != step->thread ||
            step[-1].method_id != step->method_id)
            continue;
        timed++;
        ns += (uint64_t)step->time - (uint64_t)step[-1].time;
    }
    if (!methods)
        return;
    profile_number(p, FACT_COMPILED, methods, "%llu",
                   (unsigned long long)methods);
    if (timed)
        profile_number(p, FACT_COMPILING, ns, "%llu ns",
                       (unsigned long long)ns);
    for (unsigned i = 1; i < CODE_TIERS; i++) {
        struct out *name = out_memory();

        out_fmt(name, "methods compiled, %s", code_tier_name(i));
        if (by_tier[i])
            profile_number(p, out_text(name, NULL), by_tier[i], "%llu",
                           (unsigned long long)by_tier[i]);
        out_close(name, NULL);
    }
}
