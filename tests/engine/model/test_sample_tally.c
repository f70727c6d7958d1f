/* What stacks and threads have in samples. */
#include "engine/model/profile.h"
#include "tests/support/suite.h"

static struct profile *p;

static void add(uint32_t thread, uint32_t stack, uint32_t weight, int flags)
{
    profile_sample(p, &(struct sample){.thread = thread,
                                       .stack = stack,
                                       .weight = weight,
                                       .flags = (uint8_t)flags});
}

/* More samples than are looked ahead. */
static void add_samples(void)
{
    for (int i = 0; i < 20; i++)
        add(0, 1, 1, SAMPLE_HAS_STACK | SAMPLE_USER_PART);
    add(0, 2, 5, SAMPLE_HAS_STACK | SAMPLE_KERNEL_PART);
    add(1, 2, 7, 0);
    add(1, 0, 100, SAMPLE_IDLE | SAMPLE_HAS_STACK | SAMPLE_KERNEL_PART);
}

static void check(const struct sample_tally *t)
{
    const struct thread_tally *first = &t->threads[0], *second = &t->threads[1];

    ck_assert_uint_eq(t->stacks[0], 0);
    ck_assert_uint_eq(t->stacks[1], 20);
    ck_assert_uint_eq(t->stacks[2], 12);
    ck_assert_uint_eq(t->busy, 32);
    ck_assert_uint_eq(t->idle, 100);
    ck_assert_uint_eq(first->by_class[STACK_USER], 20);
    ck_assert_uint_eq(first->by_class[STACK_KERNEL], 5);
    ck_assert_uint_eq(second->by_class[STACK_NONE], 7);
    ck_assert_uint_eq(second->by_class[STACK_KERNEL], 0);
}

START_TEST(samples_count_by_weight_and_idle_ones_apart)
{
    struct sample_tally t = sample_tally_of(3, 2);

    p = profile_new();
    add_samples();
    sample_tally_add(&t, &p->samples, 0, p->samples.len);
    check(&t);
    sample_tally_release(&t);
    ck_assert_ptr_null(t.stacks);
    profile_free(p);
}
END_TEST

START_TEST(parts_add_up_to_the_whole)
{
    struct sample_tally whole = sample_tally_of(3, 2);

    p = profile_new();
    add_samples();
    for (size_t i = 0; i < p->samples.len; i += 4) {
        struct sample_tally part = sample_tally_of(3, 2);
        size_t to = i + 4 < p->samples.len ? i + 4 : p->samples.len;

        sample_tally_add(&part, &p->samples, i, to);
        sample_tally_join(&whole, &part);
        sample_tally_release(&part);
    }
    check(&whole);
    sample_tally_release(&whole);
    profile_free(p);
}
END_TEST

int main(void)
{
    return suite_run("sample tally",
                     samples_count_by_weight_and_idle_ones_apart,
                     parts_add_up_to_the_whole);
}
