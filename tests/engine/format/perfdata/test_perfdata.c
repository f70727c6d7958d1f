/* Recordings of perf made by the writer, whose answers are known. */
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

/* ---- the shop ---- */

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
