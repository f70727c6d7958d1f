#include "engine/format/etl/runs.h"

struct etl_runs etl_runs_new(struct callchains *chains)
{
    struct etl_runs runs = {
        .chains = chains,
        .last_leaf = callchains_add_address(chains, 0),
    };

    return runs;
}

void etl_runs_release(struct etl_runs *runs)
{
    vec_release(&runs->ids);
}

struct etl_part etl_runs_part(struct etl_runs *runs,
                              const struct etl_fact *fact, bool lasting)
{
    uint32_t *id;

    while (runs->ids.len <= fact->run)
        *vec_add(&runs->ids) = 0;
    id = &runs->ids.data[fact->run];
    if (!*id)
        *id = callchains_append(runs->chains, etl_fact_frames(fact), lasting);
    return (struct etl_part){*id, PART_FRAMES};
}

struct etl_part etl_runs_frames(struct etl_runs *runs,
                                const struct etl_fact *fact, uint32_t start,
                                uint32_t end, bool lasting)
{
    struct callchain run = etl_fact_frames(fact);

    run.frames += (size_t)start * run.width;
    run.count = end - start;

    return (struct etl_part){callchains_add(runs->chains, &run,
                                            callchain_fingerprint(&run),
                                            lasting),
                             PART_FRAMES};
}

/* Idle samples mostly have one address and no stack: the last one is
 * remembered. */
struct etl_part etl_runs_stand_in(struct etl_runs *runs, struct etl_part user,
                                  uint64_t address, uint64_t kernel_from)
{
    if (user.kind && address < kernel_from)
        return etl_no_part;
    if (address != runs->last_address) {
        runs->last_leaf = callchains_add_address(runs->chains, address);
        runs->last_address = address;
    }
    return (struct etl_part){runs->last_leaf, PART_ADDRESS};
}
