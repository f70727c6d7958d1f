#include "engine/model/deep_stacks.h"

#include "engine/base/mem.h"

/* A parent has a smaller id than what is on it. */
static uint32_t *depths_of(const struct profile *p, uint32_t *deepest)
{
    uint32_t *depths = mem_new(p->stacks.len + 1, sizeof(*depths));

    *deepest = 0;
    for (size_t i = 1; i < p->stacks.len; i++) {
        depths[i] = depths[p->stacks.data[i].parent] + 1;
        if (depths[i] > *deepest)
            *deepest = depths[i];
    }
    return depths;
}

static bool is_too_much(const struct profile *p, const uint32_t *depths)
{
    uint64_t most =
        DEEP_FRAMES_FREE + DEEP_FRAMES_PER_STACK * (uint64_t)p->stacks.len;
    bool *met = mem_new(p->stacks.len, sizeof(*met));
    uint64_t sum = 0;

    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t stack = p->samples.stack[i];

        if (depths[stack] > STACK_USUAL_DEEPEST && !met[stack])
            sum += depths[stack] - STACK_USUAL_DEEPEST;
        met[stack] = true;
    }
    free(met);
    return sum > most;
}

static uint64_t cut_stacks(struct profile *p, uint32_t *depths, uint32_t most)
{
    bool *cut = mem_new(p->stacks.len, sizeof(*cut));
    uint64_t count = 0;

    for (size_t i = 1; i < p->stacks.len; i++) {
        struct stack *s = &p->stacks.data[i];

        cut[i] = cut[s->parent];
        if (depths[s->parent] == most) {
            s->parent = 0;
            cut[i] = true;
            count++;
        }
        depths[i] = depths[s->parent] + 1;
    }
    for (size_t i = 0; i < p->samples.len; i++)
        if (cut[p->samples.stack[i]])
            p->samples.flags[i] =
                stack_end_put(p->samples.flags[i], STACK_END_DEPTH);
    free(cut);
    return count;
}

void profile_bound_stacks(struct profile *p)
{
    uint32_t deepest, *depths = depths_of(p, &deepest);
    bool too_much = deepest > STACK_USUAL_DEEPEST && is_too_much(p, depths);
    uint32_t most = too_much ? STACK_USUAL_DEEPEST : STACK_DEEPEST;
    uint64_t count = deepest > most ? cut_stacks(p, depths, most) : 0;

    free(depths);
    if (!count)
        return;
    p->quality.cut_stacks += count;
    profile_warn(p,
                 "stacks deeper than %u frames, cut to the innermost%s: %llu",
                 most, too_much ? ", as all together have too many frames" : "",
                 (unsigned long long)count);
}
