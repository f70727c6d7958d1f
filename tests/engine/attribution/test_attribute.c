/* From observations to samples, where a script does not tell it (those are in
 * test_scripts.c). */
#include "engine/attribution/observations.h"
#include "engine/attribution/locate.h"

#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { PID = 40, TID = 41, NTDLL = 0x70010, IMAGE = 0x10010 };

static struct observed o;

/* The IL map of a method that was sampled is given to the profile. */
TEST(il_maps)
{
    /* Method 0, body 0, extent 0, one entry: IL 7 at 0 of the code. */
    static const uint8_t payload[19 + 8 + 2] = {[17] = 1, [19] = 7};

    observed_begin(&o);
    see_process(&o, 0, SEEN_AT_START, PID, "app.exe");
    see_method(&o, 0, SEEN_BEGIN, PID, 0x5000, 0x10, "Run");
    observe_il_map(o.seen, &(struct observed_il_map){.pid = PID,
                                                     .by_rejit = true,
                                                     .payload = payload});
    see_sample(&o, 10, TID, PID, RUN(0x5001), NO_RUN);
    observed_attribute(&o);
    ck_assert_str_eq(sample_stack(&o, 0), "Run+0x1");
    ck_assert_uint_eq(il_maps_get(&o.p->il_maps, 0).count, 1);
    ck_assert_int_eq(il_maps_get(&o.p->il_maps, 0).data[0].il, 7);
    observed_end(&o);
}

/* Addresses enough that some share a place in the small table. */
TEST(many_addresses)
{
    enum { SIZE = 0x10000 };
    struct lifetimes lives;
    struct address_spaces spaces;
    struct locator locator;

    observed_begin(&o);
    see_process(&o, 0, SEEN_AT_START, PID, "app.exe");
    see_image(&o, 10, SEEN_BEGIN, PID, 0x100000, SIZE, "a.dll");
    lifetimes_build(&lives, o.seen);
    address_spaces_init(&spaces, o.seen, &lives);
    address_spaces_build(&spaces);
    locator_init(&locator, &spaces);
    for (int round = 0; round < 2; round++)
        for (uint64_t i = 0; i < SIZE; i++) {
            uint32_t id =
                locator_find(&locator, 0, 0x100000 + i, false, 10)->location;

            ck_assert_uint_eq(o.p->locations.data[id].address, i);
        }
    ck_assert_uint_eq(locator.located.len, SIZE);
    locator_release(&locator);
    address_spaces_release(&spaces);
    lifetimes_release(&lives);
    observed_end(&o);
}

static struct addresses deep(uint64_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        list[i] = IMAGE + i;
    list[count - 1] = NTDLL;
    return (struct addresses){list, count};
}

/* As many frames as a recorder writes at most are not all, whatever the last
 * of them is. */
TEST_LOOP(depth_limits, 2)
{
    uint32_t limit = _i ? STACK_PART_DEEPEST : 192;
    uint64_t list[STACK_PART_DEEPEST];

    observed_begin(&o);
    o.seen->deepest = _i ? 0 : limit;
    see_process(&o, 0, SEEN_AT_START, PID, "app.exe");
    see_image(&o, 0, SEEN_AT_START, PID, 0x10000, 0x1000, "C:\\app.exe");
    see_image(&o, 0, SEEN_AT_START, PID, 0x70000, 0x1000, "C:\\NTDLL.dll");
    see_sample(&o, 1, 1, PID, deep(list, _i ? 192 : 191), NO_RUN);
    see_sample(&o, 2, 1, PID, deep(list, limit), NO_RUN);
    observed_attribute(&o);
    ck_assert_int_eq(sample_end_of(&o, 0), STACK_END_ROOT);
    ck_assert_int_eq(sample_end_of(&o, 1), STACK_END_DEPTH);
    observed_end(&o);
}
