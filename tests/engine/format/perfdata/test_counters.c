/* Counters that samples read: only the leader of a group takes samples. */
#include "tests/support/perfdata_read.h"

enum { READ = 1 << 4, ID = 4, GROUP = 8, LOST = 16, INHERIT = 1 << 1 };

static struct perfdata_writer w;

static void begin(unsigned how)
{
    perfdata_begin(&w, how);
    w.more_fields = READ;
    w.read_format = ID | GROUP | LOST;
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_event(&w, 1, 2, 0, "page-faults");
}

/* `leader`, `other`: what the counters say. */
static void sample(uint64_t time, uint32_t tid, uint64_t leader, uint64_t other)
{
    struct blob read = {0};

    perfdata_put(&w, &read, 2, 8);
    perfdata_put(&w, &read, leader, 8);
    perfdata_put(&w, &read, 100, 8);
    perfdata_put(&w, &read, 5, 8); /* lost */
    perfdata_put(&w, &read, other, 8);
    perfdata_put(&w, &read, 101, 8);
    perfdata_put(&w, &read, 0, 8);
    perfdata_sample(&w, &(struct perfdata_sample){.time = time,
                                                  .ip = 0x401000,
                                                  .period = 1000,
                                                  .pid = 40,
                                                  .tid = tid,
                                                  .mode = 2,
                                                  .read = &read});
    vec_release(&read);
}

static void check(const struct profile *p, size_t n, const uint64_t *periods)
{
    ck_assert_uint_eq(p->samples.len, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(p->samples.period ? p->samples.period[i] : 1000,
                          periods[i]);
}

/* Threads that began later have counters of the same id. */
TEST_LOOP(counters_of_each_thread, FORMS - 1)
{
    static const uint64_t periods[] = {1000, 500, 100, 200};
    struct profile *p;

    begin(form(_i));
    w.flags = INHERIT;
    sample(10, 40, 1000, 0);
    sample(20, 41, 500, 0);
    sample(30, 40, 1100, 0);
    sample(40, 41, 700, 0);
    p = read_written(&w);
    check(p, 4, periods);
    for (size_t i = 0; i < p->trace.event_counts.len; i++)
        ck_assert_uint_eq(p->trace.event_counts.data[i].count, i ? 0 : 4);
    profile_free(p);
}
