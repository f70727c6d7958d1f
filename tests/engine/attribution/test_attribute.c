/* From observations to samples, where a script does not tell it (those are in
 * test_scripts.c). */
#include "engine/attribution/observations.h"
#include "engine/attribution/address_locator.h"

#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { PID = 40, TID = 41, NTDLL = 0x70010, IMAGE = 0x10010 };

static struct observed o;

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
