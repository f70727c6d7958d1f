/* What the tree says above and below its rows. */
#include "report/report.h"

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* The lines of the report that begin so; the rest of it is not looked at. */
static void assert_line(const struct profile *p, struct report_options options,
                        const char *start, const char *wanted)
{
    struct selection *sel = selection_new(p, &options.filter);
    struct subject subject = {.options = &options, .p = p, .sel = sel};
    struct out *out = out_memory();
    const char *line;
    size_t n;

    tree_report.write[options.format](&subject, out);
    line = strstr(out_text(out, NULL), start);
    if (!wanted) {
        ck_assert_msg(!line, "%s", line);
    } else {
        ck_assert_msg(line != NULL, "%s", out_text(out, NULL));
        n = strlen(wanted);
        ck_assert_msg(!strncmp(line, wanted, n) && line[n] == '\n', "%s", line);
    }
    out_close(out, NULL);
    selection_free(sel);
}

/* So many programs, each begun by its own module. */
static struct profile *programs(unsigned count)
{
    struct builder *b = builder_new("app.etl");

    for (unsigned i = 0; i < count; i++) {
        char name[20], stack[60];
        uint32_t t;

        snprintf(name, sizeof(name), "p%u", i);
        snprintf(stack, sizeof(stack), "m%u!_start;m%u!main;m%u!work", i, i, i);
        t = builder_thread(b, 10 * i + 1, name, 10 * i + 2);
        builder_samples(b, t, count - i, stack);
    }
    return builder_finish(b);
}

TEST(modules_of_start_up_frames)
{
    static const char *const wanted[] = {
        NULL,
        "start-up frames folded: m0; --startup shows them",
        "start-up frames folded: m0, m1; --startup shows them",
        NULL,
        NULL,
        NULL,
        "start-up frames folded: m0, m1, m2, m3, m4, m5; --startup shows them",
        "start-up frames folded: m0, m1, m2, m3, m4, m5, …; --startup shows "
        "them",
        "start-up frames folded: m0, m1, m2, m3, m4, m5, …; --startup shows "
        "them",
    };

    for (unsigned i = 0; i < COUNT(wanted); i++) {
        struct report_options options = {.min = 50};
        struct profile *p = programs(i);

        if (wanted[i] || !i)
            assert_line(p, options, "start-up frames", wanted[i]);
        options.startup = true;
        assert_line(p, options, "start-up frames", NULL);
        options.startup = false;
        options.format = FORMAT_CSV;
        assert_line(p, options, "start-up frames", NULL);
        profile_free(p);
    }
}

/* What is cut off is counted, by why. */
TEST(branches_that_are_cut)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);
    struct profile *p;

    builder_samples(b, t, 4990, "a!f;a!g;a!h");
    builder_samples(b, t, 4980, "a!f;a!i");
    builder_samples(b, t, 20, "a!f;a!j");
    builder_samples(b, t, 10, "a!k");
    p = builder_finish(b);
    assert_line(p, (struct report_options){.min = 20}, "1 branch",
                "1 branch below 0.20 % (--min) not shown: 0.1 % of the "
                "samples");
    assert_line(p, (struct report_options){.min = 21}, "2 branches",
                "2 branches below 0.21 % (--min) not shown: 0.3 % of the "
                "samples");
    assert_line(p, (struct report_options){.min = 10}, "branch", NULL);
    assert_line(p, (struct report_options){.min = 1205, .depth = 2}, "2 branc",
                "2 branches below 12.05 % (--min) not shown: 0.3 % of the "
                "samples");
    assert_line(p, (struct report_options){.min = 1205, .depth = 2}, "1 branc",
                "1 branch deeper than 2 (--depth) not shown: 49.9 % of the "
                "samples");
    assert_line(p, (struct report_options){.min = 0, .depth = 1}, "3 branches",
                "3 branches deeper than 1 (--depth) not shown: 99.9 % of the "
                "samples");
    profile_free(p);
}
