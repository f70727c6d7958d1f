/* User parts of stacks that come after their samples. */
#include "tests/support/perfdata_read.h"

enum { COOKIE = 77 };

static struct perfdata_writer w;

static void sample(uint64_t time, uint32_t tid, bool kernel, uint64_t cookie)
{
    const uint64_t chain[] = {PERFDATA_KERNEL, KERNEL_BASE + 0x10,
                              PERFDATA_DEFERRED, cookie};
    unsigned from = kernel ? 0 : 2;

    perfdata_sample(&w, &(struct perfdata_sample){
                            .time = time,
                            .ip = kernel ? KERNEL_BASE + 0x10 : 0x401010,
                            .period = 1,
                            .pid = 40,
                            .tid = tid,
                            .mode = kernel ? 1 : 2,
                            .chain = chain + from,
                            .chain_count = 4 - from});
}

static void begin(int i)
{
    perfdata_begin(&w, form(i));
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_kernel(&w, KERNEL_BASE, 0x1000000);
    perfdata_mmap(&w, 0, 40, 0x400000, 0x4000, 0, "/srv/shop/shop");
}

#define IN_KERNEL "[kernel.kallsyms]!+0x10"
#define USER      "shop!+0x1010 < shop!+0x1020"

/* One of them is of several samples, in the kernel and in user code. */
TEST_LOOP(joined_by_cookie, FORMS - 1)
{
    static const uint64_t chain[] = {PERFDATA_USER, 0x401010, 0x401020};
    struct profile *p;

    begin(_i);
    sample(10, 40, true, COOKIE);
    sample(11, 40, true, COOKIE);
    sample(12, 40, false, COOKIE);
    perfdata_deferred(&w, 13, 40, COOKIE, chain, 3);
    sample(14, 40, true, COOKIE + 1);
    perfdata_deferred(&w, 15, 40, COOKIE + 1, chain + 1, 2); /* no mark */
    p = read_written(&w);
    ck_assert_uint_eq(p->samples.len, 4);
    assert_stack(p, 0, IN_KERNEL " < " USER);
    assert_stack(p, 1, IN_KERNEL " < " USER);
    assert_stack(p, 2, USER);
    assert_stack(p, 3, IN_KERNEL " < " USER);
    assert_roles(p, 2, ".c");
    profile_free(p);
}

/* Of another thread or cookie, or lost: the stack has no user part. */
TEST_LOOP(not_joined, FORMS - 1)
{
    static const uint64_t chain[] = {PERFDATA_USER, 0x401010};
    struct profile *p;

    begin(_i);
    sample(10, 40, true, COOKIE);
    sample(11, 40, false, COOKIE);
    perfdata_deferred(&w, 12, 41, COOKIE, chain, 2);
    perfdata_deferred(&w, 13, 40, COOKIE + 1, chain, 2);
    p = read_written(&w);
    assert_stack(p, 0, IN_KERNEL);
    assert_stack(p, 1, "shop!+0x1010");
    ck_assert_uint_eq(p->quality.malformed, 0);
    profile_free(p);
}
