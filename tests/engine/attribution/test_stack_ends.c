/* Ends of stacks of addresses, by the modules in which they end. */
#include "tests/support/observed.h"
#include "tests/support/suite.h"

/* Addresses in images and in code. */
enum { APP = 40, SYSTEM = 4, NTDLL = 0x70010, IMAGE = 0x10010, JIT = 0x50010 };

#define NTOSKRNL (KERNEL + 0x10)
#define DRIVER   (KERNEL + 0x1010)

static struct observed o;

static void begin(void)
{
    observed_begin(&o);
    see_process(&o, 0, SEEN_AT_START, APP, "app.exe");
    see_process(&o, 0, SEEN_AT_START, SYSTEM, "System");
    see_image(&o, 0, SEEN_AT_START, APP, 0x10000, 0x1000, "C:\\app.exe");
    see_image(&o, 0, SEEN_AT_START, APP, 0x70000, 0x1000, "C:\\NTDLL.dll");
    see_driver(&o, 0, SEEN_AT_START, KERNEL, 0x1000, "C:\\ntoskrnl.exe");
    see_driver(&o, 0, SEEN_AT_START, KERNEL + 0x1000, 0x1000, "C:\\k.sys");
    see_method(&o, 0, SEEN_AT_START, APP, 0x50000, 0x100, "Run");
}

#define check_end(i, end)                                                      \
    ck_assert_msg(sample_end_of(&o, i) == (end), "%d: %s", (int)(i),           \
                  stack_end_word(sample_end_of(&o, i)))

START_TEST(user_parts)
{
    begin();
    see_sample(&o, 1, 1, APP, RUN(IMAGE, NTDLL), NO_RUN);
    see_sample(&o, 2, 1, APP, RUN(IMAGE, NTDLL), RUN(NTOSKRNL));
    see_sample(&o, 3, 1, APP, RUN(IMAGE, IMAGE + 1), NO_RUN);
    see_sample(&o, 4, 1, APP, RUN(NTDLL), NO_RUN);
    see_sample(&o, 5, 1, APP, RUN(NTDLL), RUN(NTOSKRNL, NTOSKRNL + 1));
    see_sample(&o, 6, 1, APP, RUN(IMAGE, JIT), NO_RUN);
    see_sample(&o, 7, 1, APP, RUN(IMAGE, 0x90000), NO_RUN);
    see_sample(&o, 8, 1, APP, NO_RUN, NO_RUN);
    see_leaf(&o, 9, 1, APP, NO_RUN, IMAGE);
    observed_attribute(&o);
    check_end(0, STACK_END_ROOT);
    check_end(1, STACK_END_ROOT);
    check_end(2, STACK_END_UNKNOWN);
    check_end(3, STACK_END_UNKNOWN);
    check_end(4, STACK_END_UNKNOWN);
    check_end(5, STACK_END_GENERATED_CODE);
    check_end(6, STACK_END_UNKNOWN);
    check_end(7, STACK_END_NO_STACK);
    check_end(8, STACK_END_NO_STACK);
    observed_end(&o);
}
END_TEST

/* A kernel part alone is complete where the process has no other. */
START_TEST(kernel_parts)
{
    begin();
    see_sample(&o, 1, 1, APP, RUN(IMAGE, NTDLL), NO_RUN);
    see_sample(&o, 2, 1, APP, NO_RUN, RUN(NTOSKRNL, NTOSKRNL + 1));
    see_sample(&o, 3, 2, SYSTEM, NO_RUN, RUN(DRIVER, NTOSKRNL));
    see_sample(&o, 4, 2, SYSTEM, NO_RUN, RUN(NTOSKRNL, DRIVER));
    see_sample(&o, 5, 2, SYSTEM, NO_RUN, RUN(NTOSKRNL));
    observed_attribute(&o);
    check_end(1, STACK_END_NO_USER_PART);
    check_end(2, STACK_END_ROOT);
    check_end(3, STACK_END_UNKNOWN);
    check_end(4, STACK_END_UNKNOWN);
    observed_end(&o);
}
END_TEST

static struct addresses deep(uint64_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        list[i] = IMAGE + i;
    list[count - 1] = NTDLL;
    return (struct addresses){list, count};
}

/* As many frames as a recorder writes at most are not all, whatever the last
 * of them is. */
START_TEST(depth_limits)
{
    uint64_t list[STACK_PART_DEEPEST];

    begin();
    o.seen->deepest = 192;
    see_sample(&o, 1, 1, APP, deep(list, 191), NO_RUN);
    see_sample(&o, 2, 1, APP, deep(list, 192), NO_RUN);
    observed_attribute(&o);
    check_end(0, STACK_END_ROOT);
    check_end(1, STACK_END_DEPTH);
    observed_end(&o);
    begin();
    see_sample(&o, 1, 1, APP, deep(list, 192), NO_RUN);
    see_sample(&o, 2, 1, APP, deep(list, STACK_PART_DEEPEST), NO_RUN);
    observed_attribute(&o);
    check_end(0, STACK_END_ROOT);
    check_end(1, STACK_END_DEPTH);
    observed_end(&o);
}
END_TEST

SUITE
{
    return suite_run("stack_ends", user_parts, kernel_parts, depth_limits);
}
