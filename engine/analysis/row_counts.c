#include "engine/analysis/row_counts.h"

struct row_count *row_counts(const struct profile *p, const uint64_t *samples)
{
    const struct stack_rows *rows = &p->rows;
    struct row_count *counts = mem_new(rows->list.len, sizeof(*counts));

    for (size_t i = 0; i < rows->stacks.len; i++) {
        struct row_pair stack = rows->stacks.data[i];

        if (!samples[i])
            continue;
        counts[stack.outer].outer += samples[i];
        if (stack.inner == NO_ID)
            counts[stack.outer].alone += samples[i];
        else
            counts[stack.inner].inner += samples[i];
    }
    return counts;
}
