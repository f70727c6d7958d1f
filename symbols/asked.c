#include "symbols/asked.h"

/*
 * Whether an address is one that a call returns to. A caller's is; what was
 * interrupted stands where the processor stopped, but for the code of a
 * runtime that stops its threads at calls (profile_leaves_return).
 *
 * This is the one place that decides it, by the role of the location.
 */
static bool is_return(const struct asked *a, const struct profile *p)
{
    return a->caller || (!code_is_native(a->kind) && profile_leaves_return(p));
}

struct asked asked_of(const struct profile *p, uint32_t location)
{
    const struct location *l = &p->locations.data[location];
    struct asked a = {
        .location = location,
        .module = l->module,
        .method = l->method,
        .address = l->address,
        .kind = l->kind,
        .cause = l->cause,
        .caller = l->caller,
        .subject = NO_ID,
    };

    a.returns = is_return(&a, p);
    return a;
}
