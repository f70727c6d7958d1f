/* When a recording began, and how long it took. */
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

static struct perfdata_writer w;

static void begin(int big)
{
    perfdata_begin(&w, big ? PERFDATA_BIG : 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
}

static void sample(uint64_t time)
{
    perfdata_sample(
        &w, &(struct perfdata_sample){
                .time = time, .ip = 0x1010, .pid = 40, .tid = 40, .mode = 2});
}

static void check_times(int64_t duration, int64_t first_sample,
                        const char *stack)
{
    struct profile *p = read_written(&w);

    ck_assert_int_eq(p->trace.duration_ns, duration);
    if (p->samples.len) {
        ck_assert_int_eq(p->samples.time[0], first_sample);
        assert_stack(p, 0, stack);
    }
    profile_free(p);
}

/* Generated code may be as old as its process. What was mapped first, and
 * covered since, is as covered as it was. */
TEST_LOOP(code_older_than_the_recording, 2)
{
    begin(_i);
    perfdata_mmap(&w, 9, 40, 0x1000, 0x1000, 0, "/tmp/newer");
    perfdata_mmap(&w, 7, 40, 0x1000, 0x1000, 0, "/tmp/older");
    perfdata_kernel_symbol(&w, 5, KERNEL, 0x100, "bpf_prog", false);
    sample(5000);
    sample(5030);
    check_times(30, 0, "newer!+0x10");
}

/* Records of processes are recorded when they happen. */
TEST_LOOP(what_happens_before_the_first_sample, 2)
{
    begin(_i);
    perfdata_mmap(&w, 7, 40, 0x1000, 0x1000, 0, "/bin/app");
    perfdata_comm(&w, 0, 40, 40, "app", false);
    perfdata_fork(&w, 4990, 41, 41, 40, 40);
    sample(5000);
    perfdata_exit(&w, 5050, 41, 41);
    perfdata_mmap(&w, 5060, 40, 0x3000, 0x1000, 0, "/bin/late.so");
    check_times(70, 10, "app!+0x10");
    begin(_i);
    perfdata_mmap(&w, 7, 40, 0x1000, 0x1000, 0, "/bin/app");
    perfdata_comm(&w, 4980, 40, 40, "app", false);
    sample(5000);
    check_times(20, 20, "app!+0x10");
}

TEST_LOOP(other_records_have_times, 2)
{
    begin(_i);
    perfdata_lost(&w, 4900, 3);
    sample(5000);
    check_times(100, 100, "0x1010");
}

/* What ends a record of an unknown type need not be its time. */
TEST_LOOP(unknown_records_have_no_times, 2)
{
    begin(_i);
    for (uint32_t type = 0; type < 2; type++) {
        perfdata_put(&w, &w.records, type ? 32 : 200, 4);
        perfdata_put(&w, &w.records, 0, 2);
        perfdata_put(&w, &w.records, 8 + 40, 2);
        for (int i = 0; i < 5; i++)
            perfdata_put(&w, &w.records, UINT64_MAX / 2, 8);
    }
    perfdata_lost(&w, 4900, 3);
    sample(5000);
    check_times(100, 100, "0x1010");
}

/* Nothing was recorded: no time passed. */
TEST_LOOP(mappings_alone, 2)
{
    begin(_i);
    perfdata_mmap(&w, 7, 40, 0x1000, 0x1000, 0, "/bin/app");
    perfdata_mmap(&w, 9, 40, 0x3000, 0x1000, 0, "/bin/app.so");
    check_times(0, 0, "");
    begin(_i);
    perfdata_mmap(&w, UINT64_MAX - 1, 40, 0x1000, 0x1000, 0, "/bin/app");
    sample(1);
    sample(UINT64_MAX);
    check_times(INT64_MAX - 1, 0, "0x1010");
}
