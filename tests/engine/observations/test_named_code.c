/* Code that comes with names, which may be long. */
#include "engine/observations/named_code.h"

#include <string.h>

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

int main(void)
{
    return suite_run("named code", a_long_name_is_cut_once);
}
