/* Recordings of perf made by the writer, whose answers are known. */
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

static size_t samples_of(const struct profile *p, const char *process)
{
    size_t n = 0;

    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t id = p->threads.data[p->samples.thread[i]].process;
        uint32_t name = p->processes.data[id].name;

        n += !strcmp(strings_get(p->strings, name), process);
    }
    return n;
}

static uint64_t count_of(const struct profile *p, const char *event)
{
    for (size_t i = 0; i < p->trace.event_counts.len; i++)
        if (!strcmp(strings_get(p->strings, p->trace.event_counts.data[i].name),
                    event))
            return p->trace.event_counts.data[i].count;
    return 0;
}

/* ---- the shop ---- */

static void assert_shop(const struct profile *p, bool whole)
{
    ck_assert_str_eq(profile_metric_word(p), "cpu-samples");
    ck_assert_int_eq(p->trace.interval_ns, 1000000);
    ck_assert_uint_eq(p->samples.len, 153);
    ck_assert_int_eq(p->trace.duration_ns, 62000600);
    ck_assert_uint_eq(p->quality.lost_events, 7);
    ck_assert_uint_eq(p->quality.skipped_ranges, 0);
    ck_assert_uint_eq(p->quality.malformed, 0);
    ck_assert_uint_eq(samples_of(p, "shop"), 149);
    ck_assert_uint_eq(samples_of(p, "cat"), 1);
    if (whole)
        ck_assert_str_eq(strings_get(p->strings, p->trace.machine), "shop");
    ck_assert_uint_eq(count_of(p, "page-faults"), 3);
    ck_assert_uint_eq(count_of(p, "MMAP2"), 4);
    assert_stack(p, 0, "bpf_prog_count < [kernel.kallsyms]!+0x300");
    assert_stack(p, 1, "shop!+0x1234 < shop!+0x1100");
    assert_stack(p, 2, "libcount.so.1!+0x2042 < shop!+0x1200 < shop!+0x1100");
}

TEST_LOOP(every_form, FORMS)
{
    struct perfdata_writer w;
    struct profile *p;

    perfdata_shop(&w, form(_i));
    p = read_event(&w, NULL);
    assert_shop(p, !(form(_i) & (PERFDATA_PIPE | PERFDATA_KILLED)));
    assert_stack(p, 7,
                 "[kernel.kallsyms]!+0x500 < [kernel.kallsyms]!+0x100 < "
                 "libcount.so.1!+0x2100 < shop!+0x1200");
    ck_assert_uint_eq(stack_class(p->samples.flags[7]), STACK_FULL);
    /* The child has its parent's memory, until it maps another program. */
    assert_stack(p, 151, "shop!+0x1234");
    assert_stack(p, 152, "cat!+0x1234");
    profile_free(p);
    perfdata_free(&w);
}

TEST(names_of_threads)
{
    struct perfdata_writer w;
    struct profile *p;
    unsigned found = 0;

    perfdata_shop(&w, 0);
    p = read_event(&w, NULL);
    for (size_t i = 0; i < p->threads.len; i++) {
        const struct thread *t = &p->threads.data[i];
        const char *name = strings_get(p->strings, t->name);

        found += (t->tid == 40 && !strcmp(name, "shop")) ||
                 (t->tid == 41 && !strcmp(name, "worker")) ||
                 (t->tid == 50 && !strcmp(name, "cat"));
    }
    ck_assert_uint_eq(found, 3);
    profile_free(p);
    perfdata_free(&w);
}

TEST(chosen_event)
{
    static const struct {
        const char *event, *metric;
        size_t samples;
    } rows[] = {
        {"cpu", "cpu-samples", 153},         {"cpu-clock", "cpu-samples", 153},
        {"cpu-clock:u", "cpu-samples", 153}, {"page-faults", "page-faults", 3},
        {"page-fault", "page-faults", 3},    {"FAULTS", "page-faults", 3},
    };
    struct perfdata_writer w;
    struct err err = {0};

    perfdata_shop(&w, 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile *p = read_event(&w, rows[i].event);

        ck_assert_uint_eq(p->samples.len, rows[i].samples);
        ck_assert_str_eq(profile_metric_word(p), rows[i].metric);
        profile_free(p);
    }
    ck_assert(!try_read(w.file.data, w.file.len, "clock", &err));
    ck_assert_int_eq(err.code, ERR_NOT_FOUND);
    perfdata_free(&w);
}

/* Equal periods say nothing; a longest one ends the others. */
TEST(periods)
{
    static const struct {
        uint64_t period[3], kept;
    } rows[] = {{{1000, 1000, 1000}, 0},
                {{1, 40, 1600}, 1600},
                {{1, 1, UINT64_MAX}, ((uint64_t)1 << 39) - 1}};

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct perfdata_writer w;
        struct profile *p;

        perfdata_begin(&w, i == 1 ? PERFDATA_BIG : 0);
        perfdata_event(&w, 0, 0, 1000, "cpu_core/cycles/P");
        for (unsigned k = 0; k < 3; k++)
            perfdata_sample(
                &w, &(struct perfdata_sample){.time = 10 + k,
                                              .ip = 0x401000,
                                              .period = rows[i].period[k],
                                              .pid = 40,
                                              .tid = 40,
                                              .mode = 2});
        p = read_written(&w);
        ck_assert_uint_eq(p->samples.len, 3);
        ck_assert(!p->samples.period == !rows[i].kept);
        if (rows[i].kept)
            ck_assert_uint_eq(p->samples.period[2], rows[i].kept);
        ck_assert_str_eq(strings_get(p->strings, p->trace.period_of),
                         rows[i].kept ? "cycles" : "");
        profile_free(p);
    }
}

/* Names of V8 lose the mark of the tier, those of .NET become methods; the
 * later row of a map holds. */
TEST(generated_code)
{
    struct perfdata_writer w;
    struct profile *p;

    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_mmap(&w, 0, 40, 0x7F1000000000, 0x10000, 0,
                  "/memfd:doublemapper (deleted)");
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t chain[] = {PERFDATA_USER, 0x7F1000000010 + i * 0x100};

        perfdata_sample(&w, &(struct perfdata_sample){.time = 10 + i,
                                                      .ip = chain[1],
                                                      .pid = 40,
                                                      .tid = 40,
                                                      .mode = 2,
                                                      .chain = chain,
                                                      .chain_count = 2});
    }
    p = read_written(&w);
    assert_stack(p, 0, "total /srv/shop/shop.js:3:9");
    assert_stack(p, 1, "Shop.Cart.Sum(int32[])");
    assert_stack(p, 2, "memfd:doublemapper!+0x210");
    profile_free(p);
}

/* What the only sample, taken in a child, has as its stack. */
static void assert_child(struct perfdata_writer *w, const uint64_t *chain,
                         size_t count, const char *stack)
{
    struct profile *p;

    perfdata_sample(w, &(struct perfdata_sample){.time = 40,
                                                 .ip = chain[1],
                                                 .pid = 60,
                                                 .tid = 60,
                                                 .mode = 2,
                                                 .chain = chain,
                                                 .chain_count = count});
    p = read_written(w);
    assert_stack(p, 0, stack);
    profile_free(p);
}

/* A program run in the place of another keeps it in its children, too: what
 * they copy is all of one time. */
TEST(fork_after_exec)
{
    static const uint64_t chain[] = {PERFDATA_USER, 0x401234, 0x407010};
    struct perfdata_writer w;

    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_mmap(&w, 0, 40, 0x400000, 0x4000, 0, "/usr/bin/driver");
    perfdata_fork(&w, 10, 50, 50, 40, 40);
    perfdata_comm(&w, 20, 50, 50, "linker", true);
    perfdata_mmap(&w, 21, 50, 0x400000, 0x8000, 0, "/usr/bin/linker");
    perfdata_fork(&w, 30, 60, 60, 50, 50);
    assert_child(&w, chain, 3, "linker!+0x1234 < linker!+0x7010");
}

/* What a library was loaded over, a small file that is mapped no more, stays
 * hidden in children. */
TEST(fork_after_mapping_over)
{
    static const uint64_t chain[] = {PERFDATA_USER, 0x7F0000002100};
    struct perfdata_writer w;

    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_mmap(&w, 10, 40, 0x7F0000002000, 0x1000, 0, "/etc/list");
    perfdata_mmap(&w, 20, 40, 0x7F0000000000, 0x8000, 0, "/lib/count.so");
    perfdata_fork(&w, 30, 60, 60, 40, 40);
    assert_child(&w, chain, 2, "count.so!+0x2100");
}

/* The loader protects the first part of a mapping from writing, which maps
 * it again: what follows stays. */
TEST(mapped_again_in_part)
{
    static const uint64_t chain[] = {PERFDATA_USER, 0x7F0000001800,
                                     0x7F0000002800};
    struct perfdata_writer w;

    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_mmap(&w, 10, 40, 0x7F0000001000, 0x3000, 0x5000, "/lib/old.so");
    perfdata_mmap(&w, 20, 40, 0x7F0000001000, 0x1000, 0x1000, "/lib/new.so");
    perfdata_fork(&w, 30, 60, 60, 40, 40);
    assert_child(&w, chain, 3, "new.so!+0x1800 < old.so!+0x6800");
}

/* perf keeps the name that was typed. */
TEST(names_of_one_event)
{
    static const struct {
        const char *wanted;
        size_t samples;
    } asked[] = {{"cswitch", 3}, {"context-switches", 3}, {"cs", 1},
                 {"sched:sched_switch", 2}};
    struct perfdata_writer w;

    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 3, 1, "cs");
    perfdata_event(&w, 2, 311, 1, "sched:sched_switch");
    for (unsigned i = 0; i < 3; i++)
        perfdata_sample(&w, &(struct perfdata_sample){.event = i > 0,
                                                      .time = 100 + i,
                                                      .ip = 0x1000,
                                                      .period = 1,
                                                      .pid = 7,
                                                      .tid = 7,
                                                      .mode = 2});
    perfdata_end(&w);
    for (size_t i = 0; i < COUNT(asked); i++) {
        struct profile *p = read_event(&w, asked[i].wanted);

        ck_assert_uint_eq(p->samples.len, asked[i].samples);
        ck_assert_str_eq(profile_metric_word(p), "context-switches");
        profile_free(p);
    }
    perfdata_free(&w);
}
