#include "engine/store/groups.h"

#include "engine/analysis/filter.h"
#include "engine/store/rows.h"

struct group {
    uint32_t thread, stack;
    uint64_t samples, period;
    uint16_t flags;
};

typedef VEC(struct group) group_list;

static void count_groups(group_list *groups, const struct profile *p)
{
    const struct samples *s = &p->samples;
    struct map ids = {0};

    for (size_t i = 0; i < s->len; i++) {
        uint32_t fresh = mem_next_id(groups->len);
        uint32_t id = map_add(&ids, (uint64_t)s->thread[i] << 32 | s->stack[i],
                              s->flags[i], fresh);

        if (id == fresh)
            *vec_add(groups) = (struct group){.thread = s->thread[i],
                                              .stack = s->stack[i],
                                              .flags = s->flags[i]};
        groups->data[id].samples += sample_weight(p, i);
        if (s->period)
            groups->data[id].period += s->period[i];
    }
    map_release(&ids);
}

int store_groups_write(const struct store_fill *f, const struct profile *p)
{
    group_list groups = {0};
    struct rows rows;

    count_groups(&groups, p);
    rows_open(&rows, f, "sample_groups", 6);
    for (size_t i = 0; i < groups.len; i++) {
        const struct group *g = &groups.data[i];

        rows_id(&rows, i + 1);
        rows_i64(&rows, g->thread);
        rows_i64(&rows, g->stack);
        rows_i64(&rows, g->flags);
        rows_u64(&rows, g->samples);
        rows_u64(&rows, g->period);
    }
    vec_release(&groups);
    return rows_close(&rows);
}
