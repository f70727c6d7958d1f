/* Code that was interrupted stands where it stopped, not behind a call. */
#include "symbols/trampolines.h"

#include <string.h>

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

static void add_stack(struct profile *p, uint32_t outer, uint32_t inner)
{
    uint32_t stack = (uint32_t)p->rows.stacks.len;

    *vec_add(&p->rows.stacks) = (struct row_pair){outer, inner};
    profile_sample(p, &(struct sample){.stack = stack, .weight = 1});
}

/* What it interrupts may be a row, and the entry in the one on top of it. */
START_TEST(rows_are_made_a_tree_first)
{
    struct profile *p = profile_new();
    uint32_t program = add(p, PROGRAM, true), entry = add(p, ENTRY, true);
    uint32_t handler = add(p, HANDLER, false);
    uint32_t outer[] = {program}, inner[] = {entry, handler};
    struct trampolines t;
    struct location exact;

    name(p, entry, "asm_exc_page_fault");
    *vec_add(&p->rows.list) = (struct location_row){outer, 1};
    *vec_add(&p->rows.list) = (struct location_row){inner, 2};
    add_stack(p, 0, 1);
    t = trampolines_apart(p);
    ck_assert_uint_eq(p->rows.stacks.len, 0);
    ck_assert_uint_eq(p->stacks.len, 4);
    exact = p->locations.data[p->stacks.data[1].location];
    ck_assert(!exact.caller && exact.address == PROGRAM);
    ck_assert_uint_eq(p->stacks.data[p->samples.stack[0]].location, handler);
    trampolines_end(&t, p);
    profile_free(p);
}
END_TEST

START_TEST(rows_without_an_entry_stay)
{
    struct profile *p = profile_new();
    uint32_t outer[] = {add(p, PROGRAM, true)};
    struct trampolines t;

    *vec_add(&p->rows.list) = (struct location_row){outer, 1};
    add_stack(p, 0, NO_ID);
    t = trampolines_apart(p);
    ck_assert_uint_eq(p->rows.stacks.len, 1);
    trampolines_end(&t, p);
    profile_free(p);
}
END_TEST

int main(void)
{
    return suite_run("trampolines", rows_are_made_a_tree_first,
                     rows_without_an_entry_stay);
}
