#include "engine/attribution/sampled_addresses.h"

#include <stdlib.h>

#include "engine/base/bisect.h"

static int compare_addresses(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

void sampled_addresses_init(struct sampled_addresses *s,
                            const struct callchains *runs)
{
    VEC(uint64_t) list = {0};
    struct map seen = {0};

    for (size_t i = 0; i < runs->list.len; i++) {
        const struct callchain *run = &runs->list.data[i];

        for (uint32_t j = 0; j < run->count; j++) {
            uint64_t address = callchain_frame(run, j);

            if (map_add(&seen, address, 0, 1) == 1) {
                map_set(&seen, address, 0, 0);
                *vec_add(&list) = address;
            }
        }
    }
    map_release(&seen);
    if (list.len)
        qsort(list.data, list.len, sizeof(*list.data), compare_addresses);
    s->addresses = list.data;
    s->len = list.len;
}

void sampled_addresses_release(struct sampled_addresses *s)
{
    free(s->addresses);
}

bool sampled_addresses_within(const struct sampled_addresses *s, uint64_t start,
                              uint64_t size)
{
    size_t i;
    uint64_t last;

    if (!size)
        return false;
    last = size - 1 > UINT64_MAX - start ? UINT64_MAX : start + (size - 1);
    BISECT(i, s->len, s->addresses[i] < start);
    return i < s->len && s->addresses[i] <= last;
}
