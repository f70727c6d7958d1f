#include "cli/commands/annotation.h"

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

enum { MODULES = 500, EACH = 3 };

static struct profile *many_modules(void)
{
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 1, "a", 1);

    for (unsigned i = 0; i < MODULES * EACH; i++) {
        char stack[64];

        snprintf(stack, sizeof(stack), "m%u!+0x%x", i % MODULES, 16 * i + 16);
        builder_samples(b, t, 1 + i / MODULES, stack);
    }
    return builder_finish(b);
}

/* Nothing of the others is looked at; asked again, nothing at all. */
TEST(a_module_costs_its_own_locations)
{
    struct profile *p = many_modules();
    struct selection *sel = selection_new(p, NULL);
    struct places places = {0};
    struct code_modules *all = code_modules_new(p, sel, &places);

    ck_assert_uint_eq(p->modules.len, MODULES);
    for (unsigned i = 0; i < 2 * MODULES; i++) {
        const struct code_module *m = code_module_get(all, i % MODULES);

        ck_assert_uint_eq(m->module, i % MODULES);
        ck_assert_ptr_null(m->image);
    }
    ck_assert_uint_eq(code_modules_steps(all),
                      p->locations.len + MODULES * EACH);
    code_modules_free(all);
    places_release(&places);
    selection_free(sel);
    profile_free(p);
}
