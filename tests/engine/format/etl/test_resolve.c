/* Keys of samples become frames, by one thread and by several. */
#include "engine/format/etl/resolve.h"

#include "tests/support/suite.h"

/* More samples than one task has. */
enum { SAMPLES = 200000, KEYS = 1000 };

static const uint64_t kernel = 0xFFFF000000000000u;

static uint64_t address_of(uint32_t sample)
{
    return (sample % 2 ? kernel : 0) + 0x1000 + sample % 7777;
}

/* Each sample has a part by a key of its own time; every third key is never
 * defined. */
static void add_samples(struct etl_pending *samples, struct etl_keys *keys)
{
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint64_t key = i / (SAMPLES / KEYS);
        struct etl_part part =
            etl_keys_use(keys, etl_key_of(key, false), true, address_of(i));
        uint32_t *frames;

        etl_pending_add(samples, &(struct etl_sample){.time = i});
        etl_pending_set(samples, i, i % 5 ? part : etl_no_part,
                        i % 5 ? etl_no_part : part);
        if ((i + 1) % (SAMPLES / KEYS) || key % 3 == 0)
            continue;
        frames = etl_keys_define(keys, etl_key_of(key, false));
        ck_assert_ptr_nonnull(frames);
        *frames = (uint32_t)key + 1;
    }
}

/* Runs of addresses are numbered by the first sample of each key that is not
 * defined, whose address stands in for all of them. */
static void check_threads(unsigned threads)
{
    struct etl_pending samples = {0};
    struct etl_keys keys = {0};
    struct callchains chains;
    struct etl_runs runs;
    struct observations *seen;
    struct profile *p = profile_new();
    unsigned wrong = 0;

    callchains_init(&chains);
    runs = etl_runs_new(&chains);
    add_samples(&samples, &keys);
    etl_resolve(&samples, &keys, &runs, kernel, threads);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t key = i / (SAMPLES / KEYS);
        struct etl_part outer = etl_pending_outer(&samples, i);
        struct etl_part inner = etl_pending_inner(&samples, i);

        if (key % 3) {
            wrong += (i % 5 ? outer : inner).kind != PART_FRAMES ||
                     (i % 5 ? outer : inner).id != key + 1 ||
                     (i % 5 ? inner : outer).kind != PART_NONE;
            continue;
        }
        wrong += outer.kind != PART_NONE || inner.kind != PART_ADDRESS ||
                 inner.id != key / 3 + 2 ||
                 callchain_frame(&chains.list.data[inner.id], 0) !=
                     address_of(key * (SAMPLES / KEYS));
    }
    ck_assert_uint_eq(wrong, 0);
    seen = observations_new(p);
    etl_pending_give(&samples, seen);
    observations_free(seen);
    profile_free(p);
    etl_runs_release(&runs);
    etl_keys_release(&keys);
    callchains_release(&chains);
}

START_TEST(the_same_by_any_number_of_threads)
{
    static const unsigned threads[] = {1, 2, 3, 8};

    for (size_t i = 0; i < 4; i++)
        check_threads(threads[i]);
}
END_TEST

SUITE
{
    return suite_run("resolve", the_same_by_any_number_of_threads);
}
