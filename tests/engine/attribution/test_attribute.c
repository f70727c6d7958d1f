/* From observations to samples with threads and stacks. */
#include "engine/attribution/attribute.h"

#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { PID = 40, TID = 41, OTHER = 44 };

static struct observed o;

static void begin(void)
{
    observed_begin(&o);
    see_process(&o, 0, SEEN_AT_START, PID, "app.exe");
    see_image(&o, 0, SEEN_AT_START, PID, 0x1000, 0x1000, "app.exe");
    see_driver(&o, 0, SEEN_AT_START, KERNEL, 0x1000, "nt.exe");
}

static void attribute_all(void)
{
    observed_attribute(&o);
}

static void end(void)
{
    observed_end(&o);
}

#define check_stack(i, text) ck_assert_str_eq(sample_stack(&o, i), text)

static void check_flags(size_t sample, uint16_t flags)
{
    ck_assert_uint_eq(sample_flags_of(&o, sample), flags);
}

/* Runs are innermost first, stacks outermost first, the kernel on top. */
START_TEST(both_parts)
{
    begin();
    see_sample(&o, 10, TID, PID, RUN(0x1001, 0x1002), NO_RUN);
    see_sample(&o, 20, TID, PID, RUN(0x1001, 0x1002),
               RUN(KERNEL + 1, KERNEL + 2));
    see_sample(&o, 30, TID, PID, NO_RUN, RUN(KERNEL + 1));
    attribute_all();
    check_stack(0, "app.exe+0x2;app.exe+0x1");
    check_stack(1, "app.exe+0x2;app.exe+0x1;nt.exe+0x2;nt.exe+0x1");
    check_stack(2, "nt.exe+0x1");
    check_flags(0, SAMPLE_USER_PART | SAMPLE_HAS_STACK);
    check_flags(1, SAMPLE_USER_PART | SAMPLE_KERNEL_PART | SAMPLE_HAS_STACK);
    check_flags(2, SAMPLE_KERNEL_PART | SAMPLE_HAS_STACK);
    ck_assert_str_eq(sample_thread(&o, 0), "app.exe 40/41");
    end();
}
END_TEST

/* An address that stands in for a part is a frame, and no part. */
START_TEST(address_alone)
{
    begin();
    see_leaf(&o, 10, TID, PID, NO_RUN, 0x1001);
    see_leaf(&o, 20, TID, PID, RUN(0x1002), KERNEL + 1);
    see_sample(&o, 30, TID, PID, NO_RUN, NO_RUN);
    see_leaf(&o, 40, TID, PID, NO_RUN, KERNEL + 1);
    attribute_all();
    check_stack(0, "app.exe+0x1");
    check_stack(1, "app.exe+0x2;nt.exe+0x1");
    check_stack(2, "nothing");
    check_stack(3, "nt.exe+0x1");
    check_flags(0, 0);
    check_flags(1, SAMPLE_USER_PART | SAMPLE_HAS_STACK);
    check_flags(2, 0);
    check_flags(3, 0);
    end();
}
END_TEST

/* What stands for samples without a stack, too. */
START_TEST(locations_in_the_order_of_samples)
{
    begin();
    see_sample(&o, 10, TID, PID, RUN(0x1001, 0x1002), NO_RUN);
    see_sample(&o, 20, TID, PID, NO_RUN, NO_RUN);
    see_sample(&o, 30, TID, PID, RUN(0x1003, 0x1002), RUN(KERNEL + 1));
    see_sample(&o, 40, TID, PID, NO_RUN, NO_RUN);
    attribute_all();
    ck_assert_uint_eq(o.p->locations.len, 5);
    ck_assert_str_eq(location_text(&o, 0), "app.exe+0x2");
    ck_assert_str_eq(location_text(&o, 1), "app.exe+0x1");
    ck_assert_str_eq(location_text(&o, 2), "nothing");
    ck_assert_str_eq(location_text(&o, 3), "app.exe+0x3");
    ck_assert_str_eq(location_text(&o, 4), "nt.exe+0x1");
    end();
}
END_TEST

/* One run in several processes, in any order: each has its own answer. */
START_TEST(one_run_in_many_processes)
{
    begin();
    see_process(&o, 0, SEEN_AT_START, OTHER, "other.exe");
    see_process(&o, 0, SEEN_AT_START, 48, "third.exe");
    see_image(&o, 0, SEEN_AT_START, OTHER, 0x1000, 0x1000, "other.exe");
    see_sample(&o, 10, TID, PID, RUN(0x1001), NO_RUN);
    see_sample(&o, 20, 45, OTHER, RUN(0x1001), NO_RUN);
    see_sample(&o, 30, 49, 48, RUN(0x1001), NO_RUN);
    see_sample(&o, 40, 45, OTHER, RUN(0x1001), NO_RUN);
    see_sample(&o, 50, TID, PID, RUN(0x1001), NO_RUN);
    see_sample(&o, 60, 45, OTHER, RUN(0x1002), NO_RUN);
    see_sample(&o, 70, 49, 48, RUN(0x1001), NO_RUN);
    attribute_all();
    check_stack(0, "app.exe+0x1");
    check_stack(1, "other.exe+0x1");
    check_stack(2, "0x1001 no_image");
    check_stack(3, "other.exe+0x1");
    check_stack(4, "app.exe+0x1");
    check_stack(5, "other.exe+0x2");
    check_stack(6, "0x1001 no_image");
    ck_assert_uint_eq(o.p->stacks.len, 5);
    end();
}
END_TEST

/* One run at several times: memory is reused. */
START_TEST(one_run_at_many_times)
{
    begin();
    see_image(&o, 10, SEEN_BEGIN, PID, 0x5000, 0x1000, "a.dll");
    see_image(&o, 20, SEEN_END, PID, 0x5000, 0x1000, "a.dll");
    see_image(&o, 30, SEEN_BEGIN, PID, 0x5000, 0x1000, "b.dll");
    for (int i = 0; i < 4; i++)
        see_sample(&o, 5 + 10 * i, TID, PID, RUN(0x5001, 0x1001), NO_RUN);
    see_sample(&o, 36, TID, PID, RUN(0x1001, 0x5001), NO_RUN);
    see_sample(&o, 15, TID, PID, RUN(0x5001, 0x1001), NO_RUN);
    attribute_all();
    check_stack(0, "app.exe+0x1;0x5001 no_image");
    check_stack(1, "app.exe+0x1;a.dll+0x1");
    check_stack(2, "app.exe+0x1;a.dll+0x1"); /* the one observed last */
    check_stack(3, "app.exe+0x1;0x5001 no_image");
    check_stack(4, "app.exe+0x1;b.dll+0x1");
    check_stack(5, "b.dll+0x1;app.exe+0x1");
    end();
}
END_TEST

/* The same for parts of the kernel, and in processes that take turns. */
START_TEST(kernel_parts)
{
    begin();
    see_process(&o, 0, SEEN_AT_START, OTHER, "other.exe");
    see_driver(&o, 20, SEEN_BEGIN, KERNEL + 0x5000, 0x1000, "new.sys");
    see_driver(&o, 40, SEEN_END, KERNEL + 0x5000, 0x1000, "new.sys");
    for (int i = 0; i < 5; i++)
        see_sample(&o, 10 * i + 5, i % 2 ? TID : 45, i % 2 ? PID : OTHER,
                   NO_RUN, RUN(KERNEL + 0x5001, KERNEL + 1));
    attribute_all();
    check_stack(0, "nt.exe+0x1;0xffff800000005001 no_image");
    check_stack(1, "nt.exe+0x1;0xffff800000005001 no_image");
    check_stack(2, "nt.exe+0x1;new.sys+0x1");
    check_stack(3, "nt.exe+0x1;new.sys+0x1");
    check_stack(4, "nt.exe+0x1;0xffff800000005001 no_image");
    end();
}
END_TEST

/* A kernel part that leads through user mode depends on the process. */
START_TEST(mixed_kernel_part)
{
    begin();
    see_process(&o, 0, SEEN_AT_START, OTHER, "other.exe");
    see_image(&o, 0, SEEN_AT_START, OTHER, 0x1000, 0x1000, "other.exe");
    see_sample(&o, 10, TID, PID, NO_RUN, RUN(KERNEL + 1, 0x1001, KERNEL + 2));
    see_sample(&o, 20, 45, OTHER, NO_RUN, RUN(KERNEL + 1, 0x1001, KERNEL + 2));
    see_sample(&o, 30, 45, OTHER, RUN(0x1005), RUN(0x1001));
    see_image(&o, 35, SEEN_BEGIN, OTHER, KERNEL + 0x8000, 0x10, "own");
    see_sample(&o, 40, 45, OTHER, NO_RUN, RUN(KERNEL + 0x8001));
    attribute_all();
    check_stack(0, "nt.exe+0x2;app.exe+0x1;nt.exe+0x1");
    check_stack(1, "nt.exe+0x2;other.exe+0x1;nt.exe+0x1");
    check_stack(2, "other.exe+0x5;other.exe+0x1");
    /* What is of the kernel alone is no process's. */
    check_stack(3, "0xffff800000008001 no_image");
    end();
}
END_TEST

/* Threads by their history where the sample does not say its process. */
START_TEST(threads_by_history)
{
    begin();
    see_process(&o, 0, SEEN_AT_START, OTHER, "other.exe");
    see_image(&o, 0, SEEN_AT_START, OTHER, 0x1000, 0x1000, "other.exe");
    see_thread(&o, 10, SEEN_BEGIN, 7, PID, "");
    see_thread(&o, 20, SEEN_END, 7, PID, "");
    see_thread(&o, 30, SEEN_BEGIN, 7, OTHER, "");
    see_sample(&o, 12, 7, NO_PID, RUN(0x1001), NO_RUN);
    see_sample(&o, 13, 7, NO_PID, RUN(0x1001), NO_RUN);
    see_sample(&o, 29, 7, NO_PID, RUN(0x1001), NO_RUN);
    see_sample(&o, 30, 7, NO_PID, RUN(0x1001), NO_RUN);
    see_sample(&o, 40, 8, NO_PID, RUN(0x1001), NO_RUN);
    see_sample(&o, 50, 9, 50, RUN(0x1001), NO_RUN);
    attribute_all();
    ck_assert_str_eq(sample_thread(&o, 0), "app.exe 40/7");
    ck_assert_str_eq(sample_thread(&o, 1), "app.exe 40/7");
    ck_assert_str_eq(sample_thread(&o, 2), "app.exe 40/7");
    ck_assert_str_eq(sample_thread(&o, 3), "other.exe 44/7");
    ck_assert_str_eq(sample_thread(&o, 4), "[unknown] 4294967295/8");
    ck_assert_str_eq(sample_thread(&o, 5), " 50/9");
    check_stack(0, "app.exe+0x1");
    check_stack(3, "other.exe+0x1");
    check_stack(4, "0x1001 no_image");
    check_stack(5, "0x1001 no_image");
    end();
}
END_TEST

/* A key of both lives of a process, sampled early, late and early again; the
 * profile has its samples in order of time. */
START_TEST(samples_out_of_order)
{
    begin();
    see_process(&o, 50, SEEN_END, PID, "");
    see_process(&o, 60, SEEN_BEGIN, PID, "again.exe");
    see_thread(&o, 10, SEEN_BEGIN, TID, PID, "");
    see_thread(&o, 50, SEEN_END, TID, PID, "");
    see_thread(&o, 60, SEEN_BEGIN, TID, PID, "");
    see_sample(&o, 20, TID, PID, RUN(0x1001), NO_RUN);
    see_sample(&o, 70, TID, PID, RUN(0x1001), NO_RUN);
    see_sample(&o, 30, TID, PID, RUN(0x1001), NO_RUN);
    attribute_all();
    ck_assert_str_eq(sample_thread(&o, 0), "app.exe 40/41");
    ck_assert_str_eq(sample_thread(&o, 1), "app.exe 40/41");
    ck_assert_str_eq(sample_thread(&o, 2), "again.exe 40/41");
    check_stack(0, "app.exe+0x1");
    check_stack(1, "app.exe+0x1");
    check_stack(2, "0x1001 no_image");
    end();
}
END_TEST

/* Nothing is known before it is asked for, not even of time and id 0. */
START_TEST(at_time_0)
{
    begin();
    see_thread(&o, -10, SEEN_BEGIN, TID, PID, "");
    see_sample(&o, 0, TID, PID, RUN(0x1001), RUN(KERNEL + 1));
    see_sample(&o, 0, TID, PID, NO_RUN, RUN(KERNEL + 2));
    attribute_all();
    check_stack(0, "app.exe+0x1;nt.exe+0x1");
    check_stack(1, "nt.exe+0x2");
    end();
}
END_TEST

START_TEST(only_sample_of_a_stranger)
{
    begin();
    see_sample(&o, 10, 9, 50, RUN(0x1001), NO_RUN);
    attribute_all();
    ck_assert_str_eq(sample_thread(&o, 0), " 50/9");
    check_stack(0, "0x1001 no_image");
    end();
}
END_TEST

/* The IL map of a method that was sampled is given to the profile. */
START_TEST(il_maps)
{
    /* Method 0, body 0, extent 0, one entry: IL 7 at 0 of the code. */
    static const uint8_t payload[19 + 8 + 2] = {[17] = 1, [19] = 7};

    begin();
    see_method(&o, 0, SEEN_BEGIN, PID, 0x5000, 0x10, "Run");
    observe_il_map(o.seen, &(struct observed_il_map){.pid = PID,
                                                     .by_rejit = true,
                                                     .payload = payload});
    see_sample(&o, 10, TID, PID, RUN(0x5001), NO_RUN);
    attribute_all();
    check_stack(0, "Run+0x1");
    ck_assert_uint_eq(il_maps_get(&o.p->il_maps, 0).count, 1);
    ck_assert_int_eq(il_maps_get(&o.p->il_maps, 0).data[0].il, 7);
    end();
}
END_TEST

/* Pointers of 4 bytes, where 0x80001000 is the kernel's. */
START_TEST(narrow_pointers)
{
    begin();
    o.seen->kernel_from = kernel_space_start(4);
    see_driver(&o, 0, SEEN_AT_START, 0x80000000, 0x1000, "nt32.exe");
    see_image(&o, 0, SEEN_AT_START, PID, 0x80000000, 0x10, "own");
    see_sample(&o, 10, TID, PID, NO_RUN, RUN(0x80000001));
    see_sample(&o, 20, TID, PID, NO_RUN, RUN(0x80000001, 0x1001));
    attribute_all();
    check_stack(0, "nt32.exe+0x1");
    check_stack(1, "app.exe+0x1;own+0x1");
    end();
}
END_TEST

/* ---- roles ---- */

/* "return exact": outermost first, as stacks are. */
static void check_roles(size_t sample, const char *expected)
{
    const struct profile *p = o.p;
    const struct stack *s = &p->stacks.data[p->samples.stack[sample]];
    char text[100] = "", before[100];

    for (;; s = &p->stacks.data[s->parent]) {
        memcpy(before, text, sizeof(before));
        snprintf(text, sizeof(text), "%s%s%.60s",
                 p->locations.data[s->location].caller ? "return" : "exact",
                 *before ? " " : "", before);
        if (!s->parent)
            break;
    }
    ck_assert_str_eq(text, expected);
}

/* One address is a leaf here, interrupted there and a caller elsewhere. */
START_TEST(roles_are_of_uses)
{
    begin();
    see_sample(&o, 10, TID, PID, RUN(0x1001, 0x1002), NO_RUN);
    see_sample(&o, 20, TID, PID, RUN(0x1001, 0x1002),
               RUN(KERNEL + 1, KERNEL + 2));
    see_sample(&o, 30, TID, PID, RUN(0x1003, 0x1001), NO_RUN);
    see_leaf(&o, 40, TID, PID, RUN(0x1001), KERNEL + 2);
    attribute_all();
    check_roles(0, "return exact");
    check_roles(1, "return exact return exact");
    check_roles(2, "return exact");
    check_roles(3, "exact exact");
    check_stack(2, "app.exe+0x1;app.exe+0x3");
    ck_assert_uint_eq(profile_addresses(o.p), 5);
    ck_assert_uint_eq(o.p->locations.len, 7);
    end();
}
END_TEST

/* User code that the kernel called gave way to it, and returns to it. */
START_TEST(roles_in_a_mixed_part)
{
    begin();
    see_sample(&o, 10, TID, PID, RUN(0x1003),
               RUN(KERNEL + 1, 0x1001, 0x1002, KERNEL + 2));
    attribute_all();
    check_roles(0, "exact return return exact exact");
    end();
}
END_TEST

SUITE
{
    return suite_run("attribute", both_parts, address_alone,
                     locations_in_the_order_of_samples,
                     one_run_in_many_processes, one_run_at_many_times,
                     kernel_parts, mixed_kernel_part, threads_by_history,
                     samples_out_of_order, at_time_0, only_sample_of_a_stranger,
                     il_maps, narrow_pointers, roles_are_of_uses,
                     roles_in_a_mixed_part);
}
