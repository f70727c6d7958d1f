/* Code that was interrupted stands where it stopped, not behind a call. */
#include "symbols/trampolines.h"

#include "tests/support/suite.h"

enum { PROGRAM = 0x100, ENTRY = 0x200, HANDLER = 0x300 };

static uint32_t add(struct profile *p, uint64_t address, bool caller)
{
    return profile_location(p, &(struct location){.address = address,
                                                  .module = NO_ID,
                                                  .method = NO_ID,
                                                  .kind = CODE_KERNEL,
                                                  .caller = caller});
}

static void name(struct profile *p, uint32_t location, const char *name)
{
    struct function f = {.name = strings_add(p->strings, name, strlen(name))};
    struct frame frame = {.function = profile_function(p, &f)};

    profile_set_frames(p, location, &frame, 1);
}

TEST(what_an_entry_interrupts_stands_where_it_stopped)
{
    struct profile *p = profile_new();
    uint32_t program = add(p, PROGRAM, true), entry = add(p, ENTRY, true);
    uint32_t handler = add(p, HANDLER, false);
    uint32_t below = profile_stack(p, 0, program);
    uint32_t stack = profile_stack(p, profile_stack(p, below, entry), handler);
    struct trampolines t;
    struct location exact;

    name(p, entry, "asm_exc_page_fault");
    profile_sample(p, &(struct sample){.stack = stack, .weight = 1});
    t = trampolines_apart(p);
    exact = p->locations.data[p->stacks.data[below].location];
    ck_assert(!exact.caller && exact.address == PROGRAM);
    ck_assert_uint_eq(p->stacks.data[stack].location, handler);
    trampolines_end(&t, p);
    profile_free(p);
}

TEST(without_an_entry_callers_stay)
{
    struct profile *p = profile_new();
    uint32_t program = add(p, PROGRAM, true);
    uint32_t stack = profile_stack(p, 0, program);
    struct trampolines t;

    profile_sample(p, &(struct sample){.stack = stack, .weight = 1});
    t = trampolines_apart(p);
    ck_assert_uint_eq(p->stacks.data[stack].location, program);
    ck_assert_uint_eq(p->locations.len, 1);
    trampolines_end(&t, p);
    profile_free(p);
}
