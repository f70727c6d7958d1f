/* What frames are called in stacks of text, in every style. */
#include "report/export/frames.h"

#include "engine/model/profile.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* A location a line, as many as frames but for the one that has two. */
static struct profile *styled_profile(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);

    builder_samples(b, t, 1,
                    "app.exe!main(int)@/src/a.c:7;"
                    "[kernel]ntos.exe!Fault;"
                    "[jit]!Shop.Run;"
                    "app.exe!inner@src\\b.c:3<app.exe!outer@/src/a.c:0;"
                    "a.dll!+0x10;"
                    "0x7000");
    return builder_finish(b);
}

TEST(styles)
{
    static const struct {
        uint32_t location, frame;
        struct frame_style style;
        const char *name;
    } rows[] = {
        {1, 0, {.module = false}, "main"},
        {1, 0, {.recorded = true}, "main(int)"},
        {1, 0, {.module = true}, "app.exe!main"},
        {1, 0, {.module = true, .recorded = true}, "app.exe!main(int)"},
        {1, 0, {.lines = true}, "main:a.c:7"},
        {1, 0, {.marks = true}, "main"},
        {1,
         0,
         {.module = true, .lines = true, .marks = true},
         "app.exe!main:a.c:7"},
        {2, 1, {.marks = true}, "Fault_[k]"},
        {2, 1, {.lines = true}, "Fault"},
        {3, 2, {.marks = true, .module = true}, "[jit]!Shop.Run_[j]"},
        {4, 3, {.marks = true, .lines = true}, "inner:b.c:3_[i]"},
        {4, 4, {.marks = true, .lines = true}, "outer:a.c"},
        {5, 5, {.module = true}, "a.dll!+0x10"},
        {5, 5, {.marks = true}, "a.dll!+0x10"},
        {6, 6, {.module = true, .marks = true}, "0x7000"},
    };
    struct profile *p = styled_profile();
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_str_eq(frame_name(p, rows[i].location - 1, rows[i].frame,
                                    &rows[i].style, &arena),
                         rows[i].name);
    arena_release(&arena);
    profile_free(p);
}

TEST(styles_by_function)
{
    ck_assert(frame_style_by_function(&(struct frame_style){.module = true}));
    ck_assert(frame_style_by_function(&(struct frame_style){.recorded = true}));
    ck_assert(!frame_style_by_function(&(struct frame_style){.lines = true}));
    ck_assert(!frame_style_by_function(&(struct frame_style){.marks = true}));
}
