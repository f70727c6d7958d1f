/* The size of an export, before it is written. */
#include "report/export/export.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* Samples with the stack of the one before take no frames of speedscope. */
TEST(size_of_samples_and_frames)
{
    static const struct {
        const char *kind;
        uint64_t bytes;
    } rows[] = {
        {"speedscope", 2 * 6 + 5 * (2 + 3)},
        {"firefox", 30 * 6},
        {"cpuprofile", 14 * 6},
        {"pprof", 0},
        {"otlp", 0},
    };
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 1, "p", 2);
    struct selection *sel;
    struct profile *p;

    builder_samples(b, t, 4, "m!a;m!b");
    builder_samples(b, t, 2, "m!a;m!b;m!c");
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_uint_eq(export_size(export_kind_find(rows[i].kind), p, sel),
                          rows[i].bytes);
    selection_free(sel);
    profile_free(p);
}
