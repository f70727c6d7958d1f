#include "engine/diff/pair.h"

/* What tells the sides apart, whichever of them is first. */
struct extent {
    uint64_t samples, stacks, functions;
};

static struct extent extent_of(const struct diff_input *inputs, size_t n,
                               bool after)
{
    struct extent e = {0, 0, 0};

    for (size_t i = 0; i < n; i++) {
        if (inputs[i].after != after)
            continue;
        e.samples += inputs[i].sel->samples;
        e.stacks += inputs[i].p->stacks.len;
        e.functions += inputs[i].p->functions.len;
    }
    return e;
}

static bool is_smaller(const struct extent *a, const struct extent *b)
{
    if (a->samples != b->samples)
        return a->samples < b->samples;
    if (a->stacks != b->stacks)
        return a->stacks < b->stacks;
    return a->functions < b->functions;
}

size_t *diff_inputs_order(const struct diff_input *inputs, size_t n)
{
    struct extent before = extent_of(inputs, n, false);
    struct extent after = extent_of(inputs, n, true);
    bool side = is_smaller(&after, &before);
    size_t *order = mem_new(n, sizeof(*order)), at = 0;

    for (int i = 0; i < 2; i++, side = !side)
        for (size_t j = 0; j < n; j++)
            if (inputs[j].after == side)
                order[at++] = j;
    return order;
}
