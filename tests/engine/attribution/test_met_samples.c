/* Samples get the pairs of parts that their stacks are made of. */
#include "engine/attribution/met_samples.h"

#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { PID = 7 };

static struct observed o;
static struct lifetimes lives;
static struct stack_parts parts;
static struct met_samples met;

static uint32_t run_at(uint64_t address)
{
    return callchains_add_address(&o.seen->callchains, address);
}

static void see(uint32_t tid, uint32_t outer, uint32_t inner, bool leaf)
{
    struct observed_sample sample = {
        .time = (int64_t)o.seen->samples.len,
        .thread_key = observe_thread_key(o.seen, tid, PID),
        .outer = outer,
        .inner = inner,
        .weight = 1,
        .leaf = leaf,
    };

    observe_sample(o.seen, &sample);
}

static void meet(unsigned threads)
{
    struct threads *pool = threads_new(threads);

    lifetimes_build(&lives, o.seen);
    stack_parts_init(&parts, o.seen);
    meet_samples(&met, o.seen, &lives, &parts, pool);
    met_samples_finish(&met, pool);
    threads_free(pool);
}

static void end(void)
{
    vec_release(&met.pairs.list);
    stack_parts_release(&parts);
    lifetimes_release(&lives);
    observed_end(&o);
}

static void check_sample(size_t i, uint32_t pair, unsigned flags)
{
    const struct observed_samples *s = &o.seen->samples;

    ck_assert_uint_eq(s->outer[i], pair);
    ck_assert_uint_eq(s->flags[i], flags);
}

static void check_pair(uint32_t id, uint32_t outer, uint32_t inner)
{
    ck_assert_uint_eq(met.pairs.list.data[id].outer, outer);
    ck_assert_uint_eq(met.pairs.list.data[id].inner, inner);
}

static void check_runs(uint32_t pair, uint32_t outer, uint32_t inner)
{
    struct row_pair p = met.pairs.list.data[pair];

    ck_assert_uint_eq(parts.list.data[p.outer].run, outer);
    ck_assert_uint_eq(parts.list.data[p.inner].run, inner);
}

START_TEST(pairs_in_the_order_of_samples)
{
    enum {
        USER = SAMPLE_USER_PART | SAMPLE_HAS_STACK,
        BOTH = USER | SAMPLE_KERNEL_PART,
    };
    uint32_t user, kernel;

    observed_begin(&o);
    o.seen->kernel_from = kernel_space_start(8);
    user = run_at(0x1000);
    kernel = run_at(o.seen->kernel_from + 0x10);
    see(1, user, kernel, false);
    see(1, user, 0, false);
    see(2, user, kernel, false);
    see(1, user, kernel, true);
    meet(1);
    ck_assert_uint_eq(met.pairs.list.len, 3);
    check_pair(0, 0, 1);
    check_pair(1, 0, NO_ID);
    check_pair(2, 0, 2); /* a leaf is the process's */
    check_sample(0, 0, BOTH);
    check_sample(1, 1, USER);
    check_sample(2, 0, BOTH);
    check_sample(3, 2, USER);
    ck_assert_uint_eq(parts.list.data[1].process, NO_ID);
    ck_assert_uint_ne(parts.list.data[2].process, NO_ID);
    ck_assert_uint_eq(met.parts_before_none, NO_ID);
    ck_assert_uint_ne(o.seen->samples.thread_key[0],
                      o.seen->samples.thread_key[2]);
    end();
}
END_TEST

START_TEST(one_part_is_the_outer_one)
{
    uint32_t kernel, leaf;

    observed_begin(&o);
    o.seen->kernel_from = kernel_space_start(8);
    kernel = run_at(o.seen->kernel_from + 0x10);
    leaf = run_at(0x1000);
    see(1, 0, 0, false);
    see(1, 0, kernel, false);
    see(1, 0, leaf, true);
    see(1, 0, 0, false);
    meet(1);
    ck_assert_uint_eq(met.pairs.list.len, 3);
    ck_assert_uint_eq(met.pairs.list.data[0].outer, NO_ID);
    ck_assert_uint_eq(met.none, 0);
    ck_assert_uint_eq(met.parts_before_none, 0);
    check_pair(1, 0, NO_ID);
    check_pair(2, 1, NO_ID);
    check_sample(0, 0, 0);
    check_sample(1, 1, SAMPLE_KERNEL_PART | SAMPLE_HAS_STACK);
    check_sample(2, 2, 0);
    check_sample(3, 0, 0);
    end();
}
END_TEST

/* Many tasks of samples; their parts are known before their pairs. */
START_TEST(threads_do_not_show)
{
    enum { SAMPLES = 100000, RUNS = 300, NONE = 70000 };

    for (unsigned threads = 1; threads <= 8; threads *= 2) {
        uint32_t runs[RUNS], before = 0;

        observed_begin(&o);
        for (uint32_t i = 0; i < RUNS; i++)
            runs[i] = run_at(0x1000 + i);
        for (uint32_t i = 0; i < SAMPLES; i++)
            if (i == NONE)
                see(1, 0, 0, false);
            else
                see(1, runs[i % 7 * (i % 41)], runs[i % 43], false);
        meet(threads);
        ck_assert_uint_eq(met.parts_before_none, parts.list.len);
        for (size_t i = 0; i < SAMPLES; i++) {
            uint32_t pair = o.seen->samples.outer[i];

            ck_assert_uint_le(pair, before);
            before += pair == before;
            if (i == NONE)
                ck_assert_uint_eq(pair, met.none);
            else
                check_runs(pair, runs[i % 7 * (i % 41)], runs[i % 43]);
        }
        ck_assert_uint_eq(before, met.pairs.list.len);
        end();
    }
}
END_TEST

START_TEST(no_samples)
{
    observed_begin(&o);
    meet(2);
    ck_assert_uint_eq(met.pairs.list.len, 0);
    end();
}
END_TEST

int main(void)
{
    return suite_run("met samples", pairs_in_the_order_of_samples,
                     one_part_is_the_outer_one, threads_do_not_show,
                     no_samples);
}
