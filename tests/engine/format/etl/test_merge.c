/* Parts of a sample find each other at every division of a log into buffers,
 * with any number of buffers decoded ahead. */
#include "engine/container/container.h"
#include "engine/format/etl/etl.h"
#include "tests/support/etl_events.h"
#include "tests/support/etl_log.h"
#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { PID = 100, TID = 104, OTHER = 108, SMALL_BUFFER = 1024 };

/* Instruction pointers and frames: of user mode, and of the kernel. */
#define U(n) (0x1000u + (n))
#define K(n) (KERNEL + (n))

static struct etl_at at(const struct etl_log *l, unsigned cpu, int64_t us)
{
    return (struct etl_at){.cpu = cpu, .tick = etl_tick(l->w, us * 1000)};
}

static void sample(const struct etl_log *l, unsigned cpu, int64_t us,
                   uint32_t tid, uint64_t address)
{
    etl_sampled_profile(l->w, at(l, cpu, us), address, tid, 0);
}

static void part(const struct etl_log *l, unsigned cpu, int64_t us,
                 uint32_t tid, int64_t stamp, struct addresses run)
{
    etl_stack(l->w, at(l, cpu, us), at(l, 0, stamp).tick, PID, tid, run.list,
              run.count);
}

static void keyed(const struct etl_log *l, unsigned cpu, int64_t us,
                  uint32_t tid, int64_t stamp, uint64_t key, bool user)
{
    etl_stack_key(l->w, at(l, cpu, us), at(l, 0, stamp).tick, PID, tid, key,
                  user);
}

static void define(const struct etl_log *l, unsigned cpu, int64_t us,
                   uint64_t key, struct addresses run)
{
    etl_key_definition(l->w, at(l, cpu, us), ETL_KEY_CREATE, key, run.list,
                       run.count);
}

/* Writes a stay in the kernel on two processors, whose only user part comes
 * last; a part after the next sample; two samples at one time; keys that are
 * defined later, again, and never. */
static void write_events(const struct etl_log *l)
{
    sample(l, 0, 100, TID, K(1));
    sample(l, 1, 100, OTHER, U(1));
    keyed(l, 0, 102, TID, 100, 0xA, false);
    keyed(l, 1, 103, OTHER, 100, 0xB, true);
    sample(l, 0, 200, TID, K(2));
    part(l, 0, 202, TID, 200, RUN(K(2), K(3)));
    sample(l, 1, 300, TID, K(4));
    sample(l, 1, 400, TID, U(5));
    part(l, 0, 401, TID, 300, RUN(K(4)));
    part(l, 0, 500, TID, 100, RUN(U(6), U(7)));
    define(l, 1, 600, 0xA, RUN(K(1), K(8)));
    define(l, 0, 601, 0xB, RUN(U(1), U(9)));
    sample(l, 0, 700, TID, U(10));
    keyed(l, 1, 705, TID, 700, 0xB, true);
    define(l, 1, 800, 0xB, RUN(U(10), U(11)));
    sample(l, 0, 900, OTHER, U(12));
    keyed(l, 0, 901, OTHER, 900, 0xC, true);
}

static const struct {
    int64_t us;
    uint32_t tid;
    const char *parts;
} wanted[] = {
    {100, TID,
     "user 0x1006 0x1007 kernel 0xffff800000000001 0xffff800000000008 "
     "pid 100"},
    {100, OTHER, "user 0x1001 0x1009 pid 100"},
    {200, TID,
     "user 0x1006 0x1007 kernel 0xffff800000000002 0xffff800000000003 "
     "pid 100"},
    {300, TID, "user 0x1006 0x1007 kernel 0xffff800000000004"},
    {400, TID, "leaf 0x1005"},
    {700, TID, "user 0x100a 0x100b pid 100"},
    {900, OTHER, "leaf 0x100c pid 100"},
};

enum { WANTED = COUNT(wanted) };

/* `first` events that only take room move what comes behind them over the end
 * of a buffer. */
static struct event_trace *write_log(struct etl_log *l, unsigned first)
{
    etl_log_begin(
        l, &(struct etl_options){.cpus = 2, .buffer_size = SMALL_BUFFER});
    etl_process(l->w, at(l, 0, 10), ETL_START, 4,
                &(struct etl_process){.pid = PID, .image = "app.exe"});
    for (unsigned i = 0; i < 2 * first; i++)
        etl_hard_fault(l->w, at(l, i % 2, 50), i, TID);
    write_events(l);
    for (unsigned i = 0; i < 100; i++)
        etl_hard_fault(l->w, at(l, i % 2, 1000), i, TID);
    return etl_log_end(l);
}

static struct entry entry_of(const struct etl_log *l)
{
    return (struct entry){.name = "cut.etl",
                          .data = (const uint8_t *)l->bytes,
                          .size = l->size};
}

static void read_log(struct observed *o, const struct etl_log *l, size_t ahead,
                     unsigned threads)
{
    struct entry entry = entry_of(l);
    struct read_options options = {.threads = threads};
    struct err err = {0};
    struct etl_recording r;
    struct etl_correlator *correlator;
    struct etl_records *records;

    observed_begin(o);
    ck_assert_int_eq(etl_open(&r, &entry, 1, o->p, &err), ERR_NONE);
    ck_assert_uint_gt(r.buffers.len, 4);
    r.seen = o->seen;
    r.ahead = ahead;
    correlator = etl_correlator_new(&r);
    records = etl_records_new(&r);
    etl_merge(&r, &options, correlator, records);
    etl_correlator_finish(correlator);
    etl_records_finish(records);
    etl_records_free(records);
    etl_close(&r);
}

static size_t find_sample(const struct observed *o, int64_t us, uint32_t tid)
{
    const struct samples *s = &o->seen->samples;
    size_t i = 0;

    while (i < s->len && (s->time[i] != us * 1000 ||
                          o->seen->thread_keys.data[s->thread[i]].tid != tid))
        i++;
    ck_assert_uint_lt(i, s->len);
    return i;
}

static void check_samples(const struct observed *o)
{
    ck_assert_uint_eq(sample_count(o), WANTED);
    for (size_t i = 0; i < WANTED; i++)
        ck_assert_str_eq(
            sample_parts(o, find_sample(o, wanted[i].us, wanted[i].tid)),
            wanted[i].parts);
    ck_assert_uint_eq(o->p->quality.undefined_keys, 1);
}

TEST_LOOP(cut_anywhere, 30)
{
    struct etl_log l;
    struct event_trace *trace = write_log(&l, (unsigned)_i);
    struct observed o;

    for (size_t ahead = 0; ahead < 4; ahead++)
        for (unsigned threads = 1; threads < 4; threads++) {
            read_log(&o, &l, ahead, threads);
            check_samples(&o);
            observed_end(&o);
        }
    etl_log_close(&l, trace);
}

static void read_as_file(struct observed *o, const struct etl_log *l,
                         unsigned threads)
{
    struct entry entry = entry_of(l);
    struct read_options options = {.threads = threads};
    struct err err = {0};

    observed_begin(o);
    ck_assert_int_eq(etl_format.read(&entry, 1, &options, o->seen, &err),
                     ERR_NONE);
}

/* In the end of a large log, threads share what a small one leaves to one. */
TEST(many_buffers)
{
    enum { MANY = 1 << 10, EVENTS_A_BUFFER = 20 };
    struct etl_log l;
    struct event_trace *trace = write_log(&l, MANY * EVENTS_A_BUFFER / 2);
    struct observed o;

    ck_assert_uint_gt(l.size, MANY * SMALL_BUFFER);
    for (unsigned threads = 1; threads < 4; threads++) {
        read_as_file(&o, &l, threads);
        check_samples(&o);
        ck_assert_uint_eq(o.seen->processes.len, 1);
        observed_end(&o);
    }
    etl_log_close(&l, trace);
}

enum { CPUS = 50, ROUNDS = 60 };

/* The processor whose sample of a round is the nth; of each round another. */
static unsigned nth_cpu(unsigned round, unsigned n)
{
    return (7 * n + 13 * round) % CPUS;
}

/* Some processors stop before the others, so that fewer and fewer buffers have
 * something left. */
static bool is_sampled(unsigned round, unsigned cpu)
{
    return round + cpu < ROUNDS || cpu < 3;
}

static struct event_trace *write_rounds(struct etl_log *l)
{
    etl_log_begin(
        l, &(struct etl_options){.cpus = CPUS, .buffer_size = SMALL_BUFFER});
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned n = 0; n < CPUS; n++) {
            unsigned cpu = nth_cpu(round, n);

            if (is_sampled(round, cpu))
                sample(l, cpu, 100 * (round + 1) + n, TID + 4 * cpu, U(cpu));
        }
    return etl_log_end(l);
}

TEST(many_processors)
{
    struct etl_log l;
    struct event_trace *trace = write_rounds(&l);

    for (size_t ahead = 0; ahead < 4; ahead++) {
        struct observed o;
        size_t met = 0;

        read_log(&o, &l, ahead, 2);
        for (unsigned round = 0; round < ROUNDS; round++)
            for (unsigned n = 0; n < CPUS; n++) {
                unsigned cpu = nth_cpu(round, n);

                if (is_sampled(round, cpu))
                    ck_assert_uint_eq(o.seen->samples.cpu[met++], cpu);
            }
        ck_assert_uint_eq(sample_count(&o), met);
        observed_end(&o);
    }
    etl_log_close(&l, trace);
}
