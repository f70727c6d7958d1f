/* What info tells of a trace that has everything. */
#include "engine/base/text.h"
#include "report/profile/info.h"

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static uint32_t text(struct profile *p, const char *words)
{
    return strings_add(p->strings, words, strlen(words));
}

static void add_processes(struct profile *p, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        *vec_add(&p->processes) = (struct process){
            .pid = i ? 100 + i : NO_PID, .name = text(p, "many"), .end = 1};
}

/* Twenty of more than twenty processes are shown, and none without samples if
 * others have some. */
static const struct {
    unsigned sampled, idle;
    bool all;
    const char *last, *left;
} listed[] = {
    {20, 0, false, "\nbusy (20)", NULL},
    {0, 20, false, "\nmany (119)", NULL},
    {2, 18, false, "\nmany (117)", NULL},
    {21, 0, false, "\nbusy (20)", "1 more; --all shows them"},
    {20, 1, false, "\nbusy (20)", "1 more; --all shows them"},
    {3, 18, false, "\nbusy (3)", "18 more; --all shows them"},
    {0, 22, false, "\nmany (119)", "2 more; --all shows them"},
    {3, 18, true, "\nmany (117)", NULL},
};

static struct profile *profile_of(unsigned sampled, unsigned idle)
{
    struct builder *b = builder_new("a.etl");
    struct profile *p;

    for (unsigned i = 1; i <= sampled; i++)
        builder_samples(b, builder_thread(b, i, "busy", i), 30 - i,
                        "app.exe!main");
    p = builder_finish(b);
    add_processes(p, idle);
    return p;
}

TEST(lists_end)
{
    for (size_t i = 0; i < COUNT(listed); i++) {
        struct profile *p = profile_of(listed[i].sampled, listed[i].idle);
        struct selection *sel = selection_new(p, NULL);
        struct report_options options = {.all = listed[i].all};
        struct subject subject = {.options = &options, .p = p, .sel = sel};
        struct out *out = out_memory();
        const char *text, *line;

        info_report.write[FORMAT_TEXT](&subject, out);
        text = strstr(out_text(out, NULL), " samples\n");
        ck_assert_ptr_nonnull(text);
        line = strstr(text, listed[i].last);
        ck_assert_ptr_nonnull(line);
        line = strchr(line + 1, '\n') + 1;
        if (listed[i].left)
            ck_assert_msg(!strncmp(line, listed[i].left,
                                   strlen(listed[i].left)), "%s", text);
        else
            ck_assert_msg(*line == '\n', "%s", text);
        out_close(out, NULL);
        selection_free(sel);
        profile_free(p);
    }
}
