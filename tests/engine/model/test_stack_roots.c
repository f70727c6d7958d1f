/* Roots of stacks, by the names of their outermost frames. */
#include "engine/model/profile.h"

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static const struct {
    const char *name;
    bool is_root;
} names[] = {
    {"_start", true},
    {"start", true},
    {"clone3", true},
    {"__libc_start_main@@GLIBC_2.34", true},
    {"__libc_start_main_impl", true},
    {"__libc_start_call_main", true},
    {"RtlUserThreadStart", true},
    {"ret_from_fork_asm", true},
    {"_rt0_amd64_linux", true},
    {"runtime.goexit.abi0", true},
    {"(root)", true},
    {"", false},
    {"main", false},
    {"started", false},
    {"_start_worker", false},
    {"clone_all", false},
    {"my_start_thread", false},
    {"RtlUserThreadStar", false},
};

TEST(names_of_roots)
{
    for (size_t i = 0; i < COUNT(names); i++)
        ck_assert_msg(stack_root_is_named(names[i].name) == names[i].is_root,
                      "%s", names[i].name);
}

static const struct {
    const char *stack;
    enum stack_end end;
} stacks[] = {
    {"app!_start;app!main;app!work", STACK_END_ROOT},
    {"app!_start", STACK_END_ROOT},
    {"app!main;app!_start", STACK_END_UNKNOWN},
    {"app!main;app!work", STACK_END_UNKNOWN},
    {"libc.so.6!+0x100;app!main;app!work", STACK_END_ROOT},
    {"libc.so.6!+0x100;app!work", STACK_END_UNKNOWN},
    {"libc.so.6!+0x100", STACK_END_UNKNOWN},
    {"libother.so!+0x100;app!main", STACK_END_UNKNOWN},
    {"0x7ff812;app!main", STACK_END_UNKNOWN},
    {"[jit]!start;[jit]!main", STACK_END_UNKNOWN},
    /* inlined into the root */
    {"app!go<app!_start;app!work", STACK_END_ROOT},
    {"app!_start<app!go;app!work", STACK_END_UNKNOWN},
};

TEST(outermost_frames_tell)
{
    struct builder *b = builder_new("a.data");
    uint32_t t = builder_thread(b, 1, "app", 2);
    struct profile *p;
    uint8_t *ends;

    for (size_t i = 0; i < COUNT(stacks); i++)
        builder_sample(b, t, 0, stacks[i].stack);
    builder_sample(b, t, stack_end_flags(STACK_END_COPY), stacks[0].stack);
    p = builder_finish(b);
    ends = stack_ends_by_name(p);
    stack_ends_put(p, ends);
    for (size_t i = 0; i < COUNT(stacks); i++)
        ck_assert_msg(stack_end_of(p->samples.flags[i]) == stacks[i].end,
                      "%s: %s", stacks[i].stack,
                      stack_end_word(stack_end_of(p->samples.flags[i])));
    /* What a reader knows is not asked again. */
    ck_assert_int_eq(stack_end_of(p->samples.flags[p->samples.len - 1]),
                     STACK_END_COPY);
    free(ends);
    profile_free(p);
}
