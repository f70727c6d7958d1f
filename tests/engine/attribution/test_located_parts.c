/* Parts of stacks as rows of locations, and what changes under them. */
#include "engine/attribution/located_parts.h"

#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { PID = 40, MANY = 1000 };

static struct observed o;
static struct lifetimes lives;
static struct address_spaces spaces;
static struct locator locator;
static struct stack_parts parts;
static struct located_parts located;

/* Process 0, with an image at 0x1000. */
static void begin(void)
{
    observed_begin(&o);
    see_process(&o, 0, SEEN_AT_START, PID, "app.exe");
    see_image(&o, 0, SEEN_AT_START, PID, 0x1000, 0x1000, "app.exe");
}

/* One part: 0x1008 below 0x5008, in samples of `first`, every 5 from there on,
 * and `last`. */
static void build(size_t most, int64_t first, int64_t last)
{
    static const uint8_t bytes[16] = {0x08, 0x50, [8] = 0x08, 0x10};
    struct callchain run = {bytes, 2, 8, NULL};
    struct threads *pool = threads_new(1);
    uint32_t id = callchains_add(&o.seen->callchains, &run,
                                 callchain_fingerprint(&run), true);

    lifetimes_build(&lives, o.seen);
    stack_parts_init(&parts, o.seen);
    ck_assert_uint_eq(stack_parts_add(&parts, 0, id, first), 0);
    for (int64_t time = first + 5; time < last; time += 5)
        ck_assert_uint_eq(stack_parts_add(&parts, 0, id, time), 0);
    ck_assert_uint_eq(stack_parts_add(&parts, 0, id, last), 0);
    stack_parts_number(&parts, pool);
    address_spaces_init(&spaces, o.seen, &lives);
    address_spaces_build(&spaces);
    locator_init(&locator, &spaces);
    located_parts_init(&located, &parts, &locator, most, pool);
    threads_free(pool);
}

static void end(void)
{
    located_parts_release(&located);
    locator_release(&locator);
    address_spaces_release(&spaces);
    stack_parts_release(&parts);
    lifetimes_release(&lives);
    observed_end(&o);
}

static const char *at(uint32_t row, uint32_t frame)
{
    const struct location_row *r = &located.rows.list.data[row];

    ck_assert_uint_eq(r->count, 2);
    return location_text(&o, r->locations[frame]);
}

/* Another image there makes another row; the first one stays as it was. */
START_TEST(rows_hold_for_a_time)
{
    begin();
    see_image(&o, 10, SEEN_BEGIN, PID, 0x5000, 0x1000, "a.dll");
    see_image(&o, 20, SEEN_END, PID, 0x5000, 0x1000, "a.dll");
    see_image(&o, 30, SEEN_BEGIN, PID, 0x5000, 0x1000, "b.dll");
    build(MANY, 15, 105);
    ck_assert(!located.one_row);
    ck_assert_uint_eq(located_parts_row(&located, 0, 15), 0);
    ck_assert_uint_eq(located_parts_row(&located, 0, 16), 0);
    ck_assert_uint_eq(located_parts_row(&located, 0, 35), 1);
    ck_assert_uint_eq(located_parts_extra(&located, 7), 2);
    ck_assert_str_eq(at(0, 0), "app.exe+0x8");
    ck_assert_str_eq(at(0, 1), "a.dll+0x8");
    ck_assert_str_eq(at(1, 0), "app.exe+0x8");
    ck_assert_str_eq(at(1, 1), "b.dll+0x8");
    ck_assert_uint_eq(located.rows.list.data[2].locations[0], 7);
    ck_assert_uint_eq(located.changed, 1);
    end();
}
END_TEST

/* What is there until the last sample is located once; its row is one of
 * locations in the end. */
START_TEST(rows_that_last)
{
    struct threads *pool = threads_new(3);

    begin();
    see_image(&o, 10, SEEN_BEGIN, PID, 0x5000, 0x1000, "a.dll");
    see_image(&o, 31, SEEN_BEGIN, PID, 0x5000, 0x1000, "b.dll");
    build(MANY, 15, 30);
    ck_assert_uint_eq(located_parts_row(&located, 0, 15), 0);
    ck_assert_uint_eq(located_parts_row(&located, 0, 30), 0);
    located_parts_settle(&located, pool);
    ck_assert_str_eq(at(0, 0), "app.exe+0x8");
    ck_assert_str_eq(at(0, 1), "a.dll+0x8");
    ck_assert_uint_eq(located.changed, 0);
    end();
    threads_free(pool);
}
END_TEST

/* Where samples are in no order of time, nothing is taken for lasting. */
START_TEST(in_no_order)
{
    begin();
    see_image(&o, 10, SEEN_BEGIN, PID, 0x5000, 0x1000, "a.dll");
    build(MANY, 15, 5);
    ck_assert_uint_eq(located_parts_row(&located, 0, 15), 0);
    ck_assert_uint_eq(located_parts_row(&located, 0, 5), 1);
    ck_assert_str_eq(at(0, 1), "a.dll+0x8");
    ck_assert_str_eq(at(1, 1), "0x5008 no_image");
    end();
}
END_TEST

/* The same image again is the same row. */
START_TEST(what_came_back)
{
    begin();
    for (int i = 0; i < 10; i++) {
        see_image(&o, 10 + 10 * i, SEEN_BEGIN, PID, 0x5000, 0x1000, "a.dll");
        see_image(&o, 18 + 10 * i, SEEN_END, PID, 0x5000, 0x1000, "a.dll");
    }
    build(MANY, 15, 105);
    for (int i = 0; i < 10; i++)
        ck_assert_uint_eq(located_parts_row(&located, 0, 15 + 10 * i), 0);
    ck_assert_uint_eq(located.changed, 0);
    end();
}
END_TEST

/* After too many changes rows are kept, and that is counted. */
START_TEST(rows_are_kept)
{
    begin();
    for (int i = 0; i < 10; i++) {
        const char *name = i % 2 ? "a.dll" : "b.dll";

        see_image(&o, 10 + 10 * i, SEEN_BEGIN, PID, 0x5000, 0x1000, name);
        see_image(&o, 18 + 10 * i, SEEN_END, PID, 0x5000, 0x1000, name);
    }
    build(4, 15, 105);
    for (uint32_t i = 0; i < 10; i++)
        ck_assert_uint_eq(located_parts_row(&located, 0, 15 + 10 * (int)i),
                          i < 4 ? i : 4);
    ck_assert_uint_eq(located.kept, 5);
    end();
}
END_TEST

int main(void)
{
    return suite_run("located parts", rows_hold_for_a_time, rows_that_last,
                     in_no_order, what_came_back, rows_are_kept);
}
