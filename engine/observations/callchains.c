#include "engine/observations/callchains.h"

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

/* Two sums over the same words: a folded product per pair for `hash`, and
 * an independent multiply-rotate for `check`. */
struct callchain_print callchain_fingerprint(const struct callchain *run)
{
    const uint8_t *p = run->frames;
    size_t n = (size_t)run->count * run->width;
    uint64_t h = hash_key.word[0] ^ n, c = hash_key.word[2] ^ run->width;

    for (; n >= 16; p += 16, n -= 16) {
        uint64_t a = load_u64(p), b = load_u64(p + 8);

        h = hash_fold(h ^ a, hash_key.word[1] ^ b);
        c = (c ^ a) * 0xD6E8FEB86659FD93u + b;
        c = c << 29 | c >> 35;
    }
    for (; n; p += 4, n -= 4) {
        uint64_t a = load_u32(p);

        h = hash_fold(h ^ a, hash_key.word[3] ^ n);
        c = (c ^ a) * 0xD6E8FEB86659FD93u;
    }
    for (uint32_t i = 0; run->exact && i < run->count; i++)
        h = hash_fold(h ^ run->exact[i], hash_key.word[3] ^ i);
    h = hash_fold(h ^ 0xA0761D6478BD642Fu, h ^ c);
    c = hash_fold(c, 0x9E3779B97F4A7C15u);
    return (struct callchain_print){h, (uint32_t)c};
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
