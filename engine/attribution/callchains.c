#include "engine/attribution/callchains.h"

#include "engine/base/hash.h"

void callchains_init(struct callchains *runs)
{
    *runs = (struct callchains){0};
    *vec_add(&runs->list) = (struct callchain){.width = 8};
}

void callchains_release(struct callchains *runs)
{
    vec_release(&runs->list);
    map_release(&runs->ids);
    arena_release(&runs->copies);
}

/* Two halves of a product, each changed by a word and multiplied by the other:
 * nothing of it is folded away before the end. The key keeps words of zero,
 * which broken stacks have many of, from making the upper half ever less. */
struct print_state {
    uint64_t x, y;
};

static inline struct print_state mix(struct print_state s, uint64_t a,
                                     uint64_t b)
{
    unsigned __int128 product =
        (unsigned __int128)(s.x ^ a ^ hash_key.word[0]) *
        (s.y ^ b ^ hash_key.word[2]);

    return (struct print_state){(uint64_t)product, (uint64_t)(product >> 64)};
}

struct callchain_print callchain_fingerprint(const struct callchain *run)
{
    const uint8_t *p = run->frames;
    size_t n = (size_t)run->count * run->width;
    struct print_state s = {hash_key.word[0] ^ n,
                            hash_key.word[1] ^ run->width};

    for (; n >= 16; p += 16, n -= 16)
        s = mix(s, load_u64(p), load_u64(p + 8));
    if (n >= 8)
        s = mix(s, load_u64(p), hash_key.word[2]);
    if (n & 4)
        s = mix(s, load_u32(p + (n & 8)), hash_key.word[2]);
    for (uint32_t i = 0; run->exact && i < run->count; i++)
        s = mix(s, run->exact[i], hash_key.word[3] ^ i);
    s = mix(s, hash_key.word[2], hash_key.word[3]);
    return (struct callchain_print){
        .hash = hash_fold(s.x ^ hash_key.word[3], s.y ^ hash_key.word[1]),
        .check = (uint32_t)(s.x ^ s.y >> 32),
    };
}

uint32_t callchains_append(struct callchains *runs, struct callchain run,
                           bool lasting)
{
    uint32_t id = mem_next_id(runs->list.len);

    if (run.count > STACK_PART_DEEPEST) {
        run.count = STACK_PART_DEEPEST;
        runs->cut++;
    }
    if (!lasting)
        run.frames = arena_copy(&runs->copies, run.frames,
                                (size_t)run.count * run.width);
    if (run.exact)
        run.exact = arena_copy(&runs->copies, run.exact, run.count);
    *vec_add(&runs->list) = run;
    return id;
}

uint32_t callchains_add(struct callchains *runs, const struct callchain *run,
                        struct callchain_print print, bool lasting)
{
    uint32_t fresh = mem_next_id(runs->list.len);
    uint32_t id = map_add(&runs->ids, print.hash, print.check, fresh);

    if (id == fresh)
        callchains_append(runs, *run, lasting);
    return id;
}

uint32_t callchains_add_address(struct callchains *runs, uint64_t address)
{
    uint8_t bytes[8];
    struct callchain run = {.frames = bytes, .count = 1, .width = 8};

    store_u64(bytes, address);
    return callchains_add(runs, &run, callchain_fingerprint(&run), false);
}
