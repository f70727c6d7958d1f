/* The busiest processes, and the path that most samples are below. */
#include "report/header/header.h"

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static const struct {
    unsigned processes;
    const char *stack, *text;
} overviews[] = {
    {1, "a!f1", "hot path   f1 100.0 %\n"},
    {2, "a!f1", "processes  p0 50.0 % · p1 50.0 %\nhot path   f1 100.0 %\n"},
    {4, "a!+0x10",
     "processes  p0 25.0 % · p1 25.0 % · p2 25.0 % · p3 25.0 %\n"},
    {5, "a!+0x10", "processes  p0 20.0 % · p1 20.0 % · p2 20.0 % · 2 more\n"},
    {1, "a!f1;a!f2;a!f3;a!f4;a!f5;a!f6",
     "hot path   f1 100.0 % › f2 100.0 % › f3 100.0 % › f4 100.0 % › "
     "f5 100.0 % › f6 100.0 %\n"},
    {1, "a!f1;a!f2;a!f3;a!f4;a!f5;a!f6;a!f7",
     "hot path   f1 100.0 % › f2 100.0 % › … › f4 100.0 % › f5 100.0 % › "
     "f6 100.0 % › f7 100.0 %\n"},
    {1, "a!f1;a!f2;a!f2;a!f2", "hot path   f1 100.0 % › f2 ×3 100.0 %\n"},
};

TEST(processes_and_the_hot_path)
{
    for (size_t i = 0; i < COUNT(overviews); i++) {
        struct builder *b = builder_new("app.etl");
        struct report_options options = REPORT_DEFAULTS;
        struct subject subject = {.options = &options};
        struct out *out = out_memory();
        struct selection *sel;

        for (uint32_t k = 0; k < overviews[i].processes; k++) {
            char name[16];

            snprintf(name, sizeof(name), "p%u", (unsigned)k);
            builder_samples(b, builder_thread(b, k + 1, name, k + 1), 10,
                            overviews[i].stack);
        }
        subject.p = builder_finish(b);
        subject.sel = sel = selection_new(subject.p, NULL);
        overview(&subject, out);
        ck_assert_str_eq(out_text(out, NULL), overviews[i].text);
        out_close(out, NULL);
        selection_free(sel);
        profile_free((struct profile *)subject.p);
    }
}
