/* Samples of perf: the parts of their stacks, and their order. */
#include "tests/support/cells.h"
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

#define K(n)         (KERNEL_BASE + (n))
#define U(n)         (0x400000u + (n))

enum { KERNEL_MODE = 1, USER_MODE, HYPERVISOR_MODE };

static struct perfdata_writer w;

static void begin(int big)
{
    perfdata_begin(&w, big ? PERFDATA_BIG : 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_kernel(&w, KERNEL_BASE, 0x1000000);
    perfdata_mmap(&w, 0, 40, 0x400000, 0x4000, 0, "/srv/app");
}

/* What runs in a guest is not what this machine has at its address. */
TEST_LOOP(samples_of_guests, 2)
{
    struct perfdata_sample s = {
        .time = 10, .ip = K(1), .pid = 40, .tid = 41, .mode = 4};
    struct profile *p;

    begin(_i);
    perfdata_sample(&w, &s);
    s.ip = U(1);
    s.mode = 5;
    perfdata_sample(&w, &s);
    p = read_written(&w);
    assert_stack(p, 0, "[no stack]");
    assert_stack(p, 1, "[no stack]");
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    profile_free(p);
}

/* "k1 u2": where frames are, and the last digits of their addresses. */
static void check_stack(const struct profile *p, const char *expected)
{
    uint32_t stack = p->samples.stack[0];
    char text[100] = "";
    size_t n = 0;

    for (; stack; stack = p->stacks.data[stack].parent) {
        const struct location *l =
            &p->locations.data[p->stacks.data[stack].location];

        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%c%u",
                              n ? " " : "", l->kind == CODE_KERNEL ? 'k' : 'u',
                              (unsigned)(l->address & 15));
    }
    ck_assert_str_eq(text, expected);
}

/* A mark of a chain, or an address: "k1", "u2". */
static uint64_t entry_of(const char *word)
{
    static const struct {
        const char *word;
        uint64_t mark;
    } marks[] = {
        {"user", PERFDATA_USER},           {"kernel", PERFDATA_KERNEL},
        {"hypervisor", (uint64_t)-32},     {"guest", (uint64_t)-2048},
        {"guest_kernel", (uint64_t)-2176}, {"guest_user", (uint64_t)-2560},
        {"deferred", (uint64_t)-640},      {"last", (uint64_t)-4095},
    };

    for (size_t i = 0; i < COUNT(marks); i++)
        if (!strcmp(marks[i].word, word))
            return marks[i].mark;
    return (*word == 'k' ? KERNEL_BASE : U(0)) + (uint64_t)atoi(word + 1);
}

static void check_parts(const struct cells *row)
{
    static const char *const modes[] = {"", "kernel", "user", "hypervisor"};
    static const char *const classes[] = {[STACK_FULL] = "full",
                                          [STACK_USER] = "user",
                                          [STACK_KERNEL] = "kernel",
                                          [STACK_NONE] = "none"};
    uint64_t chain[8];
    uint16_t mode = 1;
    char *save = NULL, *word = strtok_r(row->cell[1], " ", &save);
    size_t n = 0;

    for (; word; word = strtok_r(NULL, " ", &save))
        chain[n++] = entry_of(word);
    while (strcmp(modes[mode], row->cell[0]))
        ck_assert_uint_lt(++mode, COUNT(modes));
    for (int big = 0; big < 2; big++) {
        struct profile *p;

        begin(big);
        perfdata_sample(
            &w, &(struct perfdata_sample){.time = 10,
                                          .ip = mode == USER_MODE ? U(1) : K(1),
                                          .pid = 40,
                                          .tid = 41,
                                          .mode = mode,
                                          .chain = chain,
                                          .chain_count = n});
        p = read_written(&w);
        check_stack(p, row->cell[2]);
        cells_expect(row, 3, classes[stack_class(p->samples.flags[0])]);
        cells_expect(row, 4, p->quality.warnings.len ? "guest" : "");
        profile_free(p);
    }
}

TEST(parts_of_stacks)
{
    cells_each("tests/engine/format/perfdata/chains.cells", "chains",
               check_parts);
}

/* ---- fields ---- */

/* Numbers of what follows that do not fit: the sample is malformed. */
TEST_LOOP(samples_cut_off, 3)
{
    static const uint64_t more_fields[] = {1 << 4, 1 << 11, 1 << 12 | 1 << 13};
    struct blob more = {0}, read = {0};
    struct err err = {0};

    begin(0);
    w.more_fields = more_fields[_i];
    w.read_format = 8;
    perfdata_put(&w, &read, 0x1000, 8);               /* counters in a group */
    perfdata_put(&w, &more, _i == 2 ? 0 : 0x1000, 8); /* branches */
    perfdata_put(&w, &more, 0x1000, 8);               /* bytes of a stack */
    perfdata_sample(&w, &(struct perfdata_sample){.time = 10,
                                                  .ip = U(1),
                                                  .pid = 40,
                                                  .tid = 40,
                                                  .mode = USER_MODE,
                                                  .read = _i ? NULL : &read,
                                                  .more = _i ? &more : NULL});
    perfdata_end(&w);
    ck_assert_ptr_null(try_read(w.file.data, w.file.len, NULL, &err));
    ck_assert_str_eq(err.message,
                     "a.data: none of its 1 samples could be read");
    perfdata_free(&w);
    free(more.data);
    free(read.data);
}

/* ---- order ---- */

/* So many samples, each at the time that its number has. */
static const struct {
    size_t count;
    uint8_t times[16];
} orders[] = {
    {3, {1, 2, 3}},
    {4, {2, 1, 4, 3}},
    {6, {4, 5, 6, 1, 2, 3}},
    {9, {9, 8, 7, 6, 5, 4, 3, 2, 1}},
    {8, {1, 3, 3, 5, 2, 3, 3, 4}},
    {16, {5, 9, 1, 9, 2, 8, 3, 7, 4, 6, 5, 5, 1, 9, 2, 2}},
};

static void check_order(const uint8_t *times, size_t count, bool periods)
{
    struct profile *p;

    begin(0);
    for (uint32_t i = 0; i < count; i++)
        perfdata_sample(&w,
                        &(struct perfdata_sample){.time = 10 + times[i],
                                                  .ip = U(i),
                                                  .period = periods ? 1 + i : 1,
                                                  .pid = 40,
                                                  .tid = 40 + i,
                                                  .cpu = i,
                                                  .mode = USER_MODE});
    p = read_written(&w);
    ck_assert_uint_eq(p->samples.len, count);
    for (size_t i = 0; i < count; i++) {
        size_t from = p->samples.cpu[i];
        const struct thread *t = &p->threads.data[p->samples.thread[i]];

        ck_assert_uint_eq(t->tid, 40 + from);
        ck_assert(!periods || p->samples.period[i] == 1 + from);
        if (i) {
            size_t before = p->samples.cpu[i - 1];

            ck_assert(times[before] < times[from] ||
                      (before < from && times[before] == times[from]));
            ck_assert_int_eq(p->samples.time[i] - p->samples.time[i - 1],
                             times[from] - times[before]);
        }
    }
    profile_free(p);
}

TEST_LOOP(order_of_samples, COUNT(orders))
{
    check_order(orders[_i].times, orders[_i].count, false);
    check_order(orders[_i].times, orders[_i].count, true);
}
