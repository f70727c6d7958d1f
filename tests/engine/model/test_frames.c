/* Frames of locations: how names change once they are given. */
#include "engine/model/profile.h"
#include "tests/support/profile_check.h"
#include "tests/support/same_profile.h"
#include "tests/support/suite.h"

enum { LOCATIONS = 5 };

static uint32_t string(struct profile *p, const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

/* Locations 0 to 2 in an image, 3 in a method, 4 nowhere. */
static struct profile *make_profile(void)
{
    struct profile *p = profile_new();

    *vec_add(&p->processes) = (struct process){.pid = 1};
    *vec_add(&p->modules) = (struct module){.name = string(p, "a.exe")};
    methods_add(
        &p->methods,
        &(struct method){.module = NO_ID, .full_name = string(p, "M.Run()")});
    for (uint32_t i = 0; i < LOCATIONS; i++)
        profile_location(
            p, &(struct location){
                   .address = i,
                   .module = i < 3 ? 0 : NO_ID,
                   .method = i == 3 ? 0 : NO_ID,
                   .kind = i == 3 ? CODE_MANAGED : CODE_NATIVE,
                   .cause = i == 4 ? CAUSE_NO_IMAGE : CAUSE_NO_SYMBOLS});
    return p;
}

/* One frame for each word, innermost first. */
static void give(struct profile *p, uint32_t location, const char *names)
{
    struct frame frames[4];
    size_t n = 0;

    while (*names) {
        size_t len = strcspn(names, " ");
        struct function f = {.name = strings_add(p->strings, names, len),
                             .module = string(p, "a.exe"),
                             .kind = CODE_NATIVE};

        frames[n] = (struct frame){.function = profile_function(p, &f),
                                   .line = (uint32_t)n + 1};
        frames[n++].inlined = names[len] != '\0';
        names += len + (names[len] != '\0');
    }
    profile_set_frames(p, location, frames, n);
}

/* Of all locations, innermost first, "/" between locations. */
static void assert_names(const struct profile *p, const char *expected)
{
    char text[500] = "", name[FUNCTION_NAME_SIZE];

    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    for (uint32_t i = 0; i < p->locations.len; i++) {
        if (i)
            strcat(text, "/");
        for (uint32_t f = p->frame_start.data[i];
             f < p->frame_start.data[i + 1]; f++) {
            strcat(text, f > p->frame_start.data[i] ? " " : "");
            strcat(text, profile_function_name(
                             p, p->frames.data[f].function, name));
        }
    }
    ck_assert_str_eq(text, expected);
}

TEST(reopened_for_nothing)
{
    struct profile *p = make_profile(), *q = make_profile();

    profile_reopen(q); /* not finished yet */
    for (uint32_t i = 0; i < 2; i++) {
        give(p, i, "mix run");
        give(q, i, "mix run");
    }
    profile_finish(p);
    profile_finish(q);
    profile_reopen(q);
    profile_finish(q);
    ck_assert_msg(!same_profile(p, q), "%s", same_profile(p, q));
    profile_free(p);
    profile_free(q);
}

/* A line alone keeps the name that is made up. */
TEST(lines_without_names)
{
    struct profile *p = make_profile();
    const struct frame *frame;

    profile_set_line(p, 3, string(p, "run.cs"), 77);
    profile_set_line(p, 1, string(p, "a.c"), 5);
    profile_set_line(p, 1, string(p, "b.c"), 6); /* it has frames */
    profile_finish(p);
    assert_names(p, "a.exe!+0x0/a.exe!+0x1/a.exe!+0x2/M.Run()/0x4");
    frame = &p->frames.data[p->frame_start.data[3]];
    ck_assert_str_eq(strings_get(p->strings, frame->file), "run.cs");
    ck_assert_uint_eq(frame->line, 77);
    ck_assert_uint_eq(p->frames.data[1].line, 5);
    /* and is kept when the profile is opened once more, as is a file alone */
    p->frames.data[0].file = string(p, "x.c");
    p->frames.data[2].line = 9;
    profile_reopen(p);
    for (uint32_t l = 0; l < 4; l++)
        ck_assert(profile_has_frames(p, l));
    ck_assert(!profile_has_frames(p, 4));
    profile_finish(p);
    ck_assert_uint_eq(p->frames.data[p->frame_start.data[3]].line, 77);
    profile_free(p);
}
