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
