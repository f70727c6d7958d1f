/*
 * Recordings of many samples, packed and not, in the order of several CPUs:
 * every sample is where it was, whatever the number of threads.
 */
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

enum {
    CPUS = 4,
    BURST = 700, /* samples of a CPU that lie together */
    SAMPLES = 20 * CPUS * BURST, /* of some 100 bytes */
    DEEPEST = 9,
    THREADS = 5,
};

struct known {
    uint64_t time;
    uint32_t tid, cpu;
    uint64_t innermost, period;
};

static uint64_t mixed(uint64_t n)
{
    n *= 0x9E3779B97F4A7C15u;
    return n ^ n >> 29;
}

/* Every one at a time of its own. The recorder empties the buffers of its CPUs
 * in turn. */
static struct known known_of(size_t i)
{
    size_t round = i / (CPUS * BURST), cpu = i / BURST % CPUS, at = i % BURST;
    uint64_t n = round * CPUS * BURST + at * CPUS + cpu;

    return (struct known){
        .time = 1000000 + n * 1000,
        .tid = 40 + (uint32_t)(mixed(n) % THREADS),
        .cpu = (uint32_t)cpu,
        .innermost = 0x401000 + mixed(n) % 2000,
        .period = 1000 + n % 3,
    };
}

static void add_sample(struct perfdata_writer *w, size_t i, bool periods)
{
    struct known k = known_of(i);
    uint64_t chain[DEEPEST + 5], depth = 1 + mixed(k.time) % DEEPEST;
    size_t n = 0;

    if (mixed(k.time) % 7 == 0) {
        chain[n++] = PERFDATA_KERNEL;
        chain[n++] = KERNEL_BASE + 0x100 + mixed(k.time) % 50;
    }
    chain[n++] = PERFDATA_USER;
    chain[n++] = k.innermost;
    for (uint64_t d = 0; d < depth; d++)
        chain[n++] = 0x402000 + mixed(k.time + d) % 300;
    perfdata_sample(w, &(struct perfdata_sample){
                           .time = k.time,
                           .ip = chain[1],
                           .period = periods ? k.period : 1000,
                           .pid = 40,
                           .tid = k.tid,
                           .cpu = k.cpu,
                           .mode = chain[0] == PERFDATA_KERNEL ? 1 : 2,
                           .chain = chain,
                           .chain_count = n,
                       });
}

static void write_recording(struct perfdata_writer *w, unsigned how,
                            bool periods)
{
    perfdata_begin(w, how);
    w->packed_chunk = 60000;
    perfdata_event(w, 1, 0, 1000, "cpu-clock");
    perfdata_comm(w, 0, 40, 40, "shop", true);
    perfdata_kernel(w, KERNEL_BASE, 0x1000000);
    perfdata_mmap(w, 0, 40, 0x400000, 0x10000, 0, "/srv/shop");
    for (size_t i = 0; i < SAMPLES; i++) {
        add_sample(w, i, periods);
        /* Other records lie between samples. */
        if (i % 20011 == 5)
            perfdata_fork(w, 1000000, 40, 40 + (uint32_t)(i / 20011), 40, 40);
    }
    perfdata_end(w);
}

static struct profile *read_by(const struct perfdata_writer *w,
                               unsigned threads)
{
    static const char *const lists[] = {"testdata/perfdata"};
    struct read_options options = {.threads = threads,
                                   .symbol_folders = lists,
                                   .symbol_folder_count = 1};
    struct entry e = {.name = "a.data",
                      .inner = "",
                      .data = w->file.data,
                      .size = w->file.len};
    struct profile *p = profile_new();
    struct err err = {0};

    ck_assert_msg(!recording_read(&perfdata_format, &e, 1, &options, p, &err),
                  "%s", err.message);
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    return p;
}

/* The user part's innermost frame. */
static uint64_t user_address(const struct profile *p, size_t sample)
{
    const struct location *l;
    uint32_t stack = p->samples.stack[sample];

    do {
        l = &p->locations.data[p->stacks.data[stack].location];
        stack = p->stacks.data[stack].parent;
    } while (stack && l->kind == CODE_KERNEL);
    return l->address + 0x400000;
}

/* Whether the sample is where it was. */
static bool is_known(const struct samples *s, const struct profile *p,
                     const struct known *k)
{
    size_t at = (size_t)(k->time - 1000000) / 1000;

    return s->time[at] == (int64_t)k->time - 1000000 &&
           p->threads.data[s->thread[at]].tid == k->tid &&
           s->cpu[at] == k->cpu && user_address(p, at) == k->innermost &&
           (!s->period || s->period[at] == k->period);
}

/* Check notes every assertion, so there is none for each of many samples. */
static void assert_known(const struct profile *p, bool periods)
{
    const struct samples *s = &p->samples;

    ck_assert_uint_eq(s->len, SAMPLES);
    ck_assert(!s->period == !periods);
    for (size_t i = 0; i < SAMPLES; i++) {
        struct known k = known_of(i);

        if (!is_known(s, p, &k))
            ck_abort_msg("sample %zu", i);
    }
}

static void assert_same(const struct profile *a, const struct profile *b)
{
    size_t samples = a->samples.len, stacks = a->stacks.len;

    ck_assert_uint_eq(samples, b->samples.len);
    ck_assert_uint_eq(stacks, b->stacks.len);
    ck_assert_uint_eq(a->locations.len, b->locations.len);
    ck_assert(!memcmp(a->samples.stack, b->samples.stack,
                      samples * sizeof(*a->samples.stack)));
    ck_assert(!memcmp(a->samples.thread, b->samples.thread,
                      samples * sizeof(*a->samples.thread)));
    ck_assert(!memcmp(a->stacks.data, b->stacks.data,
                      stacks * sizeof(*a->stacks.data)));
}

static void compare_threads(unsigned how, bool periods)
{
    struct perfdata_writer w;
    struct profile *one, *several;

    write_recording(&w, how, periods);
    one = read_by(&w, 1);
    several = read_by(&w, 3);
    assert_known(one, periods);
    assert_same(one, several);
    profile_free(one);
    profile_free(several);
    perfdata_free(&w);
}

TEST_LOOP(every_form, FORMS)
{
    compare_threads(form(_i), false);
}

TEST(periods_that_differ)
{
    compare_threads(0, true);
}
