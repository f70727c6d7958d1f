/* Call chains as stacks of locations, and what changes under them. */
#include "engine/attribution/chain_stacks.h"

#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { PID = 40, OTHER = 44, MANY = 1000 };

static struct observed o;
static struct lifetimes lives;
static struct address_spaces spaces;
static struct locator locator;
static struct chain_stacks chains;

/* Processes 0, with an image at 0x1000, and 1. */
static void begin(void)
{
    observed_begin(&o);
    o.seen->kernel_from = KERNEL;
    see_process(&o, 0, SEEN_AT_START, PID, "app.exe");
    see_process(&o, 0, SEEN_AT_START, OTHER, "other.exe");
    see_image(&o, 0, SEEN_AT_START, PID, 0x1000, 0x1000, "app.exe");
}

/* Innermost first, at most four. */
static uint32_t chain_of(struct addresses run, const uint8_t *exact)
{
    uint8_t bytes[32];
    struct callchain chain = {bytes, run.count, 8, exact};

    for (uint32_t i = 0; i < run.count; i++)
        store_u64(bytes + i * (size_t)8, run.list[i]);
    return callchains_add(&o.seen->callchains, &chain,
                          callchain_fingerprint(&chain), false);
}

/* When all images and chains are seen. */
static void build(size_t most)
{
    lifetimes_build(&lives, o.seen);
    address_spaces_init(&spaces, o.seen, &lives);
    address_spaces_build(&spaces);
    locator_init(&locator, &spaces);
    chain_stacks_init(&chains, &locator, most);
}

static void end(void)
{
    chain_stacks_release(&chains);
    locator_release(&locator);
    address_spaces_release(&spaces);
    lifetimes_release(&lives);
    observed_end(&o);
}

static uint32_t at(uint32_t chain, int64_t time)
{
    return chain_stacks_at(&chains, 0, 0, chain, time);
}

static const char *location_of(uint32_t stack)
{
    return location_text(&o, o.p->stacks.data[stack].location);
}

static void check_stack(uint32_t stack, const char *outer, const char *inner)
{
    ck_assert_str_eq(location_of(stack), inner);
    stack = o.p->stacks.data[stack].parent;
    ck_assert_str_eq(location_of(stack), outer);
    ck_assert_uint_eq(o.p->stacks.data[stack].parent, 0);
}

/* Another image there makes another stack, which has what did not change in
 * common with the first. */
TEST(locations_hold_for_a_time)
{
    uint32_t chain, first, second;

    begin();
    see_image(&o, 10, SEEN_BEGIN, PID, 0x5000, 0x1000, "a.dll");
    see_image(&o, 20, SEEN_END, PID, 0x5000, 0x1000, "a.dll");
    see_image(&o, 30, SEEN_BEGIN, PID, 0x5000, 0x1000, "b.dll");
    chain = chain_of(RUN(0x5008, 0x1008), NULL);
    build(MANY);
    first = at(chain, 15);
    ck_assert_uint_eq(at(chain, 16), first);
    second = at(chain, 35);
    check_stack(first, "app.exe+0x8", "a.dll+0x8");
    check_stack(second, "app.exe+0x8", "b.dll+0x8");
    ck_assert_uint_eq(o.p->stacks.len, 4);
    ck_assert_uint_eq(chains.changed, 1);
    end();
}

TEST(samples_in_no_order)
{
    uint32_t chain;

    begin();
    see_image(&o, 10, SEEN_BEGIN, PID, 0x5000, 0x1000, "a.dll");
    chain = chain_of(RUN(0x5008, 0x1008), NULL);
    build(MANY);
    check_stack(at(chain, 15), "app.exe+0x8", "a.dll+0x8");
    check_stack(at(chain, 5), "app.exe+0x8", "0x5008 no_image");
    end();
}

/* The same image again makes the same stack. */
TEST(what_came_back)
{
    uint32_t chain, first;

    begin();
    for (int i = 0; i < 10; i++) {
        see_image(&o, 10 + 10 * i, SEEN_BEGIN, PID, 0x5000, 0x1000, "a.dll");
        see_image(&o, 18 + 10 * i, SEEN_END, PID, 0x5000, 0x1000, "a.dll");
    }
    chain = chain_of(RUN(0x5008, 0x1008), NULL);
    build(MANY);
    first = at(chain, 15);
    for (int i = 1; i < 10; i++)
        ck_assert_uint_eq(at(chain, 15 + 10 * i), first);
    ck_assert_uint_eq(chains.changed, 0);
    end();
}

/* After too many changes a chain keeps its locations, and that is counted. */
TEST(too_many_changes)
{
    uint32_t chain;

    begin();
    for (int i = 0; i < 10; i++) {
        const char *name = i % 2 ? "a.dll" : "b.dll";

        see_image(&o, 10 + 10 * i, SEEN_BEGIN, PID, 0x5000, 0x1000, name);
        see_image(&o, 18 + 10 * i, SEEN_END, PID, 0x5000, 0x1000, name);
    }
    chain = chain_of(RUN(0x5008, 0x1008), NULL);
    build(4);
    for (int i = 0; i < 10; i++)
        check_stack(at(chain, 15 + 10 * i), "app.exe+0x8",
                    i % 2 && i < 4 ? "a.dll+0x8" : "b.dll+0x8");
    ck_assert_uint_eq(chains.kept, 5);
    end();
}

/* One chain on top of several stacks and of none, before and after a change. */
TEST(on_top_of_stacks)
{
    uint32_t callers[2], top, alone, on[2];

    begin();
    see_driver(&o, 0, SEEN_AT_START, KERNEL, 0x1000, "old.sys");
    see_driver(&o, 50, SEEN_END, KERNEL, 0x1000, "old.sys");
    see_driver(&o, 60, SEEN_BEGIN, KERNEL, 0x1000, "new.sys");
    callers[0] = chain_of(RUN(0x1001), NULL);
    callers[1] = chain_of(RUN(0x1002), NULL);
    top = chain_of(RUN(KERNEL + 1), NULL);
    build(MANY);
    for (int64_t time = 10; time < 100; time += 60) {
        for (int i = 0; i < 2; i++)
            on[i] = chain_stacks_at(&chains, at(callers[i], time), NO_ID, top,
                                    time);
        alone = chain_stacks_at(&chains, 0, NO_ID, top, time);
        for (int i = 0; i < 2; i++)
            ck_assert_uint_eq(chain_stacks_at(&chains, at(callers[i], time + 1),
                                              NO_ID, top, time + 1),
                              on[i]);
        check_stack(on[0], "app.exe+0x1",
                    time < 50 ? "old.sys+0x1" : "new.sys+0x1");
        check_stack(on[1], "app.exe+0x2",
                    time < 50 ? "old.sys+0x1" : "new.sys+0x1");
        ck_assert_uint_eq(o.p->stacks.data[alone].parent, 0);
        ck_assert_uint_eq(o.p->stacks.data[alone].location,
                          o.p->stacks.data[on[0]].location);
    }
    ck_assert_uint_eq(o.p->stacks.len, 1 + 2 + 3 + 3);
    end();
}

static bool is_caller(uint32_t stack)
{
    return o.p->locations.data[o.p->stacks.data[stack].location].caller;
}

/* What the recorder says of frames holds for one chain, not for its like. The
 * user code that called back into the kernel was interrupted there. */
TEST(roles)
{
    static const uint8_t second[] = {0, 1};
    uint32_t plain, exact, through, stack;

    begin();
    plain = chain_of(RUN(0x1030, 0x1020), NULL);
    exact = chain_of(RUN(0x1031, 0x1020), second);
    through = chain_of(RUN(0x1030, KERNEL, 0x1020), NULL);
    build(MANY);
    stack = at(plain, 5);
    ck_assert(!is_caller(stack) && is_caller(o.p->stacks.data[stack].parent));
    stack = at(exact, 5);
    ck_assert(!is_caller(o.p->stacks.data[stack].parent));
    stack = o.p->stacks.data[at(through, 5)].parent;
    ck_assert(is_caller(stack) && !is_caller(o.p->stacks.data[stack].parent));
    end();
}

TEST(processes_and_spaces)
{
    uint32_t user, kernel, mixed, first;

    begin();
    user = chain_of(RUN(0x1001), NULL);
    kernel = chain_of(RUN(KERNEL + 2, KERNEL + 1), NULL);
    mixed = chain_of(RUN(KERNEL + 2, 0x1001), NULL);
    build(MANY);
    first = at(user, 5);
    ck_assert_str_eq(location_of(first), "app.exe+0x1");
    for (int i = 0; i < 2; i++)
        ck_assert_str_eq(
            location_of(chain_stacks_at(&chains, 0, 1, user, 5 + i)),
            "0x1001 no_image");
    ck_assert_uint_eq(at(user, 7), first);
    ck_assert(chain_stacks_is_kernel(&chains, kernel));
    ck_assert(!chain_stacks_is_kernel(&chains, mixed));
    ck_assert(!chain_stacks_is_kernel(&chains, user));
    ck_assert_uint_eq(chain_stacks_at(&chains, first, 0, 0, 5), first);
    end();
}
