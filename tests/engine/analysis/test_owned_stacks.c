#include "engine/analysis/filter.h"

#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

/* Whatever is selected: owners in order, stacks behind their parents, none
 * twice, and nothing lost. */
static void check_order(const struct profile *p, const struct selection *sel)
{
    for (int threads = 0; threads < 2; threads++) {
        owned_stacks list = {0};
        uint64_t all = 0;

        owned_stacks_count(&list, p, sel, threads);
        owned_stacks_sort(&list);
        for (size_t i = 0; i < list.len; i++) {
            const struct owned_stack *s = &list.data[i];

            all += s->count;
            if (i && s[-1].owner == s->owner)
                ck_assert_uint_lt(s[-1].stack, s->stack);
            else if (i)
                ck_assert_uint_lt(s[-1].owner, s->owner);
        }
        ck_assert_uint_eq(all, sel->samples);
        vec_release(&list);
    }
}

TEST(sorted_they_are_by_owner_and_stack)
{
    random_selections(check_order);
}
