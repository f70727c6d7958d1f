/* Code that comes with names, which may be long. */
#include "engine/observations/named_code.h"

#include <string.h>

#include "engine/base/unpacking.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"

enum { LONG = 100000, FUNCTIONS = 500 };

/* What all functions share is gone through once, whatever they are. */
START_TEST(a_long_name_is_cut_once)
{
    struct profile *p = profile_new();
    struct named_code n = named_code_of(p);
    char *text = mem_new(LONG + 1, 1);
    uint32_t name, thread;

    memset(text, 'n', LONG);
    name = strings_add(p->strings, text, LONG);
    profile_set_metric_word(p, "samples");
    thread = named_thread(&n, named_process(&n, NO_PID, name), 0, name);
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        char module[32];
        struct named_frame frame = {.name = name, .file = name};

        snprintf(module, sizeof(module), "m%u", i);
        frame.module = strings_add(p->strings, module, strlen(module));
        named_sample(&n, &(struct named_sample){
                             .thread = thread,
                             .stack = named_push(&n, (struct named_stack){0},
                                                 named_location(&n, &frame))
                                          .whole,
                             .weight = 1});
    }
    ck_assert_uint_eq(n.cut.used, 2); /* as a title, and as a name */
    named_code_end(&n, NAMED_COUNTS, "times");
    ck_assert_uint_eq(p->samples.len, FUNCTIONS);
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    profile_finish(p);
    ck_assert_ptr_null(profile_check(p));
    profile_free(p);
    free(text);
}
END_TEST

/* Every sample is a stack of its own, of 100 frames. */
static struct profile *differ_at_the_root(const struct entry *e,
                                          uint32_t samples)
{
    enum { DEPTH = 100, NAMES = 10 };
    struct profile *p = profile_new();
    struct named_code n = named_code_from(p, e);
    uint32_t thread = named_thread(&n, named_process(&n, NO_PID, 0), 0, 0);

    profile_set_metric_word(p, "samples");
    for (uint32_t i = 0; i < samples; i++) {
        struct named_stack stack = {0};

        for (uint32_t k = 0; k < DEPTH; k++) {
            struct named_frame frame = {
                .name =
                    strings_addf(p->strings, "f%u", k ? k % NAMES : NAMES + i)};

            stack = named_push(&n, stack, named_location(&n, &frame));
        }
        named_sample(&n, &(struct named_sample){.thread = thread,
                                                .stack = stack.whole,
                                                .weight = 1});
    }
    named_code_end(&n, NAMED_COUNTS, "times");
    profile_finish(p);
    ck_assert_ptr_null(profile_check(p));
    return p;
}

/* The same from a plain file is as large as it is. */
START_TEST(a_packed_file_makes_no_more_than_it_may)
{
    enum { SAMPLES = 12000, PACKED = 10000 };
    const struct entry as_it_is = {.packed = 0}, unpacked = {.packed = PACKED};
    struct profile *whole = differ_at_the_root(&as_it_is, SAMPLES);
    struct profile *cut = differ_at_the_root(&unpacked, SAMPLES);

    ck_assert_uint_eq(whole->samples.len, SAMPLES);
    ck_assert_uint_eq(whole->quality.warnings.len, 0);
    ck_assert_uint_lt(cut->samples.len, SAMPLES);
    ck_assert_uint_gt(cut->samples.len, SAMPLES / 3);
    ck_assert_uint_lt(cut->stacks.len, unpack_most_of_profile(PACKED) / 40);
    ck_assert_uint_eq(cut->quality.warnings.len, 1);
    profile_free(whole);
    profile_free(cut);
}
END_TEST

int main(void)
{
    return suite_run("named code", a_long_name_is_cut_once,
                     a_packed_file_makes_no_more_than_it_may);
}
