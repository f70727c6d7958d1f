#include "engine/store/groups.h"

#include "engine/analysis/filter.h"
#include "engine/store/pack.h"
#include "engine/store/rows.h"

struct grouping {
    struct store_groups *groups;
    uint32_t *first; /* by stack: the first group of it, + 1; 0: none yet */
    struct map ids;  /* of other groups of a stack */
};

static bool is_of(const struct store_group *g, const struct samples *s,
                  size_t i)
{
    return g->thread == s->thread[i] && g->flags == s->flags[i];
}

/* Look-ups miss the cache, so each is announced a few before its turn, and
 * twice: the group is known when `first` is there. */
static void group_soon(const struct grouping *g, const struct samples *s,
                       size_t i)
{
    enum { AHEAD = 8, FAR = 16 };
    const uint32_t *first;

    if (i + FAR >= s->len)
        return;
    mem_fetch(&g->first[s->stack[i + FAR]]);
    first = &g->first[s->stack[i + AHEAD]];
    if (*first)
        mem_fetch(&g->groups->data[*first - 1]);
}

/* The group of sample `i`. A stack is mostly met on one thread, so the first
 * of it is in no map, which is slow when it is large. */
static struct store_group *group_of(struct grouping *g, const struct samples *s,
                                    size_t i)
{
    uint32_t thread = s->thread[i], stack = s->stack[i];
    uint32_t fresh = mem_next_id(g->groups->len), id = fresh;
    uint32_t *first = &g->first[stack];

    if (!*first)
        *first = fresh + 1;
    else if (is_of(&g->groups->data[*first - 1], s, i))
        id = *first - 1;
    else
        id = map_add(&g->ids, (uint64_t)thread << 32 | stack, s->flags[i],
                     fresh);
    if (id == fresh)
        *vec_add(g->groups) = (struct store_group){
            .thread = thread, .stack = stack, .flags = s->flags[i]};
    return &g->groups->data[id];
}

void store_groups_count(struct store_groups *groups, const struct profile *p)
{
    struct grouping g = {.groups = groups};

    g.first = mem_new(p->stacks.len, sizeof(*g.first));
    for (size_t i = 0; i < p->samples.len; i++) {
        struct store_group *group;

        group_soon(&g, &p->samples, i);
        group = group_of(&g, &p->samples, i);
        group->samples += sample_weight(p, i);
        if (p->samples.period)
            group->period += p->samples.period[i];
    }
    free(g.first);
    map_release(&g.ids);
}

static void write_group(struct rows *rows, struct pack *pack,
                        const struct store_group *g)
{
    rows_i64(rows, g->thread);
    rows_i64(rows, g->stack);
    rows_i64(rows, g->flags);
    rows_u64(rows, g->samples);
    rows_u64(rows, g->period);
    pack_group(pack, &(struct sample){.thread = g->thread,
                                      .stack = g->stack,
                                      .flags = g->flags,
                                      .weight = g->samples,
                                      .period = g->period});
}

int store_groups_write(struct store_groups *groups, const struct store_fill *f)
{
    struct rows rows;
    struct pack pack;
    int result, packed;

    pack_open(&pack, f, "packed_groups");
    rows_open(&rows, f, "sample_groups", 5, ROWS_NUMBERED);
    for (size_t i = 0; i < groups->len; i++)
        write_group(&rows, &pack, &groups->data[i]);
    vec_release(groups);
    result = rows_close(&rows);
    packed = pack_close(&pack);
    return result ? result : packed;
}
